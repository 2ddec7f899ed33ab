<?php

declare(strict_types=1);

namespace Sanad\Laravel\Tests;

use Illuminate\Http\Request;
use Sanad\Laravel\Events;
use Sanad\Webhooks;

final class WebhookTest extends ShopTestCase
{
    private const BODY = '{"event": "payment.verified",  "order_id":"A-1","base_amount":"1500.00","note":"شكراً"}';

    /** @param array<string, string> $more */
    private static function delivery(string $body, ?string $signature, array $more = [], string $path = '/sanad/webhook'): Request
    {
        $server = ['CONTENT_TYPE' => 'application/json', 'HTTP_ACCEPT' => '*/*'] + $more;
        if ($signature !== null) {
            $server['HTTP_X_SERVICE_SIGNATURE'] = $signature;
        }
        return Request::create($path, 'POST', server: $server, content: $body);
    }

    /** @param \ArrayObject<int, Events\SanadEvent> $seen */
    private static function listen(Shop $shop, \ArrayObject $seen): void
    {
        foreach (glob(__DIR__ . '/../src/Events/*.php') ?: [] as $file) {
            $class = 'Sanad\\Laravel\\Events\\' . basename($file, '.php');
            $shop->app['events']->listen($class, static fn (Events\SanadEvent $event) => $seen->append($event));
        }
    }

    public function testAGenuineDeliveryIsAnEventOfItsKindByTheRawBody(): void
    {
        $shop = $this->shop(['webhook_secrets' => ['made-up-secret', null]]);
        self::listen($shop, $seen = new \ArrayObject());
        $headers = ['HTTP_X_SERVICE_EVENT_ID' => 'event-1', 'HTTP_X_SERVICE_DELIVERY_ID' => 'd-1', 'HTTP_X_SERVICE_ATTEMPT' => '2'];
        $answer = $shop->handle(self::delivery(self::BODY, Webhooks::sign(self::BODY, 'made-up-secret'), $headers));
        self::assertSame([204, ''], [$answer->getStatusCode(), $answer->getContent()]);
        self::assertCount(1, $seen);
        self::assertInstanceOf(Events\PaymentVerified::class, $seen[0]);
        self::assertSame(json_decode(self::BODY, true), $seen[0]->event);
        $delivery = $seen[0]->delivery;
        self::assertSame(
            ['event-1', 'd-1', '2', false],
            [$delivery->eventId, $delivery->deliveryId, $delivery->attempt, $delivery->isTest],
        );
    }

    public function testEachKindHasItsClassAndALaterKindIsTakenToo(): void
    {
        $shop = $this->shop(['webhook_secrets' => ['made-up-secret']]);
        self::listen($shop, $seen = new \ArrayObject());
        // As the types that are written from the OpenAPI documents name them.
        preg_match_all("/event: '([a-z_.]+)'/", (string) file_get_contents(__DIR__ . '/../../php/src/Api.php'), $kinds);
        self::assertCount(8, array_unique($kinds[1]));
        foreach ([...array_unique($kinds[1]), 'payment.refunded'] as $kind) {
            $body = json_encode(['event' => $kind]);
            $answer = $shop->handle(self::delivery($body, Webhooks::sign($body, 'made-up-secret'), ['HTTP_X_SERVICE_TEST' => '1']));
            self::assertSame(204, $answer->getStatusCode(), $kind);
            $last = $seen[count($seen) - 1];
            $name = str_replace(' ', '', ucwords(strtr($kind, '._', '  ')));
            $class = 'Sanad\\Laravel\\Events\\' . ($kind === 'payment.refunded' ? 'UnknownEvent' : $name);
            self::assertSame([$class, $kind, true], [$last::class, $last->event['event'], $last->delivery->isTest]);
        }
        self::assertCount(9, $seen);
    }

    public function testWhatIsNotGenuineIs400ALineInTheLogAndNoEvent(): void
    {
        $shop = $this->shop(['webhook_secrets' => ['the-new-secret', 'made-up-secret']]);
        self::listen($shop, $seen = new \ArrayObject());
        $long = str_repeat(' ', 1024 * 1024 + 1);
        $cases = [
            'missing_header' => self::delivery(self::BODY, null),
            'malformed_header' => self::delivery(self::BODY, 'nonsense'),
            'no_match' => self::delivery(str_replace('1500', '9500', self::BODY), Webhooks::sign(self::BODY, 'made-up-secret')),
            'too_old' => self::delivery(self::BODY, Webhooks::sign(self::BODY, 'made-up-secret', time() - 3600)),
            'too_new' => self::delivery(self::BODY, Webhooks::sign(self::BODY, 'made-up-secret', time() + 3600)),
            'malformed_body' => self::delivery($long, Webhooks::sign($long, 'made-up-secret')),
        ];
        foreach ($cases as $reason => $request) {
            $answer = $shop->handle($request);
            self::assertSame([400, ''], [$answer->getStatusCode(), $answer->getContent()], $reason);
            self::assertStringContainsString("\"reason\":\"$reason\"", $shop->log());
        }
        self::assertCount(0, $seen);
        self::assertSame(405, $shop->handle(Request::create('/sanad/webhook'))->getStatusCode());
        foreach (['the-new-secret', 'made-up-secret'] as $secret) {
            $answer = $shop->handle(self::delivery(self::BODY, Webhooks::sign(self::BODY, $secret)));
            self::assertSame(204, $answer->getStatusCode(), $secret);
        }
    }

    public function testALongerToleranceIsKept(): void
    {
        $shop = $this->shop(['webhook_secrets' => ['made-up-secret'], 'webhook_tolerance' => 7200]);
        $old = self::delivery(self::BODY, Webhooks::sign(self::BODY, 'made-up-secret', time() - 3600));
        self::assertSame(204, $shop->handle($old)->getStatusCode());
    }

    public function testWithoutASecretOrWhenAListenerFailsItIs500SoThatSanadSendsAgain(): void
    {
        $without = $this->shop(['webhook_secrets' => [null, '']]);
        self::assertSame(500, $without->handle(self::delivery(self::BODY, Webhooks::sign(self::BODY, 'x')))->getStatusCode());
        self::assertStringContainsString('signing secret', $without->log());

        $failing = $this->shop(['webhook_secrets' => ['made-up-secret']]);
        $failing->app['events']->listen(Events\PaymentVerified::class, static function (): void {
            throw new \RuntimeException('the database is away');
        });
        $answer = $failing->handle(self::delivery(self::BODY, Webhooks::sign(self::BODY, 'made-up-secret')));
        self::assertSame(500, $answer->getStatusCode());
        self::assertStringContainsString('the database is away', $failing->log());
        self::assertStringNotContainsString('the database is away', (string) $answer->getContent());
    }

    public function testThePathCanBeAnotherOrNone(): void
    {
        $signature = Webhooks::sign(self::BODY, 'made-up-secret');
        $other = $this->shop(['webhook_path' => 'hooks/pay', 'webhook_secrets' => ['made-up-secret']]);
        self::assertSame(204, $other->handle(self::delivery(self::BODY, $signature, path: '/hooks/pay'))->getStatusCode());
        self::assertSame(404, $other->handle(self::delivery(self::BODY, $signature))->getStatusCode());
        $none = $this->shop(['webhook_path' => null, 'webhook_secrets' => ['made-up-secret']]);
        self::assertSame(404, $none->handle(self::delivery(self::BODY, $signature))->getStatusCode());
    }
}
