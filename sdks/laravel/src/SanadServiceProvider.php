<?php

declare(strict_types=1);

namespace Sanad\Laravel;

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Support\ServiceProvider;
use Sanad\CheckoutStore;
use Sanad\Http\CurlTransport;
use Sanad\Http\Transport;
use Sanad\Sanad;

final class SanadServiceProvider extends ServiceProvider
{
    private const CONFIG = __DIR__ . '/../config/sanad.php';
    private const MIGRATIONS = __DIR__ . '/../database/migrations';

    public function register(): void
    {
        $this->mergeConfigFrom(self::CONFIG, 'sanad');
        $this->app->singleton(Transport::class, CurlTransport::class);
        $this->app->singleton(Sanad::class, static function (Application $app): Sanad {
            $config = $app['config']['sanad'];
            return new Sanad(
                (string) $config['url'],
                (string) $config['client_id'],
                (string) $config['client_secret'],
                cache: $app['cache']->store($config['cache']),
                transport: $app->make(Transport::class),
            );
        });
        $this->app->singleton(DatabaseStore::class, static function (Application $app): DatabaseStore {
            $config = $app['config']['sanad'];
            return new DatabaseStore($app['db'], $config['store_connection'], $config['store_table']);
        });
        $this->app->bind(CheckoutStore::class, DatabaseStore::class);
    }

    public function boot(): void
    {
        if ($this->app['config']['sanad.webhook_path'] !== null) {
            $this->loadRoutesFrom(__DIR__ . '/../routes/webhook.php');
        }
        if ($this->app->runningInConsole()) {
            $this->loadMigrationsFrom(self::MIGRATIONS);
            $this->publishes([self::CONFIG => $this->app->configPath('sanad.php')], 'sanad-config');
        }
    }
}
