<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * Pure. Compares a signed callback with what the API says of the same order: which intent, which amount, which currency. The two agree,
 * unless the callback was sent by hand or for a test, or the secret is in other hands.
 */
final class EventCheck
{
    /**
     * What differs, or null. English: it is for the log.
     *
     * @param array<string, mixed> $event
     * @param list<array<string, mixed>> $intents
     */
    public static function doubt(array $event, array $intents): ?string
    {
        $text = static fn (array $row, string $name): string => is_string($row[$name] ?? null) ? $row[$name] : '';
        if ($text($event, 'currency') !== Money::CURRENCY) {
            return 'the currency is "' . $text($event, 'currency') . '", not ' . Money::CURRENCY . '.';
        }
        $kind = $text($event, 'event');
        if ($kind === 'payment.verified') {
            foreach ($intents as $intent) {
                if ($text($intent, 'id') !== $text($event, 'intent_id')) {
                    continue;
                }
                foreach (['base_amount' => 'base_amount', 'amount' => 'payable_amount', 'status' => 'status'] as $name => $field) {
                    if ($text($event, $name) !== $text($intent, $field)) {
                        return "$name is \"{$text($event, $name)}\", Sanad says \"{$text($intent, $field)}\".";
                    }
                }
                return null;
            }
            return "Sanad knows no payment request \"{$text($event, 'intent_id')}\" of this order.";
        }
        if ($kind === 'checkout.completed') {
            $paid = 0;
            $named = is_array($event['intents'] ?? null) ? $event['intents'] : [];
            foreach ($intents as $intent) {
                if (self::isNamed($text($intent, 'id'), $named) && $text($intent, 'status') === 'VERIFIED') {
                    $paid += Money::toMinor($text($intent, 'payable_amount')) ?? 0;
                }
            }
            if (Money::toText($paid) !== $text($event, 'paid')) {
                return 'paid is "' . $text($event, 'paid') . '", Sanad says "' . Money::toText($paid) . '".';
            }
        }
        return null;
    }

    /** @param array<mixed> $named Ids, or rows with an id. */
    private static function isNamed(string $id, array $named): bool
    {
        foreach ($named as $one) {
            if ($one === $id || (is_array($one) && (($one['id'] ?? null) === $id || ($one['intent_id'] ?? null) === $id))) {
                return true;
            }
        }
        return false;
    }
}
