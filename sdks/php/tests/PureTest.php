<?php

declare(strict_types=1);

namespace Sanad\Tests;

use PHPUnit\Framework\TestCase;
use Sanad\Internal\Amounts;
use Sanad\Internal\Arguments;
use Sanad\Internal\OrderPayments;
use Sanad\Internal\Retry;
use Sanad\SanadConnectionError;
use Sanad\SanadError;

/** Rules without a network: amounts, retries, arguments. */
final class PureTest extends TestCase
{
    public function testAmountsAreExactAndReadOnlyInTheUsualForm(): void
    {
        self::assertSame('0.30', Amounts::decimal(30));
        self::assertSame('0.05', Amounts::decimal(5));
        self::assertSame('999999999999.99', Amounts::decimal(99_999_999_999_999));
        foreach (['1500' => 150000, '1500.5' => 150050, ' +1500.00 ' => 150000, '0.07' => 7] as $text => $minor) {
            self::assertSame($minor, Amounts::minorOf((string) $text));
        }
        foreach ([null, 5, 1.5, '', '-1', '1e3', '1.005', '1,5', '١٥', "1\n2"] as $other) {
            self::assertNull(Amounts::minorOf($other));
        }
        self::assertSame(30, Amounts::totalOf('9.00', [['name' => 'Tea', 'price' => '0.10', 'quantity' => 3]]));
        self::assertSame(900, Amounts::totalOf('9.00', []));
        self::assertNull(Amounts::totalOf(null, [['name' => 'x', 'price' => '1', 'quantity' => 1.5]]));
        $huge = ['name' => 'x', 'price' => '999999999999.99', 'quantity' => PHP_INT_MAX];
        self::assertNull(Amounts::totalOf(null, [$huge]), 'beyond the whole numbers of PHP');
    }

    public function testWhatIsSentAgainAndAfterWhichWait(): void
    {
        $wait = static fn (SanadError|SanadConnectionError $fault, int $attempt = 1, bool $isRepeatable = true): ?float =>
            Retry::wait($fault, $attempt, 3, 60.0, 1.0, $isRepeatable);
        $error = static fn (int $status, ?float $after = null): SanadError =>
            new SanadError($status, 'client_error', [['code' => 'x', 'detail' => '', 'attr' => null]], $after);
        $lost = new SanadConnectionError(SanadConnectionError::UNREACHABLE, 'lost');
        self::assertSame([0.5, 1.0, 2.0, null], array_map(static fn (int $n): ?float => $wait($lost, $n), [1, 2, 3, 4]));
        foreach ([408, 409, 429, 500, 502, 503, 504] as $status) {
            self::assertNotNull($wait($error($status)));
        }
        foreach ([400, 401, 403, 404, 422] as $status) {
            self::assertNull($wait($error($status)));
        }
        self::assertSame(7.125, $wait($error(429, 7.0)));
        self::assertNull($wait($error(429, 61.0)), 'a wait of more than a minute is the caller’s');
        self::assertNull($wait($lost, 1, false));
        self::assertNull($wait($error(503), 1, false));
        self::assertSame(7.125, $wait($error(429, 7.0), 1, false), 'a 429 has created nothing');
        self::assertNull($wait(new SanadConnectionError(SanadConnectionError::NOT_SANAD, 'a page', 200)));
        self::assertNotNull($wait(new SanadConnectionError(SanadConnectionError::NOT_SANAD, 'a page', 502)));
    }

    public function testRetryAfterIsANumberOrADate(): void
    {
        self::assertSame(120.0, Retry::afterSeconds(' 120 ', 0));
        self::assertSame(30.0, Retry::afterSeconds('Fri, 02 Jan 2026 03:06:40 GMT', 1767323170.0));
        self::assertSame(0.0, Retry::afterSeconds('Fri, 02 Jan 2015 03:06:40 GMT', 1767323170.0));
        foreach ([null, '', 'soon', '-1', 'tomorrow', '1.5'] as $other) {
            self::assertNull(Retry::afterSeconds($other, 0));
        }
    }

    public function testAnOrderNumberIsTrimmedAsTheServiceDoes(): void
    {
        self::assertSame('A 1', Arguments::orderIdOf("\u{3000}\t A 1\u{a0}\r\n"));
        self::assertSame("\u{feff}A", Arguments::orderIdOf("\u{feff}A"), 'a byte order mark stays');
        foreach (['', " \u{2007}", "\xff", str_repeat('x', 2000)] as $wrong) {
            try {
                Arguments::orderIdOf($wrong);
                self::fail('it was taken');
            } catch (\InvalidArgumentException $fault) {
                self::assertStringContainsString('order number', $fault->getMessage());
            }
        }
    }

    public function testAKeyIsARandomUuid(): void
    {
        $keys = array_map(static fn (): string => Arguments::newKey(), range(1, 50));
        self::assertCount(50, array_unique($keys));
        foreach ($keys as $key) {
            self::assertMatchesRegularExpression('/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/D', $key);
        }
    }

    public function testRequestsAreTheSameHoweverAnAmountIsWrittenAndInWhateverOrderADatabaseGivesFields(): void
    {
        $same = static fn (array $a, array $b): bool => OrderPayments::isSameRequest(['wallet' => 'w'] + $a, ['wallet' => 'W'] + $b);
        self::assertTrue($same(['amount' => '5'], ['amount' => '5.00', 'notes' => 'x']));
        self::assertFalse($same(['amount' => '5'], ['amount' => '5.01']));
        self::assertTrue($same(['items' => [['a' => 1, 'b' => 2]]], ['items' => [['b' => 2, 'a' => 1]]]));
        self::assertFalse($same(['items' => [['a' => 1]]], ['items' => [['a' => '1']]]));
    }
}
