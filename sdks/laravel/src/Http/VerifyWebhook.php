<?php

declare(strict_types=1);

namespace Sanad\Laravel\Http;

use Closure;
use Illuminate\Contracts\Config\Repository;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Psr\Log\LoggerInterface;
use Sanad\Delivery;
use Sanad\WebhookError;
use Sanad\Webhooks;

/**
 * Lets through what Sanad has signed, by the raw body. Anything else is answered with 400 and a line in the log. Without a secret in the
 * configuration it throws: 500, and Sanad sends the event again.
 */
final class VerifyWebhook
{
    /** Far above the size of an event, which has less than 2 KiB. */
    private const LONGEST_BODY = 1024 * 1024;
    private const EVENT = 'sanad.event';
    private const DELIVERY = 'sanad.delivery';

    public function __construct(private readonly Repository $config, private readonly LoggerInterface $log)
    {
    }

    public function handle(Request $request, Closure $next): mixed
    {
        $isGiven = static fn (mixed $secret): bool => $secret !== null && $secret !== '';
        $secrets = array_values(array_filter($this->config->get('sanad.webhook_secrets'), $isGiven));
        $tolerance = (float) $this->config->get('sanad.webhook_tolerance');
        try {
            $body = $request->getContent();
            if (strlen($body) > self::LONGEST_BODY) {
                throw new WebhookError(WebhookError::MALFORMED_BODY, 'The body is larger than any event.');
            }
            $header = $request->headers->all('x-service-signature');
            $event = Webhooks::verify($body, $header, $secrets, $tolerance);
        } catch (WebhookError $fault) {
            $this->log->warning("Sanad webhook: {$fault->getMessage()}", ['reason' => $fault->reason]);
            return new Response('', 400);
        }
        $headers = array_map(static fn (array $values): string => (string) ($values[0] ?? ''), $request->headers->all());
        $request->attributes->set(self::EVENT, $event);
        $request->attributes->set(self::DELIVERY, Webhooks::deliveryOf($headers, $event));
        return $next($request);
    }

    /** @return array<mixed> The event of a request that has passed. */
    public static function eventOf(Request $request): array
    {
        return $request->attributes->get(self::EVENT)
            ?? throw new \LogicException('The route of the webhook must have the middleware VerifyWebhook.');
    }

    public static function deliveryOf(Request $request): Delivery
    {
        return $request->attributes->get(self::DELIVERY)
            ?? throw new \LogicException('The route of the webhook must have the middleware VerifyWebhook.');
    }
}
