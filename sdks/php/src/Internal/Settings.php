<?php

declare(strict_types=1);

namespace Sanad\Internal;

use Sanad\Http\Transport;

/**
 * How requests are sent.
 *
 * @internal
 */
final class Settings
{
    public const MERCHANT = '/api/v1/merchant';
    public const CHECKOUT = '/api/v1/checkout';

    public readonly string $base;

    /**
     * @param \Closure(): float $now The time in seconds.
     * @param \Closure(float): void $sleep
     */
    public function __construct(
        string $baseUrl,
        public readonly string $clientId,
        #[\SensitiveParameter]
        private readonly string $clientSecret,
        public readonly Transport $transport,
        public readonly float $timeout,
        public readonly int $maxRetries,
        public readonly float $maxRetryWait,
        public readonly \Closure $now,
        public readonly \Closure $sleep,
    ) {
        $this->base = self::baseOf($baseUrl);
        foreach (['clientId' => $clientId, 'clientSecret' => $clientSecret] as $name => $value) {
            if ($value === '' || preg_match('/[\x00-\x20\x7f-\xff]/', $value) === 1) {
                throw new \InvalidArgumentException("$name is empty, or no plain text: is its variable set?");
            }
        }
        if (!($timeout > 0) || !is_finite($timeout)) {
            throw new \InvalidArgumentException('timeout must be a number of seconds above 0.');
        }
        if ($maxRetries < 0 || !($maxRetryWait >= 0) || !is_finite($maxRetryWait)) {
            throw new \InvalidArgumentException('maxRetries and maxRetryWait must be numbers, 0 or more.');
        }
    }

    /** @return array<string, string> */
    public function keyHeaders(): array
    {
        return ['service-client-id' => $this->clientId, 'service-client-secret' => $this->clientSecret];
    }

    /** Names the token in a cache: the same address and key. It does not reveal the secret. */
    public function tokenName(): string
    {
        return 'sanad_token_' . hash_hmac('sha256', "$this->base $this->clientId", $this->clientSecret);
    }

    /**
     * What var_dump shows: no secret.
     *
     * @return array<string, mixed>
     */
    public function __debugInfo(): array
    {
        return ['base' => $this->base, 'clientId' => $this->clientId];
    }

    private static function baseOf(string $baseUrl): string
    {
        $parts = parse_url($baseUrl);
        if (!is_array($parts) || !in_array($parts['scheme'] ?? '', ['http', 'https'], true) || !isset($parts['host'])) {
            throw new \InvalidArgumentException('baseUrl must be an address such as https://pay.example.com.');
        }
        if (isset($parts['query']) || isset($parts['fragment']) || isset($parts['user']) || isset($parts['pass'])) {
            throw new \InvalidArgumentException('baseUrl must be an address without credentials, a query or a fragment.');
        }
        $path = rtrim($parts['path'] ?? '', '/');
        if (str_ends_with($path, self::MERCHANT)) {
            $path = substr($path, 0, -strlen(self::MERCHANT));
        }
        $port = isset($parts['port']) ? ":{$parts['port']}" : '';
        return "{$parts['scheme']}://{$parts['host']}$port$path";
    }
}
