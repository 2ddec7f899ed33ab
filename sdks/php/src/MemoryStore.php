<?php

declare(strict_types=1);

namespace Sanad;

/** A store in memory, for tests and for a first try. */
final class MemoryStore implements CheckoutStore
{
    /** @var array<string, string> */
    private array $records = [];

    public function get(string $orderId): ?array
    {
        $text = $this->records["=$orderId"] ?? null;
        return $text === null ? null : json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    }

    public function set(string $orderId, array $record): bool
    {
        if (($this->get($orderId)['version'] ?? 0) !== $record['version'] - 1) {
            return false;
        }
        $this->records["=$orderId"] = json_encode($record, JSON_THROW_ON_ERROR);
        return true;
    }
}
