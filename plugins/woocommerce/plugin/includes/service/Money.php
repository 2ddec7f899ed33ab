<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * Pure. Amounts are whole numbers of the smallest unit (a hundredth of a rial) and become texts with two decimals, as Sanad writes
 * them. No floating point.
 */
final class Money
{
    /** The currency that Sanad collects. A test compares it with the contract. */
    public const CURRENCY = 'YER';

    /** Twelve digits before the point are the most that Sanad takes. */
    private const FORM = '/^(\d{1,12})(?:\.(\d{1,8}))?$/D';

    /** Reads an amount; a third decimal is rounded to the nearest. Null: the text is no amount. */
    public static function toMinor(string $amount): ?int
    {
        if (!preg_match(self::FORM, $amount, $found)) {
            return null;
        }
        $decimals = str_pad($found[2] ?? '', 3, '0');
        $minor = (int) $found[1] * 100 + (int) substr($decimals, 0, 2);
        return $decimals[2] >= '5' ? $minor + 1 : $minor;
    }

    public static function toText(int $minor): string
    {
        return intdiv($minor, 100) . '.' . str_pad((string) ($minor % 100), 2, '0', STR_PAD_LEFT);
    }

    /** For people: 1,500 or 1,500.50. Plain text, so that it can stand in a note. */
    public static function toPeople(int $minor): string
    {
        $whole = number_format(intdiv($minor, 100));
        return $minor % 100 === 0 ? $whole : $whole . '.' . str_pad((string) ($minor % 100), 2, '0', STR_PAD_LEFT);
    }
}
