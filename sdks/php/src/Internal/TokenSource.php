<?php

declare(strict_types=1);

namespace Sanad\Internal;

use Psr\SimpleCache\CacheInterface;
use Sanad\Http\Transport;

/**
 * The access token: requested once for all clients of this process that use one transport, kept until shortly before it expires, in the
 * cache of the framework too, and dropped when the service refuses it.
 *
 * @internal
 */
final class TokenSource
{
    private const MARGIN_S = 60.0;
    /** A process that serves many shops has many keys. */
    private const MOST_TOKENS = 256;

    /** @var \WeakMap<Transport, array<string, array{value: string, until: float}>>|null */
    private static ?\WeakMap $tokens = null;

    private readonly string $name;

    /** @param \Closure(): array<mixed> $requestToken */
    public function __construct(
        private readonly Settings $settings,
        private readonly ?CacheInterface $cache,
        private readonly \Closure $requestToken,
    ) {
        $this->name = $settings->tokenName();
        self::$tokens ??= new \WeakMap();
    }

    public function get(): string
    {
        $token = $this->remembered() ?? $this->cached();
        if ($token !== null && ($this->settings->now)() < $token['until']) {
            $this->remember($token);
            return $token['value'];
        }
        ['access_token' => $value, 'expires_in' => $lifetime] = ($this->requestToken)();
        // A short-lived token is used for at least half of its life.
        $kept = $lifetime - min(self::MARGIN_S, $lifetime / 2);
        $renewed = ['value' => $value, 'until' => ($this->settings->now)() + $kept];
        $this->remember($renewed);
        $this->inCache(fn (CacheInterface $cache): bool => $cache->set($this->name, $renewed, max(1, (int) $kept)));
        return $value;
    }

    /** Drops the token, if it is still the current one: another process may have renewed it. */
    public function forget(string $value): void
    {
        if (($this->remembered()['value'] ?? null) === $value) {
            $this->remember(null);
        }
        if (($this->cached()['value'] ?? null) === $value) {
            $this->inCache(fn (CacheInterface $cache): bool => $cache->delete($this->name));
        }
    }

    /** @return array{value: string, until: float}|null */
    private function remembered(): ?array
    {
        return self::$tokens[$this->settings->transport][$this->name] ?? null;
    }

    /** @param array{value: string, until: float}|null $token */
    private function remember(?array $token): void
    {
        $known = self::$tokens[$this->settings->transport] ?? [];
        unset($known[$this->name]);
        if ($token !== null) {
            $known = array_slice($known, 1 - self::MOST_TOKENS, null, true) + [$this->name => $token];
        }
        self::$tokens[$this->settings->transport] = $known;
    }

    /** @return array{value: string, until: float}|null */
    private function cached(): ?array
    {
        $found = $this->inCache(fn (CacheInterface $cache): mixed => $cache->get($this->name));
        if (!is_array($found) || !is_string($found['value'] ?? null)) {
            return null;
        }
        $until = $found['until'] ?? null;
        return is_float($until) || is_int($until) ? ['value' => $found['value'], 'until' => (float) $until] : null;
    }

    /**
     * A cache that is out of order stops no payment: then each process has its own token.
     *
     * @param \Closure(CacheInterface): mixed $use
     */
    private function inCache(\Closure $use): mixed
    {
        if ($this->cache === null) {
            return null;
        }
        try {
            return $use($this->cache);
        } catch (\Exception) {
            return null;
        }
    }
}
