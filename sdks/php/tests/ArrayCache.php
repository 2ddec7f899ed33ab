<?php

declare(strict_types=1);

namespace Sanad\Tests;

use Psr\SimpleCache\CacheInterface;

/** A cache as a framework gives one. It fits versions 1 to 3 of the interface. */
final class ArrayCache implements CacheInterface
{
    /** @var array<string, mixed> */
    public array $values = [];
    /** @var array<string, int> */
    public array $lifetimes = [];
    public bool $isBroken = false;

    public function get($key, $default = null): mixed
    {
        $this->requireWorking();
        return $this->values[$key] ?? $default;
    }

    public function set($key, $value, $ttl = null): bool
    {
        $this->requireWorking();
        // What PSR-16 does not allow in a key.
        assert(preg_match('/^[A-Za-z0-9_.]{1,128}$/', $key) === 1);
        $this->values[$key] = $value;
        $this->lifetimes[$key] = $ttl;
        return true;
    }

    public function delete($key): bool
    {
        unset($this->values[$key]);
        return true;
    }

    public function clear(): bool
    {
        $this->values = [];
        return true;
    }

    public function getMultiple($keys, $default = null): iterable
    {
        throw new \LogicException('not used');
    }

    public function setMultiple($values, $ttl = null): bool
    {
        throw new \LogicException('not used');
    }

    public function deleteMultiple($keys): bool
    {
        throw new \LogicException('not used');
    }

    public function has($key): bool
    {
        return isset($this->values[$key]);
    }

    private function requireWorking(): void
    {
        if ($this->isBroken) {
            throw new \RuntimeException('the cache is away');
        }
    }
}
