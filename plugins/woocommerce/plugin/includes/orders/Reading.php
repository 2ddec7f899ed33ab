<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * Pure. What arrived for one order, from all its intents in Sanad: those of every page, of every attempt, and those that a member made
 * by booking late money or accepting another amount. Money of the test wallet counts for nothing, unless the shop is in test mode.
 */
final class Reading
{
    /**
     * @param array<string, int> $paid The verified intents and what they count for.
     * @param array<string, int> $wrong Intents for which another amount arrived that nobody has booked: what arrived.
     * @param array<string, int> $test Intents with test money that is not counted.
     * @param list<string> $references The wallets' numbers of the verified intents.
     * @param bool $isOtherCurrency Money arrived in another currency than the plugin collects.
     */
    private function __construct(
        public readonly array $paid,
        public readonly array $wrong,
        public readonly array $test,
        public readonly array $references,
        public readonly bool $isOtherCurrency,
    ) {
    }

    /** @param list<array<string, mixed>> $intents As the merchant API has them. */
    public static function of(array $intents, bool $testMode): self
    {
        $paid = $wrong = $test = $references = $booked = $other = [];
        $isOtherCurrency = false;
        foreach ($intents as $intent) {
            $id = self::text($intent, 'id');
            $status = self::text($intent, 'status');
            if ($id === '' || ($status !== 'VERIFIED' && $status !== 'WRONG_AMOUNT')) {
                continue;
            }
            if (self::text($intent, 'currency') !== Money::CURRENCY) {
                $isOtherCurrency = true;
                continue;
            }
            $isPaid = $status === 'VERIFIED';
            $minor = Money::toMinor($isPaid ? self::counted($intent) : self::text($intent, 'paid_amount'));
            if ($minor === null || $minor <= 0) {
                continue;
            }
            $wallet = is_array($intent['wallet'] ?? null) ? $intent['wallet'] : [];
            $reference = self::text($intent, 'reference');
            if (($wallet['is_test'] ?? true) !== false && !$testMode) {
                $test[$id] = $minor;
            } elseif ($isPaid) {
                $paid[$id] = $minor;
                if ($reference !== '') {
                    $references[] = $reference;
                }
            } else {
                $other[$id] = $minor;
            }
            // A booking is a later intent over what arrived, of the same wallet and without a reference of its own.
            if ($isPaid && $reference === '') {
                $payable = Money::toMinor(self::text($intent, 'payable_amount'));
                $mark = self::text($wallet, 'id') . ' ' . $payable;
                $booked[$mark] = ($booked[$mark] ?? 0) + 1;
            }
        }
        foreach ($intents as $intent) {
            $id = self::text($intent, 'id');
            if (!isset($other[$id])) {
                continue;
            }
            $mark = self::text(is_array($intent['wallet'] ?? null) ? $intent['wallet'] : [], 'id') . ' ' . $other[$id];
            if (($booked[$mark] ?? 0) > 0) {
                $booked[$mark]--;
            } else {
                $wrong[$id] = $other[$id];
            }
        }
        return new self($paid, $wrong, $test, $references, $isOtherCurrency);
    }

    public function arrived(): int
    {
        return array_sum($this->paid);
    }

    /** What arrived in another amount than asked for, and waits for a member's decision. */
    public function undecided(): int
    {
        return array_sum($this->wrong);
    }

    /**
     * What an intent counts for. A wallet with unique amounts asks for a little more or less than the order: the order counts then. After
     * a booking it is what arrived.
     *
     * @param array<string, mixed> $intent
     */
    private static function counted(array $intent): string
    {
        return self::text($intent, ($intent['manual_override'] ?? false) === true ? 'payable_amount' : 'base_amount');
    }

    /** @param array<string, mixed> $row */
    private static function text(array $row, string $name): string
    {
        return is_string($row[$name] ?? null) ? $row[$name] : '';
    }
}
