<?php

declare(strict_types=1);

namespace Sanad\Internal;

/**
 * Amounts as texts and as whole numbers of the smallest unit. Exact: no amount passes through a floating-point number.
 *
 * @internal
 */
final class Amounts
{
    public static function decimal(int $minor): string
    {
        $digits = str_pad((string) $minor, 3, '0', STR_PAD_LEFT);
        return substr($digits, 0, -2) . '.' . substr($digits, -2);
    }

    /** Null: it is missing, or written in a way that only the service reads, such as `1e3`. */
    public static function minorOf(mixed $text): ?int
    {
        if (!is_string($text) || preg_match('/^\s*\+?(\d{1,12})(?:\.(\d{0,2}))?\s*$/D', $text, $found) !== 1) {
            return null;
        }
        return (int) ($found[1] . str_pad($found[2] ?? '', 2, '0'));
    }

    /**
     * What an order asks for: the sum of its lines, or else its amount. Null: it cannot be told.
     *
     * @param array<mixed>|null $items
     */
    public static function totalOf(?string $amount, ?array $items): ?int
    {
        if ($items === null || $items === []) {
            return self::minorOf($amount);
        }
        $total = 0;
        foreach ($items as $item) {
            $price = is_array($item) ? self::minorOf($item['price'] ?? null) : null;
            $quantity = is_array($item) ? $item['quantity'] ?? 1 : null;
            if ($price === null || !is_int($quantity)) {
                return null;
            }
            $total += $price * $quantity;
            // Beyond the whole numbers of this machine PHP goes on with floating-point numbers.
            if (!is_int($total)) {
                return null;
            }
        }
        return $total;
    }
}
