<?php
declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use Sanad\WooCommerce\Decision;
use Sanad\WooCommerce\Reading;

/** What becomes of an order, from the intents as the API has them. */
final class DecisionTest extends TestCase
{
    private const WALLET = ['id' => 'w1', 'is_test' => false];
    private const TEST_WALLET = ['id' => 't1', 'is_test' => true];

    /** @return array<string, mixed> */
    private static function intent(string $id, string $status, string $base, array $more = []): array
    {
        return [
            'id' => $id,
            'status' => $status,
            'base_amount' => $base,
            'payable_amount' => $base,
            'paid_amount' => null,
            'currency' => 'YER',
            'reference' => "ref-$id",
            'manual_override' => false,
            'wallet' => self::WALLET,
            ...$more,
        ];
    }

    /** @param list<array<string, mixed>> $intents @param list<string> $known */
    private static function decide(array $intents, string $state = 'payable', array $known = [], bool $testMode = false, string $currency = 'YER'): Decision
    {
        return Decision::of(Reading::of($intents, $testMode), $state, 150000, $currency, $known);
    }

    public function testTheExactAmountPaysTheOrder(): void
    {
        $decision = self::decide([self::intent('a', 'VERIFIED', '1500.00')]);
        self::assertSame('pay', $decision->act);
        self::assertSame([], $decision->notes);
    }

    /** @dataProvider nothing */
    public function testWithoutMoneyNothingChanges(array $intents): void
    {
        $decision = self::decide($intents);
        self::assertSame(['', [], []], [$decision->act, $decision->notes, $decision->known]);
    }

    /** @return array<string, array{list<array<string, mixed>>}> */
    public static function nothing(): array
    {
        return [
            'no payment request' => [[]],
            'one that waits' => [[self::intent('a', 'PENDING', '1500.00')]],
            'one whose time is over' => [[self::intent('a', 'EXPIRED', '1500.00'), self::intent('b', 'CANCELLED', '1500.00')]],
            'a status that is not known' => [[self::intent('a', 'SETTLED', '1500.00')]],
            'an amount that is none' => [[self::intent('a', 'VERIFIED', 'NaN')]],
        ];
    }

    public function testTwoPartsPayTheOrder(): void
    {
        $parts = [self::intent('a', 'VERIFIED', '1000.00'), self::intent('b', 'VERIFIED', '500.00')];
        self::assertSame('pay', self::decide($parts)->act);
    }

    public function testAPartPutsTheOrderOnHoldAndNamesTheRestOnce(): void
    {
        $part = [self::intent('a', 'VERIFIED', '1000.00')];
        $first = self::decide($part);
        self::assertSame(['hold', 50000, [['part', 100000]]], [$first->act, $first->rest, $first->notes]);
        $again = self::decide($part, 'payable', $first->known);
        self::assertSame(['', []], [$again->act, $again->notes]);
        $rest = self::decide([...$part, self::intent('b', 'VERIFIED', '500.00')], 'payable', $first->known);
        self::assertSame('pay', $rest->act);
    }

    public function testAnotherAmountPutsTheOrderOnHoldAndPaysNothing(): void
    {
        $wrong = self::decide([self::intent('a', 'WRONG_AMOUNT', '1500.00', ['paid_amount' => '1400.00'])]);
        self::assertSame(['hold', 10000, [['wrong', 140000]]], [$wrong->act, $wrong->rest, $wrong->notes]);
        $tooMuch = self::decide([self::intent('a', 'WRONG_AMOUNT', '1500.00', ['paid_amount' => '1600.00'])]);
        self::assertSame(['hold', 0, [['wrong', 160000]]], [$tooMuch->act, $tooMuch->rest, $tooMuch->notes]);
    }

    public function testMoreThanTheOrderPutsItOnHold(): void
    {
        $paid = [self::intent('a', 'VERIFIED', '1500.00'), self::intent('b', 'VERIFIED', '1500.00')];
        $decision = self::decide($paid);
        self::assertSame(['hold', 0, [['over', 300000]]], [$decision->act, $decision->rest, $decision->notes]);
    }

    public function testABookedAmountIsCountedOnce(): void
    {
        $intents = [
            self::intent('a', 'WRONG_AMOUNT', '1500.00', ['paid_amount' => '1400.00']),
            self::intent('b', 'VERIFIED', '1400.00', ['manual_override' => true, 'reference' => '']),
        ];
        $decision = self::decide($intents);
        self::assertSame(['hold', 10000, [['part', 140000]]], [$decision->act, $decision->rest, $decision->notes]);
    }

    public function testAUniqueAmountCountsForTheOrder(): void
    {
        $unique = self::intent('a', 'VERIFIED', '1500.00', ['payable_amount' => '1503.00', 'reference' => '']);
        self::assertSame('pay', self::decide([$unique])->act);
    }

    public function testLateMoneyOfACancelledOrderIsNotedOnceAndChangesNothing(): void
    {
        $paid = [self::intent('a', 'VERIFIED', '1500.00')];
        $first = self::decide($paid, 'ended');
        self::assertSame(['', [['late', 150000]]], [$first->act, $first->notes]);
        self::assertSame([], self::decide($paid, 'ended', $first->known)->notes);
        // The shop has restored the order: now it is paid.
        self::assertSame('pay', self::decide($paid, 'payable', $first->known)->act);
    }

    public function testMoneyThatPaidAnOrderIsNotLateWhenTheOrderIsCancelledAfterwards(): void
    {
        $paid = [self::intent('a', 'VERIFIED', '1500.00')];
        $known = self::decide($paid)->known;
        self::assertSame([], self::decide($paid, 'ended', $known)->notes);
        self::assertSame([], self::decide($paid, 'settled', $known)->notes);
        $twice = self::decide([...$paid, self::intent('b', 'VERIFIED', '1500.00')], 'settled', $known);
        self::assertSame(['', [['besides', 150000]]], [$twice->act, $twice->notes]);
    }

    public function testTestMoneyPaysNothingUnlessTheShopIsInTestMode(): void
    {
        $test = [self::intent('a', 'VERIFIED', '1500.00', ['wallet' => self::TEST_WALLET])];
        $decision = self::decide($test);
        self::assertSame(['', [['test', 150000]]], [$decision->act, $decision->notes]);
        self::assertSame('pay', self::decide($test, 'payable', [], true)->act);
        // A wallet of which nothing is known counts as one for tests.
        self::assertSame('', self::decide([self::intent('a', 'VERIFIED', '1500.00', ['wallet' => null])])->act);
    }

    public function testAnotherCurrencyPaysNothing(): void
    {
        $dollars = self::decide([self::intent('a', 'VERIFIED', '1500.00')], 'payable', [], false, 'USD');
        self::assertSame(['hold', [['currency', 150000]]], [$dollars->act, $dollars->notes]);
        self::assertSame('hold', self::decide([self::intent('a', 'VERIFIED', '1500.00', ['currency' => 'SAR'])])->act);
    }

    public function testAnyOrderOfReadingsEndsTheSame(): void
    {
        mt_srand(20260101);
        for ($run = 0; $run < 200; $run++) {
            $known = [];
            $paid = 0;
            $intents = [];
            for ($step = 0; $step < 6; $step++) {
                $minor = [50000, 100000, 150000][mt_rand(0, 2)];
                $amount = sprintf('%d.00', $minor / 100);
                $intents[] = mt_rand(0, 1) === 1
                    ? self::intent("i$step", 'VERIFIED', $amount)
                    : self::intent("i$step", 'WRONG_AMOUNT', '1500.00', ['paid_amount' => $amount]);
                foreach ([1, 2] as $repeat) {
                    $decision = self::decide($intents, $paid > 0 ? 'settled' : 'payable', $known);
                    $known = $decision->known;
                    if ($decision->act === 'pay') {
                        $paid++;
                        self::assertSame(150000, Reading::of($intents, false)->arrived());
                    }
                    if ($repeat === 2) {
                        self::assertSame([], $decision->notes);
                    }
                }
            }
            self::assertLessThanOrEqual(1, $paid);
        }
    }
}
