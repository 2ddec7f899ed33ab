<?php

declare(strict_types=1);

namespace Sanad;

use Psr\SimpleCache\CacheInterface;
use Sanad\Http\CurlTransport;
use Sanad\Http\Transport;
use Sanad\Internal\Caller;
use Sanad\Internal\Settings;

/** The merchant API and the checkout API for one API key. */
final class Sanad
{
    public readonly Wallets $wallets;
    public readonly Intents $intents;
    /** Your own payment page: one live intent for each order. */
    public readonly OrderCheckout $checkout;
    /** Sanad's payment page. */
    public readonly Checkouts $checkouts;
    public readonly Links $links;

    private static ?CurlTransport $shared = null;

    /**
     * @param string $baseUrl Where the service is: `https://pay.example.com`, with or without `/api/v1/merchant`.
     * @param string $clientSecret Keep it on your server only.
     * @param CacheInterface|null $cache A PSR-16 cache for the access token. Without it each process requests its own, under
     *   PHP-FPM for each page that it serves.
     * @param Transport|null $transport Another HTTP client. Default: ext-curl, its connections shared by all clients of the process.
     * @param float $timeout Seconds for one attempt, its answer included.
     * @param int $maxRetries How often a failed request is sent again, where that is safe. 0: never.
     * @param float $maxRetryWait The longest wait in seconds before a retry. A longer `Retry-After` is thrown at once.
     * @param (callable(): float)|null $now The time in seconds. For tests.
     * @param (callable(float): mixed)|null $sleep Waits for seconds. For tests.
     */
    public function __construct(
        string $baseUrl,
        string $clientId,
        #[\SensitiveParameter]
        string $clientSecret,
        ?CacheInterface $cache = null,
        ?Transport $transport = null,
        float $timeout = 30.0,
        int $maxRetries = 3,
        float $maxRetryWait = 60.0,
        ?callable $now = null,
        ?callable $sleep = null,
    ) {
        $settings = new Settings(
            $baseUrl,
            $clientId,
            $clientSecret,
            $transport ?? self::$shared ??= new CurlTransport(),
            $timeout,
            $maxRetries,
            $maxRetryWait,
            $now === null ? static fn (): float => microtime(true) : $now(...),
            static function (float $seconds) use ($sleep): void {
                $sleep === null ? usleep((int) round($seconds * 1e6)) : $sleep($seconds);
            },
        );
        $caller = new Caller($settings, $cache);
        $this->wallets = new Wallets($caller);
        $this->intents = new Intents($caller);
        $this->checkout = new OrderCheckout($this->intents, $this->wallets);
        $this->checkouts = new Checkouts($caller);
        $this->links = new Links($caller);
    }
}
