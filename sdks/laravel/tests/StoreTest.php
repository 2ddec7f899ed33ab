<?php

declare(strict_types=1);

namespace Sanad\Laravel\Tests;

use Illuminate\Foundation\Application;
use Sanad\CheckoutStore;
use Sanad\Laravel\DatabaseStore;
use Sanad\Sanad;

final class StoreTest extends ShopTestCase
{
    private const RECORD = ['version' => 1, 'attempt' => 1, 'idempotencyKey' => 'k', 'request' => [], 'intentId' => null];

    public function testItRunsInTheKernelOfTheVersionThatTheReadmeNames(): void
    {
        $shop = $this->shop();
        self::assertMatchesRegularExpression('/^8\.83\./', Application::VERSION);
        self::assertStringContainsString('Laravel 8.83', (string) file_get_contents(__DIR__ . '/../README.md'));
        self::assertStringContainsString('sanad.webhook', $shop->artisan('route:list'));
        $shop->artisan('vendor:publish', ['--tag' => 'sanad-config']);
        self::assertFileEquals(__DIR__ . '/../config/sanad.php', $shop->path('config/sanad.php'));
    }

    public function testTheMigrationMakesTheTableAndARecordIsKeptOnlyAfterTheVersionBefore(): void
    {
        $shop = $this->shop();
        self::assertStringContainsString('create_sanad_checkouts', $shop->artisan('migrate'));
        $store = $shop->app->make(CheckoutStore::class);
        self::assertInstanceOf(DatabaseStore::class, $store);
        self::assertNull($store->get('A-1'));
        self::assertFalse($store->set('A-1', ['version' => 2] + self::RECORD));
        self::assertTrue($store->set('A-1', self::RECORD));
        self::assertFalse($store->set('A-1', self::RECORD));
        self::assertTrue($store->set('A-1', ['version' => 2, 'attempt' => 2] + self::RECORD));
        self::assertSame(2, $store->get('A-1')['attempt']);
        self::assertNull($store->get('a-1'));
        try {
            $shop->app['db']->transaction(fn () => $store->set('A-2', self::RECORD));
            self::fail('it was stored inside a transaction');
        } catch (\LogicException $fault) {
            self::assertStringContainsString('inside a transaction', $fault->getMessage());
        }
        $shop->artisan('migrate:rollback');
        $this->expectException(\PDOException::class);
        $store->get('A-1');
    }

    public function testTheClientIsOneForTheApplicationAndAWrongSettingIsNamed(): void
    {
        $shop = $this->shop(['url' => 'https://pay.example.com', 'client_id' => 'made-up', 'client_secret' => 'made-up']);
        self::assertSame($shop->app->make(Sanad::class), $shop->app->make(Sanad::class));
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessageMatches('/baseUrl/');
        $this->shop(['url' => ''])->app->make(Sanad::class);
    }
}
