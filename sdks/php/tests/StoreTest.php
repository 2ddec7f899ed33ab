<?php

declare(strict_types=1);

namespace Sanad\Tests;

use PHPUnit\Framework\TestCase;
use Sanad\CheckoutStore;
use Sanad\MemoryStore;
use Sanad\PdoStore;

/** Stores keep a record only if no other call was faster. */
final class StoreTest extends TestCase
{
    /** @return array<string, CheckoutStore> */
    private static function stores(): array
    {
        $stores = ['memory' => new MemoryStore()];
        foreach (['sqlite' => 'sqlite::memory:', 'pgsql' => (string) getenv('SANAD_TEST_PDO')] as $name => $address) {
            $pdo = new \PDO($address, options: [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION]);
            $stores[$name] = new PdoStore($pdo, 'php_checkouts');
            $pdo->exec($stores[$name]->createStatement());
        }
        return $stores;
    }

    public function testARecordIsStoredOnlyAfterTheVersionBefore(): void
    {
        foreach (self::stores() as $name => $store) {
            $record = [
                'version' => 1,
                'attempt' => 1,
                'idempotencyKey' => 'k',
                'request' => ['wallet' => 'w', 'amount' => '5.00', 'external_order_id' => 'طلبية-1'],
                'intentId' => null,
                'decided' => [],
            ];
            self::assertNull($store->get('طلبية-1'), $name);
            self::assertFalse($store->set('طلبية-1', ['version' => 2] + $record), $name);
            self::assertTrue($store->set('طلبية-1', $record), $name);
            self::assertFalse($store->set('طلبية-1', $record), "$name: another call was faster");
            self::assertTrue($store->set('طلبية-1', ['version' => 2, 'intentId' => 'i'] + $record), $name);
            self::assertFalse($store->set('طلبية-1', ['version' => 2] + $record), $name);
            self::assertEquals(['version' => 2, 'intentId' => 'i'] + $record, $store->get('طلبية-1'), $name);
            self::assertNull($store->get('1'), $name);
            self::assertTrue($store->set('1', $record), "$name: a number as a text");
        }
    }

    /** MySQL and MariaDB put question marks where the character set of a table lacks a character. */
    public function testARecordIsStoredInAsciiWhateverTheTableTakes(): void
    {
        $pdo = new \PDO('sqlite::memory:');
        $store = new PdoStore($pdo);
        $pdo->exec($store->createStatement());
        $request = ['external_order_id' => 'طلبية-1', 'notes' => 'قهوة ☕'];
        $store->set('طلبية-1', ['version' => 1, 'attempt' => 1, 'idempotencyKey' => 'k', 'request' => $request, 'intentId' => null]);
        $stored = $pdo->query('select record from sanad_checkouts')->fetchColumn();
        self::assertMatchesRegularExpression('/^[\x20-\x7e]+$/D', $stored);
        self::assertSame($request, $store->get('طلبية-1')['request'] ?? null);
    }

    public function testAStoreInsideATransactionIsRefused(): void
    {
        $pdo = new \PDO('sqlite::memory:');
        $store = new PdoStore($pdo);
        $pdo->exec($store->createStatement());
        $pdo->beginTransaction();
        $this->expectException(\LogicException::class);
        $store->set('A', ['version' => 1, 'attempt' => 1, 'idempotencyKey' => 'k', 'request' => [], 'intentId' => null]);
    }
}
