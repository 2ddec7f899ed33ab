<?php

declare(strict_types=1);

namespace Sanad\Laravel;

use Illuminate\Database\ConnectionInterface;
use Illuminate\Database\ConnectionResolverInterface;
use Sanad\CheckoutStore;
use Sanad\PdoStore;

/**
 * The store for `checkout->start` in a table of the application's database. Do not call `start` inside a transaction: it throws, because
 * what is stored must be there before the request is sent.
 */
final class DatabaseStore implements CheckoutStore
{
    public function __construct(
        private readonly ConnectionResolverInterface $connections,
        private readonly ?string $connection,
        private readonly string $table,
    ) {
    }

    public function get(string $orderId): ?array
    {
        return $this->store()->get($orderId);
    }

    public function set(string $orderId, array $record): bool
    {
        return $this->store()->set($orderId, $record);
    }

    /** Makes the table. */
    public function create(): void
    {
        $this->connection()->statement($this->store()->createStatement());
    }

    public function drop(): void
    {
        $this->connection()->statement("drop table if exists $this->table");
    }

    /** Looked up each time: a worker that runs for long may have connected again. */
    private function store(): PdoStore
    {
        return new PdoStore($this->connection()->getPdo(), $this->table);
    }

    private function connection(): ConnectionInterface
    {
        return $this->connections->connection($this->connection);
    }
}
