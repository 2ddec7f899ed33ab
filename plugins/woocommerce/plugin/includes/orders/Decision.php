<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * Pure. What becomes of an order, given what Sanad has read. The caller holds the lock of the order and has loaded it under the lock.
 * The same reading asked twice decides the same, and `$known` keeps it from being told twice.
 */
final class Decision
{
    /** `pay`: the order is paid. `hold`: it is put on hold. Empty: the status stays. */
    public string $act = '';
    /** The whole of it was asked for, and this much is missing. 0: there is nothing to collect. */
    public int $rest = 0;
    /** @var list<array{string, int}> The sentences for the shop: which, and its amount. */
    public array $notes = [];
    /** @var list<string> What is known from now on. */
    public array $known;

    /** @param list<string> $known */
    private function __construct(array $known)
    {
        $this->known = $known;
    }

    /**
     * @param string $state `payable`: the order waits for money. `settled`: it was paid, or does not wait for money. `ended`: it was
     *   cancelled or refunded, or it is in the trash.
     * @param int $total What the order costs.
     * @param list<string> $known From the order.
     */
    public static function of(Reading $reading, string $state, int $total, string $currency, array $known): self
    {
        $decision = new self($known);
        $decision->tell('test', 'test', $reading->test);
        if ($state === 'payable') {
            $decision->judge($reading, $total, $currency);
        } else {
            $decision->tell($state === 'ended' ? 'late' : 'besides', 'paid', $reading->paid);
            $decision->tell($state === 'ended' ? 'late' : 'besides', 'wrong', $reading->wrong);
        }
        return $decision;
    }

    private function judge(Reading $reading, int $total, string $currency): void
    {
        $arrived = $reading->arrived();
        $undecided = $reading->undecided();
        if ($reading->isOtherCurrency || ($currency !== Money::CURRENCY && $arrived + $undecided > 0)) {
            $this->hold("currency $currency $arrived $undecided", [['currency', $arrived + $undecided]]);
            return;
        }
        if ($arrived > 0 && $arrived === $total) {
            $this->act = 'pay';
            // Remembered without a sentence of its own: the order's note of its payment says it.
            array_push($this->known, ...self::marks('paid', $reading->paid));
            $this->known = array_values(array_unique($this->known));
            $this->tell('besides', 'wrong', $reading->wrong);
            return;
        }
        if ($arrived === 0 && $undecided === 0) {
            return;
        }
        $this->rest = max(0, $total - $arrived - $undecided);
        $notes = [];
        if ($arrived > 0) {
            $notes[] = $arrived > $total ? ['over', $arrived] : ['part', $arrived];
        }
        if ($undecided > 0) {
            $notes[] = ['wrong', $undecided];
        }
        array_push($this->known, ...self::marks('paid', $reading->paid), ...self::marks('wrong', $reading->wrong));
        $this->known = array_values(array_unique($this->known));
        $this->hold("hold $arrived $undecided $total", $notes);
    }

    /** @param list<array{string, int}> $notes */
    private function hold(string $mark, array $notes): void
    {
        if (in_array($mark, $this->known, true)) {
            return;
        }
        $this->act = 'hold';
        $this->known[] = $mark;
        array_push($this->notes, ...$notes);
    }

    /** @param array<string, int> $amounts By intent. What is known is not told again. */
    private function tell(string $note, string $kind, array $amounts): void
    {
        foreach ($amounts as $intent => $minor) {
            $mark = "$kind $intent";
            if (!in_array($mark, $this->known, true)) {
                $this->known[] = $mark;
                $this->notes[] = [$note, $minor];
            }
        }
    }

    /** @param array<string, int> $amounts @return list<string> */
    private static function marks(string $kind, array $amounts): array
    {
        return array_map(static fn (string $intent): string => "$kind $intent", array_keys($amounts));
    }
}
