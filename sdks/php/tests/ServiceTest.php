<?php

declare(strict_types=1);

namespace Sanad\Tests;

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\HttpFactory;
use PHPUnit\Framework\TestCase;
use Sanad\ErrorCode;
use Sanad\Http\Psr18Transport;
use Sanad\MemoryStore;
use Sanad\Sanad;
use Sanad\SanadError;
use Sanad\StartedCheckout;

/** The SDK against the service that sdks/test/php-sdk.test.ts has started. */
final class ServiceTest extends TestCase
{
    private static function env(string $name): string
    {
        $value = getenv($name);
        return is_string($value) && $value !== '' ? $value : throw new \LogicException("$name is not set");
    }

    private static function open(?Psr18Transport $transport = null): Sanad
    {
        [$url, $id, $secret] = array_map(self::env(...), ['SANAD_URL', 'SANAD_CLIENT_ID', 'SANAD_CLIENT_SECRET']);
        return new Sanad($url, $id, $secret, transport: $transport);
    }

    /**
     * What a test does beside the SDK: money arrives, time passes.
     *
     * @param array<string, mixed> $facts
     */
    private static function control(string $what, array $facts): void
    {
        $context = ['http' => ['method' => 'POST', 'content' => json_encode($facts), 'header' => 'content-type: application/json']];
        $answer = file_get_contents(self::env('SANAD_CONTROL') . "/$what", false, stream_context_create($context));
        self::assertSame('done', $answer);
    }

    public function testAPaymentOnYourOwnPage(): void
    {
        $sanad = self::open();
        $wallet = self::env('SANAD_WALLET');
        self::assertContains($wallet, array_column($sanad->wallets->list(), 'id'));
        $test = array_filter($sanad->wallets->list(includeTest: true), static fn (array $one): bool => $one['is_test']);
        self::assertCount(1, $test);

        $intent = $sanad->intents->create(['wallet' => $wallet, 'amount' => '1500', 'external_order_id' => 'PHP-1'], 'php-key-1');
        self::assertSame('1500.00', $intent['base_amount']);
        $again = $sanad->intents->create(['wallet' => $wallet, 'amount' => '1500', 'external_order_id' => 'PHP-1'], 'php-key-1');
        self::assertSame($intent['id'], $again['id']);
        self::assertSame('PENDING', $sanad->intents->attachReference($intent['id'], '660700000001')['status']);
        self::control('pay', ['amount' => '1500.00', 'reference' => '660700000001']);
        self::assertSame('VERIFIED', $sanad->intents->wait($intent['id'], timeout: 20)['status']);
        self::assertSame('VERIFIED', $sanad->intents->attachReference($intent['id'], ' 660700000001')['status'], 'safe to repeat');
        try {
            $sanad->intents->attachReference($intent['id'], '660700000002');
            self::fail('it was taken');
        } catch (SanadError $fault) {
            self::assertTrue($fault->has(ErrorCode::INTENT_NOT_PENDING));
            self::assertNotNull($fault->requestId);
        }
    }

    public function testEveryWrongFieldIsNamed(): void
    {
        try {
            self::open()->intents->create(['wallet' => 'no-wallet', 'amount' => '0.001', 'order' => 'A-1']);
            self::fail('it was taken');
        } catch (SanadError $fault) {
            self::assertSame(400, $fault->status);
            self::assertSame('validation_error', $fault->type);
            self::assertSame(['wallet', 'amount'], array_column($fault->errors, 'attr'));
            self::assertSame(['order'], $fault->ignored);
        }
    }

    public function testACheckoutIsMadeOnceListedAndCancelledTwice(): void
    {
        $sanad = self::open();
        $body = ['amount' => '300.00', 'external_order_id' => 'PHP-2', 'metadata' => ['basket' => '7'], 'customer' => []];
        $made = $sanad->checkouts->create($body, 'php-key-2');
        self::assertSame($made['id'], $sanad->checkouts->create($body, 'php-key-2')['id']);
        self::assertStringContainsString('/pay/', $made['url']);
        self::assertSame('CANCELLED', $sanad->checkouts->cancel($made['id'])['status']);
        self::assertSame('CANCELLED', $sanad->checkouts->cancel($made['id'])['status']);
        $listed = iterator_to_array($sanad->checkouts->list(['external_order_id' => 'PHP-2']), false);
        self::assertSame([[$made['id'], 'CANCELLED']], array_map(static fn (array $one): array => [$one['id'], $one['status']], $listed));
        self::assertSame(1, $sanad->checkouts->page(['status' => ['CANCELLED'], 'external_order_id' => 'PHP-2'])['count']);
    }

    public function testALinkIsMadeFoundAndSwitchedOff(): void
    {
        $sanad = self::open();
        $link = $sanad->links->create(['amount' => '250.00', 'metadata' => ['mark' => 'php']]);
        self::assertTrue($sanad->links->retrieve($link['id'])['active']);
        self::assertFalse($sanad->links->update($link['id'], ['active' => false])['active']);
        $found = array_filter(
            iterator_to_array($sanad->links->list(['page_size' => 1]), false),
            static fn (array $one): bool => ($one['metadata']['mark'] ?? '') === 'php',
        );
        self::assertCount(1, $found);
        self::assertGreaterThan(0, $sanad->links->page()['count']);
    }

    public function testAListReturnsEveryRowOnceInBothOrders(): void
    {
        $sanad = self::open();
        $ids = [];
        for ($n = 0; $n < 5; $n++) {
            $body = ['wallet' => self::env('SANAD_WALLET'), 'amount' => '10.00', 'external_order_id' => 'PHP-LIST'];
            $ids[] = $sanad->intents->create($body)['id'];
            self::control('advance', ['ms' => $n === 2 ? 60_000 : 0]);
        }
        foreach (['created_at', '-created_at', 'status'] as $ordering) {
            $filter = ['external_order_id' => 'PHP-LIST', 'ordering' => $ordering, 'page_size' => 2];
            $found = array_column(iterator_to_array($sanad->intents->list($filter), false), 'id');
            self::assertEqualsCanonicalizing($ids, $found, $ordering);
        }
    }

    public function testStartKeepsOneLiveIntentAndAsksNobodyTwice(): void
    {
        $sanad = self::open();
        $wallet = self::env('SANAD_WALLET');
        $store = new MemoryStore();
        $start = static fn (string $amount = '70.00', bool $again = false, string $order = 'PHP-3'): StartedCheckout =>
            $sanad->checkout->start($order, $wallet, $store, $amount, again: $again);
        $first = $start();
        self::assertSame([StartedCheckout::PAY, 1, '70.00', '0.00'], [$first->state, $first->attempt, $first->asked, $first->paid]);
        self::assertSame($first->intent['id'], $start('70')->intent['id']);
        // Another amount begins another attempt; the first intent stays open.
        $second = $start('80.00');
        self::assertNotSame($first->intent['id'], $second->intent['id']);
        // A store that was lost: the order is the same, a new attempt is begun, and what is paid is seen.
        self::control('advance', ['ms' => 3_600_000]);
        $third = $start('80.00');
        self::assertSame(3, $third->attempt);
        $sanad->intents->attachReference($third->intent['id'], '660700000010');
        self::assertSame(StartedCheckout::CHECKING, $start('80.00')->state);
        self::control('pay', ['amount' => '75.00', 'reference' => '660700000010']);
        $wrong = $start('80.00');
        self::assertSame([StartedCheckout::WRONG_AMOUNT, '75.00'], [$wrong->state, $wrong->intent['paid_amount']]);
        $fourth = $start('80.00', true);
        self::assertSame([StartedCheckout::PAY, 4], [$fourth->state, $fourth->attempt]);
        $sanad->intents->attachReference($fourth->intent['id'], '660700000011');
        self::control('pay', ['amount' => '80.00', 'reference' => '660700000011']);
        $paid = $sanad->checkout->start('PHP-3', $wallet, new MemoryStore(), '90.00');
        self::assertSame([StartedCheckout::PAID, 0, '90.00', '80.00'], [$paid->state, $paid->attempt, $paid->asked, $paid->paid]);
        $ignored = $sanad->checkout->start('PHP-3', $wallet, new MemoryStore(), '90.00', again: true, ignore: [$paid->intent['id']]);
        self::assertSame(StartedCheckout::PAY, $ignored->state);
    }

    public function testTestMoneyPaysNoRealOrder(): void
    {
        $sanad = self::open();
        $start = static fn (string $wallet): StartedCheckout =>
            $sanad->checkout->start('PHP-4', $wallet, new MemoryStore(), '60.00');
        $test = $start(self::env('SANAD_TEST_WALLET'));
        $sanad->intents->attachReference($test->intent['id'], 'TEST-PHP-4');
        self::control('pay', ['amount' => '60.00', 'reference' => 'TEST-PHP-4', 'test' => true]);
        self::assertSame(StartedCheckout::PAID, $start(self::env('SANAD_TEST_WALLET'))->state);
        self::assertSame(StartedCheckout::PAY, $start(self::env('SANAD_WALLET'))->state);
    }

    public function testAnotherHttpClientByPsr18(): void
    {
        $factory = new HttpFactory();
        $client = new Client(['timeout' => 10, 'allow_redirects' => false, 'http_errors' => false]);
        $sanad = self::open(new Psr18Transport($client, $factory, $factory));
        $intent = $sanad->intents->create(['wallet' => self::env('SANAD_WALLET'), 'amount' => '12.00']);
        self::assertSame('12.00', $sanad->intents->retrieve($intent['id'])['base_amount']);
        try {
            $sanad->intents->retrieve('no-id');
            self::fail('it was found');
        } catch (SanadError $fault) {
            self::assertSame(404, $fault->status);
        }
    }
}
