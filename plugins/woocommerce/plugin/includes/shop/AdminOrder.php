<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** The order in the administration: what Sanad knows of it, and the shop's two actions. */
final class AdminOrder
{
    private const CHECK = 'sanad_check';
    private const REST = 'sanad_rest';
    private const SENT = 'sanad_refunds_sent';

    public static function register(): void
    {
        add_filter('woocommerce_order_actions', self::actions(...), 10, 2);
        add_action('woocommerce_order_action_' . self::CHECK, self::check(...));
        add_action('woocommerce_order_action_' . self::REST, self::rest(...));
        add_action('woocommerce_order_action_' . self::SENT, self::refundsSent(...));
        add_action('woocommerce_admin_order_data_after_billing_address', self::show(...));
    }

    /** @param array<string, string> $actions @return array<string, string> */
    public static function actions(array $actions, mixed $order = null): array
    {
        $order ??= $GLOBALS['theorder'] ?? null;
        if (!$order instanceof \WC_Order || OrderRecord::existingNumber($order) === '') {
            return $actions;
        }
        $actions[self::CHECK] = __('Check the payment in Sanad', 'sanad-for-woocommerce');
        if ($order->has_status('on-hold')) {
            $actions[self::REST] = __('New link to collect the rest', 'sanad-for-woocommerce');
        }
        if (self::toSend($order) > 0) {
            $actions[self::SENT] = __('The refunds were sent', 'sanad-for-woocommerce');
        }
        return $actions;
    }

    public static function check(\WC_Order $order): void
    {
        self::ask($order, static fn () => OrderPayments::open()->refresh($order->get_id()));
    }

    public static function rest(\WC_Order $order): void
    {
        self::ask($order, static fn () => OrderPayments::open()->collectRest($order->get_id()));
    }

    private static function ask(\WC_Order $order, callable $work): void
    {
        try {
            $work();
        } catch (ApiFault | Busy $fault) {
            Gateway::log($fault);
            /* translators: %s: the fault, in English */
            $order->add_order_note(sprintf(__('Sanad could not be asked: %s', 'sanad-for-woocommerce'), $fault->getMessage()));
        }
    }

    public static function refundsSent(\WC_Order $order): void
    {
        OrderLock::with($order->get_id(), static function (\WC_Order $locked): void {
            $minor = self::toSend($locked);
            if ($minor === 0) {
                return;
            }
            OrderRecord::keepRefunds($locked, array_map(
                static fn (array $refund): array => [...$refund, 'sent' => true],
                OrderRecord::refunds($locked),
            ));
            $locked->add_order_note(Notes::refundSent($minor), 0, true);
        });
    }

    public static function show(\WC_Order $order): void
    {
        $number = OrderRecord::existingNumber($order);
        if ($number === '') {
            return;
        }
        $payment = OrderRecord::payment($order);
        printf('<p><strong>%s</strong><br><bdi>%s</bdi></p>', esc_html__('Order number in Sanad', 'sanad-for-woocommerce'), esc_html($number));
        if (($payment['url'] ?? '') !== '') {
            printf('<p><a href="%s" target="_blank" rel="noreferrer">%s</a></p>', esc_url((string) $payment['url']), esc_html__('Payment page and receipt', 'sanad-for-woocommerce'));
        }
        if (self::toSend($order) > 0) {
            printf('<p><strong>%s</strong> %s</p>', esc_html__('Refunds to send by hand:', 'sanad-for-woocommerce'), esc_html(Notes::money(self::toSend($order))));
        }
    }

    private static function toSend(\WC_Order $order): int
    {
        $open = array_filter(OrderRecord::refunds($order), static fn (array $refund): bool => !$refund['sent']);
        return array_sum(array_map(static fn (array $refund): int => Money::toMinor($refund['amount']) ?? 0, $open));
    }
}
