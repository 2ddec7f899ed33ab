<?php

declare(strict_types=1);

namespace Sanad\Tests;

use PHPUnit\Framework\TestCase;
use Sanad\Http\TransportFault;
use Sanad\Sanad;
use Sanad\SanadConnectionError;
use Sanad\SanadError;
use Sanad\SanadWaitError;

/** The client against scripted answers: tokens, retries, lists, what is sent. No time passes. */
final class ClientTest extends TestCase
{
    private float $now = 1767323170.0;
    /** @var list<float> */
    private array $waits = [];

    private function open(ScriptedTransport $transport, ?ArrayCache $cache = null, string $secret = 's'): Sanad
    {
        $sleep = function (float $seconds): void {
            $this->waits[] = $seconds;
            $this->now += $seconds;
        };
        return new Sanad('https://pay.example.com/', 'id', $secret, $cache, $transport, now: fn (): float => $this->now, sleep: $sleep);
    }

    /** @return array<string, mixed> */
    private static function row(int $second, string $status = 'PENDING'): array
    {
        return ['id' => "i$second", 'created_at' => gmdate('Y-m-d\TH:i:s.000000\Z', 1767323170 + $second), 'status' => $status];
    }

    /**
     * @param list<array<string, mixed>> $results
     * @return array<string, mixed>
     */
    private static function page(array $results, ?string $next = null): array
    {
        return ['count' => 9, 'next' => $next, 'previous' => null, 'results' => $results];
    }

    public function testOneTokenServesTwoClientsOfAProcessAndIsRenewedBeforeItExpires(): void
    {
        $transport = new ScriptedTransport(array_fill(0, 4, ScriptedTransport::json(200, [])));
        $this->open($transport)->wallets->list();
        $this->open($transport)->wallets->list();
        self::assertSame(1, $transport->tokens);
        $this->now += 3539;
        $this->open($transport)->wallets->list();
        self::assertSame(1, $transport->tokens);
        $this->now += 2;
        $this->open($transport)->wallets->list();
        self::assertSame(2, $transport->tokens, 'a minute before its end');
        self::assertSame('Bearer token-2', $transport->sent[3]['headers']['authorization']);
    }

    public function testAnotherSecretHasAnotherToken(): void
    {
        $transport = new ScriptedTransport(array_fill(0, 2, ScriptedTransport::json(200, [])));
        $this->open($transport)->wallets->list();
        $this->open($transport, secret: 'other')->wallets->list();
        self::assertSame(2, $transport->tokens);
    }

    public function testTheCacheCarriesTheTokenToAnotherProcessAndNeverTheSecret(): void
    {
        $cache = new ArrayCache();
        $first = new ScriptedTransport([ScriptedTransport::json(200, [])]);
        $this->open($first, $cache, 'very-secret')->wallets->list();
        // Another transport has no memory of it, like another process.
        $second = new ScriptedTransport([ScriptedTransport::json(200, [])]);
        $this->open($second, $cache, 'very-secret')->wallets->list();
        self::assertSame([1, 0], [$first->tokens, $second->tokens]);
        self::assertSame([3540], array_values($cache->lifetimes));
        self::assertStringNotContainsString('very-secret', serialize($cache));
    }

    public function testACacheThatIsOutOfOrderStopsNoCall(): void
    {
        $cache = new ArrayCache();
        $cache->isBroken = true;
        $transport = new ScriptedTransport([ScriptedTransport::json(200, [])]);
        self::assertSame([], $this->open($transport, $cache)->wallets->list());
    }

    public function testARefusedTokenIsRenewedOnceAlsoInTheCache(): void
    {
        $cache = new ArrayCache();
        $refused = ScriptedTransport::error(401, 'not_authenticated');
        $transport = new ScriptedTransport([$refused, ScriptedTransport::json(200, [])]);
        $this->open($transport, $cache)->wallets->list();
        self::assertSame(2, $transport->tokens);
        self::assertSame('token-2', array_values($cache->values)[0]['value']);

        $revoked = new ScriptedTransport([$refused, $refused]);
        try {
            $this->open($revoked)->wallets->list();
            self::fail('it was answered');
        } catch (SanadError $fault) {
            self::assertSame([401, 'not_authenticated', 2], [$fault->status, $fault->errorCode(), $revoked->tokens]);
        }
    }

    public function testALostAnswerOfACreateIsRepeatedWithTheSameKeyAndAReplayIsReadAgain(): void
    {
        $intent = ['id' => 'one', 'status' => 'PENDING'];
        $transport = new ScriptedTransport([
            new TransportFault('lost'),
            ScriptedTransport::json(201, $intent, ['idempotent-replayed' => 'true']),
            ScriptedTransport::json(200, ['status' => 'VERIFIED'] + $intent),
        ]);
        $created = $this->open($transport)->intents->create(['wallet' => 'w', 'amount' => '5.00']);
        self::assertSame('VERIFIED', $created['status']);
        self::assertSame(['POST /merchant/intents/', 'POST /merchant/intents/', 'GET /merchant/intents/one/'], $transport->calls);
        $keys = array_map(static fn (array $sent): string => $sent['headers']['service-idempotency-key'] ?? '', $transport->sent);
        self::assertSame($keys[0], $keys[1]);
        self::assertCount(1, $this->waits);
    }

    public function testACreateThatNeverGetsAnAnswerSaysWhichKeyToRepeat(): void
    {
        $transport = new ScriptedTransport(array_fill(0, 4, new TransportFault('late', true)));
        try {
            $this->open($transport)->checkouts->create(['amount' => '5.00'], 'key-1');
            self::fail('it was answered');
        } catch (SanadConnectionError $fault) {
            self::assertSame(SanadConnectionError::TIMEOUT, $fault->reason);
            self::assertStringContainsString('with the idempotencyKey key-1', $fault->getMessage());
        }
        self::assertCount(4, $transport->calls);
    }

    public function testANewLinkIsSentOnceOnANewConnection(): void
    {
        $transport = new ScriptedTransport([new TransportFault('lost')]);
        try {
            $this->open($transport)->links->create(['amount' => '5.00']);
            self::fail('it was answered');
        } catch (SanadConnectionError $fault) {
            self::assertStringContainsString('look for it with links->list()', $fault->getMessage());
        }
        self::assertCount(1, $transport->calls);
        self::assertTrue($transport->sent[0]['once']);
    }

    public function testANumberIsNoAmountAndNothingIsSent(): void
    {
        $transport = new ScriptedTransport([]);
        $sanad = $this->open($transport);
        $calls = [
            'amount' => fn () => $sanad->intents->create(['wallet' => 'w', 'amount' => 5]),
            'items.0.price' => fn () => $sanad->checkouts->create(['items' => [['name' => 'x', 'price' => 1.5]]]),
            'min_amount' => fn () => $sanad->links->create(['min_amount' => 5.0]),
            'idempotencyKey' => fn () => $sanad->intents->create(['wallet' => 'w', 'amount' => '5'], "a\nb"),
            'id must be' => fn () => $sanad->intents->retrieve(''),
        ];
        foreach ($calls as $sentence => $call) {
            try {
                $call();
                self::fail("$sentence was taken");
            } catch (\InvalidArgumentException $fault) {
                self::assertStringContainsString($sentence, $fault->getMessage());
            }
        }
        self::assertSame(0, $transport->tokens);
    }

    public function testEmptyObjectsAreSentAsObjectsAndTextAsUtf8(): void
    {
        $transport = new ScriptedTransport([ScriptedTransport::json(201, ['id' => 'one'])]);
        $body = ['amount' => '5', 'metadata' => [], 'customer' => ['name' => 'علي'], 'items' => []];
        $this->open($transport)->checkouts->create($body);
        self::assertSame('{"amount":"5","metadata":{},"customer":{"name":"علي"},"items":[]}', $transport->sent[0]['body']);
    }

    public function testAnErrorSaysWhatToDoAndShowsNoSecret(): void
    {
        $headers = ['x-service-hint' => str_repeat('h', 999), 'x-service-ignored' => 'a%20b, c', 'x-request-id' => 'r1'];
        $transport = new ScriptedTransport([ScriptedTransport::error(400, 'required', $headers)]);
        $sanad = $this->open($transport, secret: 'very-secret');
        try {
            $sanad->intents->retrieve('x/y');
            self::fail('it was answered');
        } catch (SanadError $fault) {
            self::assertSame(['a b', 'c'], $fault->ignored);
            self::assertSame([300, 'r1', true], [strlen((string) $fault->hint), $fault->requestId, $fault->has('required')]);
            self::assertFalse($fault->has('required', 'amount'));
        }
        self::assertSame(['GET /merchant/intents/x%2Fy/'], $transport->calls);
        ob_start();
        var_dump($sanad);
        self::assertStringNotContainsString('very-secret', (string) ob_get_clean());
    }

    public function testSomethingElseThatAnswersIsNotSanad(): void
    {
        foreach (['<html>', '', '{"id":"i', '5', 'null'] as $text) {
            $transport = new ScriptedTransport([new \Sanad\Http\HttpAnswer(200, [], $text)]);
            try {
                $this->open($transport)->intents->retrieve('one');
                self::fail("$text was taken");
            } catch (SanadConnectionError $fault) {
                self::assertSame([SanadConnectionError::NOT_SANAD, 200], [$fault->reason, $fault->status]);
            }
        }
    }

    public function testAListGoesOnAtTheTimeOfItsLastRowAndReturnsEachRowOnce(): void
    {
        $next = 'https://pay.example.com/api/v1/merchant/intents/?page=2';
        $transport = new ScriptedTransport([
            ScriptedTransport::json(200, self::page([self::row(3), self::row(2)], $next)),
            ScriptedTransport::json(200, self::page([self::row(2), self::row(1)])),
        ]);
        $ids = array_column(iterator_to_array($this->open($transport)->intents->list(['page_size' => 2]), false), 'id');
        self::assertSame(['i3', 'i2', 'i1'], $ids);
        self::assertSame('GET /merchant/intents/?page_size=2&created_before=2026-01-02T03%3A06%3A12.000000Z', $transport->calls[1]);
    }

    public function testAListInAscendingOrderReadsTheLastTenSecondsAgain(): void
    {
        $next = 'https://pay.example.com/api/v1/merchant/intents/?page=2';
        $transport = new ScriptedTransport([
            ScriptedTransport::json(200, self::page([self::row(0), self::row(60)], $next)),
            ScriptedTransport::json(200, self::page([self::row(55), self::row(60)], $next)),
            ScriptedTransport::json(200, self::page([self::row(61)])),
        ]);
        $list = $this->open($transport)->intents->list(['ordering' => 'created_at', 'page_size' => 2]);
        self::assertSame(['i0', 'i60', 'i55', 'i61'], array_column(iterator_to_array($list, false), 'id'));
        self::assertStringContainsString('created_after=2026-01-02T03%3A07%3A00.000000Z', $transport->calls[1]);
        self::assertStringContainsString('page=2', $transport->calls[2]);
    }

    public function testAFilterTakesListsAndTimes(): void
    {
        $transport = new ScriptedTransport([ScriptedTransport::json(200, self::page([]))]);
        $since = new \DateTimeImmutable('2026-01-02 06:06:10.25', new \DateTimeZone('Asia/Aden'));
        $this->open($transport)->intents->page(['status' => ['VERIFIED', 'EXPIRED'], 'created_after' => $since, 'page' => 'last']);
        $query = 'status=VERIFIED%2CEXPIRED&created_after=2026-01-02T03%3A06%3A10.250000Z&page=last';
        self::assertSame(["GET /merchant/intents/?$query"], $transport->calls);
    }

    public function testWaitingReadsLessAndLessOftenAndEndsInTime(): void
    {
        $pending = ScriptedTransport::json(200, ['id' => 'one', 'status' => 'PENDING', 'reference' => '']);
        $transport = new ScriptedTransport(array_fill(0, 8, $pending));
        try {
            $this->open($transport)->intents->wait('one', timeout: 10);
            self::fail('it ended');
        } catch (SanadWaitError $fault) {
            self::assertSame('one', $fault->intent['id']);
        }
        self::assertSame([2.0, 3.0, 4.5, 0.5], $this->waits);
        $attached = ScriptedTransport::json(200, ['id' => 'one', 'status' => 'PENDING', 'reference' => 'R']);
        $transport = new ScriptedTransport([$pending, $attached]);
        $found = $this->open($transport)->intents->wait('one', static fn (array $intent): bool => $intent['reference'] !== '');
        self::assertSame('R', $found['reference']);
    }

    public function testWrongSettingsAreRefusedAtOnce(): void
    {
        $settings = [
            ['pay.example.com', 'id', 's'],
            ['https://user:x@pay.example.com', 'id', 's'],
            ['https://pay.example.com/?a', 'id', 's'],
            ['https://pay.example.com', '', 's'],
            ['https://pay.example.com', 'id', "s\n"],
        ];
        foreach ($settings as $one) {
            try {
                new Sanad(...$one);
                self::fail("$one[0] was taken");
            } catch (\InvalidArgumentException) {
                self::addToAssertionCount(1);
            }
        }
        foreach ([0.0, -1.0, NAN, INF] as $timeout) {
            try {
                new Sanad('https://pay.example.com', 'id', 's', timeout: $timeout);
                self::fail("$timeout was taken");
            } catch (\InvalidArgumentException) {
                self::addToAssertionCount(1);
            }
        }
    }
}
