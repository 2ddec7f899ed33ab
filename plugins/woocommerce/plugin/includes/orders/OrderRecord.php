<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** What the plugin keeps with an order. Only methods of WC_Order are used, so it does not matter where orders are stored. */
final class OrderRecord
{
    /** The number under which Sanad knows the order. */
    private const NUMBER = '_sanad_order';
    /** The running payment: `kind`, `id`, `url`, `amount`, `total`, `wallet`, `expires_at`. */
    private const PAYMENT = '_sanad_payment';
    /** A request that was sent and whose answer was not stored: `key`, `kind`, `body`, `at`. */
    private const ATTEMPT = '_sanad_attempt';
    /** What the shop was told of, so that it is told once. */
    private const KNOWN = '_sanad_known';
    /** What had arrived when the order was marked as paid, in the smallest unit. */
    private const SETTLED = '_sanad_settled';
    /** Refunds: `amount`, `reason`, `at`, `sent`. */
    private const REFUNDS = '_sanad_refunds';

    /** The number of the order in Sanad, made once. The last part keeps a new or copied shop from finding another order's money. */
    public static function number(\WC_Order $order): string
    {
        $number = self::existingNumber($order);
        if ($number === '') {
            $number = 'WC-' . $order->get_id() . '-' . substr(str_replace('-', '', wp_generate_uuid4()), 0, 8);
            $order->update_meta_data(self::NUMBER, $number);
            $order->save();
        }
        return $number;
    }

    public static function existingNumber(\WC_Order $order): string
    {
        return (string) $order->get_meta(self::NUMBER);
    }

    /** The order that a number belongs to, by its form alone: the caller compares it with the order's own number. */
    public static function idOf(string $number): ?int
    {
        return preg_match('/^WC-(\d{1,18})-[0-9a-f]{8}$/D', $number, $found) ? (int) $found[1] : null;
    }

    /** @return array<string, mixed> */
    public static function payment(\WC_Order $order): array
    {
        return self::list($order, self::PAYMENT);
    }

    /** @param array<string, mixed> $payment */
    public static function keepPayment(\WC_Order $order, array $payment): void
    {
        $order->update_meta_data(self::PAYMENT, $payment);
        $order->delete_meta_data(self::ATTEMPT);
        $order->save();
    }

    /** @return array<string, mixed> */
    public static function attempt(\WC_Order $order): array
    {
        return self::list($order, self::ATTEMPT);
    }

    /** @param array<string, mixed> $attempt */
    public static function keepAttempt(\WC_Order $order, array $attempt): void
    {
        $order->update_meta_data(self::ATTEMPT, $attempt);
        $order->save();
    }

    public static function dropAttempt(\WC_Order $order): void
    {
        $order->delete_meta_data(self::ATTEMPT);
        $order->save();
    }

    /** @return list<string> */
    public static function known(\WC_Order $order): array
    {
        return array_values(array_filter(self::list($order, self::KNOWN), 'is_string'));
    }

    /** @param list<string> $known Not saved yet. */
    public static function setKnown(\WC_Order $order, array $known): void
    {
        $order->update_meta_data(self::KNOWN, $known);
    }

    public static function isSettled(\WC_Order $order): bool
    {
        return (string) $order->get_meta(self::SETTLED) !== '';
    }

    /** In the smallest unit; 0 if it was not marked as paid. */
    public static function settled(\WC_Order $order): int
    {
        return Money::toMinor((string) $order->get_meta(self::SETTLED)) ?? 0;
    }

    /** Not saved yet. */
    public static function setSettled(\WC_Order $order, int $minor): void
    {
        $order->update_meta_data(self::SETTLED, Money::toText($minor));
    }

    /** @return list<array{amount: string, reason: string, at: int, sent: bool}> */
    public static function refunds(\WC_Order $order): array
    {
        return array_values(self::list($order, self::REFUNDS));
    }

    /** @param list<array{amount: string, reason: string, at: int, sent: bool}> $refunds */
    public static function keepRefunds(\WC_Order $order, array $refunds): void
    {
        $order->update_meta_data(self::REFUNDS, $refunds);
        $order->save();
    }

    /** @return array<mixed> */
    private static function list(\WC_Order $order, string $name): array
    {
        $value = $order->get_meta($name);
        return is_array($value) ? $value : [];
    }
}
