<?php

declare(strict_types=1);

namespace Sanad\Internal;

use Sanad\Api;

/**
 * What the intents of one order say about it: is it paid, is a payment being looked for, did another amount arrive. Pure.
 *
 * @internal
 * @phpstan-import-type Intent from Api
 */
final class OrderPayments
{
    /**
     * Whether the intent can say anything about its order. One that ended without money cannot.
     *
     * @param Intent $intent
     */
    public static function isRelevant(array $intent): bool
    {
        return $intent['status'] !== 'EXPIRED' && $intent['status'] !== 'CANCELLED';
    }

    /**
     * The payments of the order, the earliest first, so that repeated calls name the same one.
     *
     * @param list<Intent> $intents
     * @return list<Intent>
     */
    public static function of(array $intents): array
    {
        $payments = array_filter($intents, static fn (array $intent): bool => $intent['status'] === 'VERIFIED');
        $keyOf = static fn (array $intent): array => [
            (new \DateTimeImmutable($intent['verified_at'] ?? '@0'))->format('Uu'),
            $intent['id'],
        ];
        usort($payments, static fn (array $a, array $b): int => $keyOf($a) <=> $keyOf($b));
        return $payments;
    }

    /**
     * What the payments add up to, in the amounts of the order: on a wallet with unique amounts `payable_amount` differs from them.
     *
     * @param list<Intent> $payments
     */
    public static function sumOf(array $payments): string
    {
        $amounts = array_map(static fn (array $intent): int => Amounts::minorOf($intent['base_amount']) ?? 0, $payments);
        return Amounts::decimal((int) array_sum($amounts));
    }

    /**
     * An intent whose reference is attached: its payment is being looked for.
     *
     * @param Intent $intent
     */
    public static function isChecking(array $intent): bool
    {
        return $intent['status'] === 'PENDING' && $intent['reference'] !== '';
    }

    /**
     * Whether two requests ask for the same money in the same wallet. Notes do not matter, nor how an amount is written.
     *
     * @param array<mixed> $a
     * @param array<mixed> $b
     */
    public static function isSameRequest(array $a, array $b): bool
    {
        if (strtolower($a['wallet']) !== strtolower($b['wallet'])) {
            return false;
        }
        [$left, $right] = [$a['items'] ?? [], $b['items'] ?? []];
        if ($left !== [] || $right !== []) {
            return self::isSame($left, $right);
        }
        [$left, $right] = [$a['amount'] ?? null, $b['amount'] ?? null];
        return (Amounts::minorOf($left) ?? $left) === (Amounts::minorOf($right) ?? $right);
    }

    /** Compares two JSON values. The order of fields does not matter: a database may change it. */
    private static function isSame(mixed $a, mixed $b): bool
    {
        if (!is_array($a) || !is_array($b)) {
            return $a === $b;
        }
        if (count($a) !== count($b)) {
            return false;
        }
        foreach ($a as $name => $value) {
            if (!array_key_exists($name, $b) || !self::isSame($value, $b[$name])) {
                return false;
            }
        }
        return true;
    }
}
