<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * Ends Sanad's page of an order that no longer waits for its money, so that nobody pays for it: it was cancelled, refunded, deleted, or
 * is paid in another way.
 */
final class ClosePage
{
    public static function register(): void
    {
        add_action('woocommerce_order_status_changed', self::onStatus(...), 10, 4);
        // Orders in tables of their own; with posts some versions of WooCommerce and the list of orders tell of the post only.
        foreach (['woocommerce_before_trash_order', 'woocommerce_before_delete_order', 'wp_trash_post', 'before_delete_post'] as $hook) {
            add_action($hook, self::onGone(...));
        }
    }

    private static function onStatus(int $id, string $from, string $to, ?\WC_Order $order = null): void
    {
        $order ??= wc_get_order($id);
        if (!$order instanceof \WC_Order) {
            return;
        }
        // On hold: this plugin waits for the rest, another method for its own money.
        $waits = in_array($to, ['pending', 'failed', 'checkout-draft'], true)
            || ($to === 'on-hold' && $order->get_payment_method() === Gateway::ID);
        if (!$waits) {
            self::close($order);
        }
    }

    private static function onGone(mixed $id): void
    {
        $order = is_numeric($id) ? wc_get_order((int) $id) : false;
        if ($order instanceof \WC_Order) {
            self::close($order);
        }
    }

    private static function close(\WC_Order $order): void
    {
        if (OrderRecord::existingNumber($order) === '') {
            return;
        }
        try {
            $settings = Settings::read();
            (new StartPayment(Connection::api($settings), $settings))->cancel($order);
        } catch (ApiFault $fault) {
            // The page may just have been paid: its callback notes the money.
            Gateway::log($fault);
        }
    }
}
