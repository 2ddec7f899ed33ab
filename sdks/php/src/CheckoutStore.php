<?php

declare(strict_types=1);

namespace Sanad;

/**
 * What `checkout->start` keeps for each order: a table of your database with order id, version and record. Only the SDK reads the
 * record, which is JSON.
 *
 * @phpstan-type CheckoutRecord array{
 *   version: int,
 *   attempt: int,
 *   idempotencyKey: string,
 *   request: array<string, mixed>,
 *   intentId: string|null,
 *   decided?: list<string>,
 * }
 */
interface CheckoutStore
{
    /** @return CheckoutRecord|null */
    public function get(string $orderId): ?array;

    /**
     * Stores the record if no other call was faster: version 1 only if the order has no record, any other version only if the stored
     * version is the one before. Returns whether it was stored.
     *
     * @param CheckoutRecord $record
     */
    public function set(string $orderId, array $record): bool;
}
