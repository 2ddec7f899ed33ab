<?php

declare(strict_types=1);

namespace Sanad;

/**
 * A store in a table of MySQL, MariaDB, PostgreSQL or SQLite. Do not call `checkout->start` inside a transaction: what is stored must
 * be there before the request is sent.
 */
final class PdoStore implements CheckoutStore
{
    public function __construct(private readonly \PDO $pdo, private readonly string $table = 'sanad_checkouts')
    {
        if (preg_match('/^[a-z_][a-z0-9_]{0,62}$/D', $table) !== 1) {
            throw new \InvalidArgumentException('The name of the table must be of small letters, digits and "_".');
        }
    }

    /** The statement that creates the table. Order numbers are compared byte by byte. */
    public function createStatement(): string
    {
        $name = $this->driver() === 'mysql' ? 'varbinary(512)' : 'varchar(512)';
        $record = $this->driver() === 'mysql' ? 'mediumtext' : 'text';
        return "create table $this->table (order_id $name primary key, version int not null, record $record not null)";
    }

    public function get(string $orderId): ?array
    {
        $found = $this->run("select record from $this->table where order_id = ?", [$orderId])->fetchColumn();
        return is_string($found) ? json_decode($found, true, 512, JSON_THROW_ON_ERROR) : null;
    }

    public function set(string $orderId, array $record): bool
    {
        if ($this->pdo->inTransaction()) {
            throw new \LogicException('checkout->start must not run inside a transaction: its record would not be stored yet.');
        }
        // ASCII: a table in latin1 or in utf8 of three bytes would replace other characters, without an error.
        $text = json_encode($record, JSON_THROW_ON_ERROR);
        if ($record['version'] === 1) {
            $columns = "into $this->table (order_id, version, record) values (?, 1, ?)";
            $insert = $this->driver() === 'mysql' ? "insert ignore $columns" : "insert $columns on conflict do nothing";
            return $this->run($insert, [$orderId, $text])->rowCount() === 1;
        }
        $update = "update $this->table set version = ?, record = ? where order_id = ? and version = ?";
        $values = [$record['version'], $text, $orderId, $record['version'] - 1];
        return $this->run($update, $values)->rowCount() === 1;
    }

    /** @param list<string|int> $values */
    private function run(string $sql, array $values): \PDOStatement
    {
        $statement = $this->pdo->prepare($sql);
        if ($statement === false || !$statement->execute($values)) {
            throw new \RuntimeException("The table $this->table cannot be used: " . implode(' ', $this->pdo->errorInfo()));
        }
        return $statement;
    }

    private function driver(): string
    {
        return (string) $this->pdo->getAttribute(\PDO::ATTR_DRIVER_NAME);
    }
}
