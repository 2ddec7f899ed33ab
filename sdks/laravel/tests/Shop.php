<?php

declare(strict_types=1);

namespace Sanad\Laravel\Tests;

use Illuminate\Contracts\Console\Kernel as ConsoleContract;
use Illuminate\Contracts\Debug\ExceptionHandler as HandlerContract;
use Illuminate\Contracts\Http\Kernel as HttpContract;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Console\Kernel as ConsoleKernel;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel;
use Illuminate\Http\Request;
use Symfony\Component\Console\Output\BufferedOutput;
use Symfony\Component\HttpFoundation\Response;

/**
 * An application in an empty folder, with Laravel's own kernels. The package is found as in a shop: by its composer.json among the
 * installed packages.
 */
final class Shop
{
    public readonly Application $app;
    private readonly string $folder;

    /** @param array<string, mixed> $sanad Settings of `config/sanad.php`, before the package adds its own. */
    public function __construct(array $sanad = [])
    {
        $this->folder = sys_get_temp_dir() . '/sanad-laravel-' . bin2hex(random_bytes(8));
        foreach (['bootstrap/cache', 'config', 'vendor/composer', 'storage/framework/views', 'resources/views', 'database'] as $name) {
            mkdir("$this->folder/$name", 0o700, true);
        }
        touch("$this->folder/database/shop.sqlite");
        $package = json_decode((string) file_get_contents(__DIR__ . '/../composer.json'), true, 16, JSON_THROW_ON_ERROR);
        file_put_contents("$this->folder/vendor/composer/installed.json", json_encode(['packages' => [$package]]));
        file_put_contents("$this->folder/composer.json", '{}');
        foreach ($this->configuration() as $name => $values) {
            file_put_contents("$this->folder/config/$name.php", '<?php return ' . var_export($values, true) . ';');
        }
        $this->app = new Application($this->folder);
        $this->app->singleton(HttpContract::class, Kernel::class);
        $this->app->singleton(ConsoleContract::class, ConsoleKernel::class);
        $this->app->singleton(HandlerContract::class, Handler::class);
        $this->app->afterBootstrapping(
            \Illuminate\Foundation\Bootstrap\LoadConfiguration::class,
            static function (Application $app) use ($sanad): void {
                foreach ($sanad as $name => $value) {
                    $app['config']->set("sanad.$name", $value);
                }
            },
        );
        $this->app->make(ConsoleContract::class)->bootstrap();
    }

    public function handle(Request $request): Response
    {
        return $this->app->make(HttpContract::class)->handle($request);
    }

    /**
     * Runs a command of artisan and returns what it printed. Fails if the command fails.
     *
     * @param array<string, mixed> $options
     */
    public function artisan(string $command, array $options = []): string
    {
        $output = new BufferedOutput();
        $status = $this->app->make(ConsoleContract::class)->call($command, $options + ['--no-interaction' => true], $output);
        $printed = $output->fetch();
        if ($status !== 0) {
            throw new \RuntimeException("artisan $command: $printed");
        }
        return $printed;
    }

    public function log(): string
    {
        return (string) @file_get_contents("$this->folder/storage/shop.log");
    }

    public function path(string $name): string
    {
        return "$this->folder/$name";
    }

    public function close(): void
    {
        // The handlers of the framework end with the application.
        restore_error_handler();
        restore_exception_handler();
        $this->app->flush();
        $files = new \RecursiveIteratorIterator(
            new \RecursiveDirectoryIterator($this->folder, \FilesystemIterator::SKIP_DOTS),
            \RecursiveIteratorIterator::CHILD_FIRST,
        );
        foreach ($files as $file) {
            $file->isDir() ? rmdir($file->getPathname()) : unlink($file->getPathname());
        }
        rmdir($this->folder);
    }

    /** @return array<string, array<string, mixed>> */
    private function configuration(): array
    {
        return [
            'app' => [
                'env' => 'testing',
                'debug' => false,
                'key' => 'base64:' . base64_encode(str_repeat('k', 32)),
                'cipher' => 'AES-256-CBC',
                'timezone' => 'Asia/Aden',
                'locale' => 'ar',
                'fallback_locale' => 'en',
                'providers' => [
                    \Illuminate\Bus\BusServiceProvider::class,
                    \Illuminate\Cache\CacheServiceProvider::class,
                    \Illuminate\Foundation\Providers\ConsoleSupportServiceProvider::class,
                    \Illuminate\Database\DatabaseServiceProvider::class,
                    \Illuminate\Encryption\EncryptionServiceProvider::class,
                    \Illuminate\Filesystem\FilesystemServiceProvider::class,
                    \Illuminate\Foundation\Providers\FoundationServiceProvider::class,
                    \Illuminate\Queue\QueueServiceProvider::class,
                    \Illuminate\Translation\TranslationServiceProvider::class,
                    \Illuminate\View\ViewServiceProvider::class,
                ],
                'aliases' => [],
            ],
            'cache' => ['default' => 'array', 'stores' => ['array' => ['driver' => 'array', 'serialize' => true]], 'prefix' => ''],
            'database' => [
                'default' => 'sqlite',
                'connections' => [
                    'sqlite' => ['driver' => 'sqlite', 'database' => "$this->folder/database/shop.sqlite", 'prefix' => 'shop_'],
                ],
                'migrations' => 'migrations',
            ],
            'logging' => [
                'default' => 'single',
                'deprecations' => 'null',
                'channels' => [
                    'single' => ['driver' => 'single', 'path' => "$this->folder/storage/shop.log", 'level' => 'debug'],
                    'null' => ['driver' => 'monolog', 'handler' => \Monolog\Handler\NullHandler::class],
                ],
            ],
            'queue' => ['default' => 'sync', 'connections' => ['sync' => ['driver' => 'sync']]],
            'view' => ['paths' => ["$this->folder/resources/views"], 'compiled' => "$this->folder/storage/framework/views"],
        ];
    }
}
