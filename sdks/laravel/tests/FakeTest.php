<?php

declare(strict_types=1);

namespace Sanad\Laravel\Tests;

use Sanad\CheckoutStore;
use Sanad\Laravel\Events\PaymentVerified;
use Sanad\Laravel\Testing\SanadFake;
use Sanad\Sanad;
use Sanad\SanadError;

/** The same order in a shop with the fake and in a shop with the service that sdks/test/laravel.test.ts has started. */
final class FakeTest extends ShopTestCase
{
    /**
     * @param \Closure(string, string, string): mixed $pay Gets the id of the intent, the reference and the amount.
     * @return list<mixed> What a shop sees.
     */
    private static function story(Shop $shop, string $wallet, \Closure $pay): array
    {
        [$sanad, $store] = [$shop->app->make(Sanad::class), $shop->app->make(CheckoutStore::class)];
        $start = static fn (string $order, bool $again = false) => $sanad->checkout->start(
            $order,
            $wallet,
            $store,
            items: [['name' => 'خبز', 'price' => '500', 'quantity' => 3]],
            again: $again,
        );
        $seen = [];
        $first = $start('LARAVEL-1');
        $seen[] = [$first->state, $first->attempt, $first->asked, $first->intent['payable_amount'], $first->intent['items'][0]['total_price']];
        $seen[] = $start('LARAVEL-1')->intent['id'] === $first->intent['id'];
        $seen[] = $sanad->intents->attachReference($first->intent['id'], ' 650900000001 ')['reference'];
        $seen[] = $start('LARAVEL-1')->state;
        $other = $start('LARAVEL-2');
        $seen[] = self::codeOf(static fn () => $sanad->intents->attachReference($other->intent['id'], '650900000001'));
        $pay($first->intent['id'], '650900000001', '1500.00');
        $paid = $start('LARAVEL-1');
        $seen[] = [$paid->state, $paid->paid, $paid->intent['status'], $paid->intent['paid_amount']];
        $seen[] = self::codeOf(static fn () => $sanad->intents->attachReference($first->intent['id'], '650900000009'));
        $sanad->intents->attachReference($other->intent['id'], '650900000002');
        $pay($other->intent['id'], '650900000002', '1400.00');
        $wrong = $start('LARAVEL-2');
        $seen[] = [$wrong->state, $wrong->intent['paid_amount'], $wrong->intent['verified_at']];
        $seen[] = [$start('LARAVEL-2', again: true)->attempt, count(iterator_to_array($sanad->intents->list(['external_order_id' => 'LARAVEL-2'])))];
        $seen[] = self::codeOf(static fn () => $sanad->intents->retrieve('00000000-0000-4000-8000-00000000ffff'));
        $seen[] = self::codeOf(static fn () => $sanad->intents->create(['wallet' => $wallet, 'amount' => '0']));
        $seen[] = $sanad->intents->create(['wallet' => $wallet, 'amount' => '7'], 'laravel-key')['id']
            === $sanad->intents->create(['wallet' => $wallet, 'amount' => '7'], 'laravel-key')['id'];
        $fields = array_keys($wrong->intent);
        sort($fields);
        $seen[] = $fields;
        foreach (['wallet', 'provider'] as $name) {
            $inner = array_keys($wrong->intent[$name]);
            sort($inner);
            $seen[] = $inner;
        }
        return $seen;
    }

    /** @param \Closure(): mixed $call */
    private static function codeOf(\Closure $call): string
    {
        try {
            $call();
            return 'no error';
        } catch (SanadError $fault) {
            return "$fault->status {$fault->errors[0]['attr']} {$fault->errorCode()}";
        }
    }

    public function testTheFakeAnswersAsTheServiceDoes(): void
    {
        $real = $this->shop([
            'url' => getenv('SANAD_URL'),
            'client_id' => getenv('SANAD_CLIENT_ID'),
            'client_secret' => getenv('SANAD_CLIENT_SECRET'),
        ]);
        $real->artisan('migrate');
        $pay = static function (string $id, string $reference, string $amount): void {
            $http = ['method' => 'POST', 'header' => 'content-type: application/json', 'content' => json_encode(['reference' => $reference, 'amount' => $amount])];
            $context = stream_context_create(['http' => $http]);
            self::assertSame('done', file_get_contents(getenv('SANAD_CONTROL') . '/pay', false, $context));
        };
        $expected = self::story($real, (string) getenv('SANAD_WALLET'), $pay);

        $shop = $this->shop();
        $fake = SanadFake::install($shop->app);
        $payFake = static fn (string $id, string $reference, string $amount): array => $fake->pay($id, $amount);
        self::assertSame($expected, self::story($shop, SanadFake::WALLET, $payFake));
        // The token is in the cache of the application, the secret is not.
        $cached = serialize($real->app['cache']->store()->getStore());
        self::assertStringContainsString('sanad_token_', $cached);
        self::assertStringNotContainsString((string) getenv('SANAD_CLIENT_SECRET'), $cached);
    }

    public function testTheEventsOfTheFakeHaveTheFieldsOfTheContract(): void
    {
        $types = (string) file_get_contents(__DIR__ . '/../../php/src/Api.php');
        $shop = $this->shop();
        $fake = SanadFake::install($shop->app);
        $intents = $shop->app->make(Sanad::class)->intents;
        foreach (['PaymentVerified' => '20.00', 'PaymentWrongAmount' => '19.00'] as $type => $amount) {
            $intent = $intents->create(['wallet' => SanadFake::WALLET, 'amount' => '20']);
            $intents->attachReference($intent['id'], "65090000001$amount");
            self::assertSame(1, preg_match("/phpstan-type $type array\{\n(.*?)\n \* \}/s", $types, $found));
            preg_match_all('/^ \*   (\w+):/m', $found[1], $fields);
            self::assertEqualsCanonicalizing($fields[1], array_keys($fake->pay($intent['id'], $amount)), $type);
        }
    }

    public function testAPaymentOfTheFakeReachesTheListenersOfTheShop(): void
    {
        $shop = $this->shop();
        $fake = SanadFake::install($shop->app);
        $sanad = $shop->app->make(Sanad::class);
        [$wallet] = $sanad->wallets->list();
        $started = $sanad->checkout->start('A-1', $wallet['id'], $shop->app->make(CheckoutStore::class), amount: '1500');
        $sanad->intents->attachReference($started->intent['id'], '650900000003');
        $paid = [];
        $shop->app['events']->listen(PaymentVerified::class, static function (PaymentVerified $event) use (&$paid): void {
            $paid[] = [$event->event['order_id'], $event->event['base_amount'], $event->delivery->isTest];
        });
        $answer = $shop->handle(SanadFake::delivery($fake->pay($started->intent['id'])));
        self::assertSame([204, [['A-1', '1500.00', false]]], [$answer->getStatusCode(), $paid]);
        $this->expectException(\LogicException::class);
        $sanad->links->page();
    }
}
