<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * What the buyer sees after the order was placed: that it is paid, or how to pay it. With the shop's own page: the account, the amount,
 * and the field for the reference. A plain form: it works without scripts.
 */
final class OwnPage
{
    public const FIELD = 'sanad_reference';
    private const MOST_CHARACTERS = 128;

    /** The buyer came back, or sent the reference: before the page is made, so that it shows the newest state. */
    public static function beforePage(): void
    {
        $order = self::orderOfPage();
        if ($order === null || !$order->needs_payment()) {
            return;
        }
        try {
            if (is_string($_POST[self::FIELD] ?? null)) {
                self::takeReference($order, trim(wp_unslash($_POST[self::FIELD])));
                // To the same page by GET: loading it again sends nothing again.
                wp_safe_redirect(Gateway::instance()->get_return_url($order));
                exit;
            }
            OrderPayments::open()->refresh($order->get_id());
        } catch (ApiFault | Busy $fault) {
            Gateway::log($fault);
        }
    }

    public static function show(int|string $id): void
    {
        $order = wc_get_order((int) $id);
        if (!$order instanceof \WC_Order || OrderRecord::existingNumber($order) === '') {
            return;
        }
        wc_print_notices();
        if (!$order->needs_payment()) {
            if ($order->has_status('on-hold')) {
                self::say(__('Another amount than asked for arrived. The shop has been told and will contact you; please keep the message of your wallet.', 'sanad-for-woocommerce'));
            } elseif ($order->is_paid()) {
                self::say(__('Your payment has arrived. Thank you!', 'sanad-for-woocommerce'));
            }
            return;
        }
        $payment = OrderRecord::payment($order);
        if (($payment['kind'] ?? '') === 'checkout') {
            self::say(__('We are waiting for your payment. Load this page again to see whether the money has arrived.', 'sanad-for-woocommerce'));
            printf('<p><a class="button" href="%s">%s</a></p>', esc_url((string) $payment['url']), esc_html__('To the payment page', 'sanad-for-woocommerce'));
            return;
        }
        if (($payment['kind'] ?? '') !== 'intent') {
            return;
        }
        try {
            $intent = Connection::api(Settings::read())->intent((string) $payment['id']);
        } catch (ApiFault $fault) {
            Gateway::log($fault);
            self::say(__('The payment details cannot be shown now. Please load this page again in a minute.', 'sanad-for-woocommerce'));
            return;
        }
        if ($intent['status'] !== 'PENDING') {
            self::say(__('The time to pay is over.', 'sanad-for-woocommerce'));
            printf('<p><a class="button" href="%s">%s</a></p>', esc_url($order->get_checkout_payment_url()), esc_html__('Try again', 'sanad-for-woocommerce'));
            return;
        }
        self::form($intent);
    }

    /** @param array<string, mixed> $intent */
    private static function form(array $intent): void
    {
        $rows = [
            __('Wallet', 'sanad-for-woocommerce') => (string) ($intent['provider']['display_name'] ?? $intent['wallet']['name']),
            __('Account number', 'sanad-for-woocommerce') => (string) $intent['wallet']['account_number'],
            __('Exact amount', 'sanad-for-woocommerce') => Notes::money(Money::toMinor((string) $intent['payable_amount']) ?? 0),
        ];
        echo '<section class="sanad-payment"><h2>' . esc_html__('Pay from your wallet', 'sanad-for-woocommerce') . '</h2><table class="shop_table">';
        foreach ($rows as $name => $value) {
            printf('<tr><th scope="row">%s</th><td><bdi>%s</bdi></td></tr>', esc_html($name), esc_html($value));
        }
        echo '</table>';
        $sent = (string) $intent['reference'];
        if ($sent !== '') {
            /* translators: %s: the wallet's number of the transfer */
            self::say(sprintf(__('We are looking for the transfer %s. If the number is wrong, correct it here.', 'sanad-for-woocommerce'), $sent));
        }
        if ($intent['payable_amount'] !== $intent['base_amount']) {
            self::say(__('Transfer exactly this amount: it is how your payment is recognised. No number is needed.', 'sanad-for-woocommerce'));
        }
        printf(
            '<form method="post"><p class="form-row"><label for="%1$s">%2$s</label><input class="input-text" id="%1$s" name="%1$s" dir="ltr" autocomplete="off" maxlength="%3$d" required></p>'
            . '<p><button class="button" type="submit">%4$s</button></p></form></section>',
            esc_attr(self::FIELD),
            esc_html__('The number of the transfer (reference), from the message of your wallet', 'sanad-for-woocommerce'),
            self::MOST_CHARACTERS,
            esc_html__('Send the number', 'sanad-for-woocommerce'),
        );
    }

    private static function takeReference(\WC_Order $order, string $reference): void
    {
        $payment = OrderRecord::payment($order);
        if (($payment['kind'] ?? '') !== 'intent') {
            return;
        }
        if ($reference === '' || mb_strlen($reference) > self::MOST_CHARACTERS) {
            wc_add_notice(__('Please enter the number of the transfer.', 'sanad-for-woocommerce'), 'error');
            return;
        }
        try {
            Connection::api(Settings::read())->attachReference((string) $payment['id'], $reference);
            wc_add_notice(__('Thank you. We are looking for your transfer.', 'sanad-for-woocommerce'));
        } catch (ApiFault $fault) {
            wc_add_notice(match (true) {
                $fault->has('reference_already_used') => __('Another order has this number. Please check it.', 'sanad-for-woocommerce'),
                $fault->has('reference_limit') => __('Too many different numbers were tried. Please contact the shop.', 'sanad-for-woocommerce'),
                $fault->has('intent_not_pending') => __('The time to pay is over. If you have transferred the money, please contact the shop.', 'sanad-for-woocommerce'),
                $fault->status === 400 => __('This number cannot be used. Please check it.', 'sanad-for-woocommerce'),
                default => __('The number could not be sent now. Please try again in a minute.', 'sanad-for-woocommerce'),
            }, 'error');
        }
        OrderPayments::open()->refresh($order->get_id());
    }

    /** The order of the page "order received", if whoever opens it has its key. */
    private static function orderOfPage(): ?\WC_Order
    {
        if (!function_exists('is_order_received_page') || !is_order_received_page()) {
            return null;
        }
        $order = wc_get_order(absint(get_query_var('order-received')));
        $key = is_string($_GET['key'] ?? null) ? wp_unslash($_GET['key']) : '';
        $isOurs = $order instanceof \WC_Order && OrderRecord::existingNumber($order) !== '';
        return $isOurs && hash_equals($order->get_order_key(), $key) ? $order : null;
    }

    private static function say(string $text): void
    {
        printf('<p class="woocommerce-info">%s</p>', esc_html($text));
    }
}
