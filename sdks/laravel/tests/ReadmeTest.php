<?php

declare(strict_types=1);

namespace Sanad\Laravel\Tests;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Route;
use Sanad\Laravel\Testing\SanadFake;
use Sanad\Sanad;

/** The code of the README, in a shop with the fake. */
final class ReadmeTest extends ShopTestCase
{
    public function testThePageAndTheListenerOfTheReadmeSellAnOrderOnce(): void
    {
        $readme = (string) file_get_contents(__DIR__ . '/../README.md');
        self::assertSame(3, preg_match_all('/```php\n(.*?)```/s', $readme, $blocks));
        [$page, $listener, $test] = $blocks[1];
        $shop = $this->shop();
        class_alias(Route::class, 'Route');
        foreach (['page' => $page, 'listener' => $listener] as $name => $code) {
            file_put_contents($shop->path("$name.php"), "<?php\n$code");
        }
        file_put_contents($shop->path('test.php'), "<?php\n" . str_replace('$fake = ', '$fake ??= ', $test) . "\nreturn \$answer;");
        require $shop->path('page.php');
        require $shop->path('listener.php');
        DB::statement('create table shop_orders (id text primary key, paid_by text, amount text, currency text)');
        DB::table('orders')->insert(['id' => 'A-1', 'amount' => '1500.00', 'currency' => 'YER']);

        $fake = SanadFake::install($shop->app);
        $open = static fn (): string => (string) $shop->handle(Request::create('/orders/A-1/pay'))->getContent();
        self::assertSame('pay: 1500.00 to 770000000', $open());
        self::assertSame('pay: 1500.00 to 770000000', $open());
        $intents = $shop->app->make(Sanad::class)->intents;
        [$intent] = iterator_to_array($intents->list(['external_order_id' => 'A-1']), false);
        $intents->attachReference($intentId = $intent['id'], '650900000004');
        self::assertSame('checking: 1500.00 to 770000000', $open());
        self::assertSame(204, (require $shop->path('test.php'))->getStatusCode());
        self::assertSame($intentId, DB::table('orders')->value('paid_by'));
        self::assertSame('paid: 1500.00 to 770000000', $open());
        $again = ['event' => 'payment.verified', 'order_id' => 'A-1', 'intent_id' => 'x', 'base_amount' => '1500.00', 'currency' => 'YER'];
        self::assertSame(204, $shop->handle(SanadFake::delivery($again))->getStatusCode());
        self::assertSame($intentId, DB::table('orders')->value('paid_by'));
        self::assertSame(1, substr_count($shop->log(), 'deliver A-1'));
    }
}
