<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * Makes the page or the payment request of an order, one at a time. The key and the body are stored before the request is sent: if the
 * answer is lost, the same request is repeated and finds what was made. The caller holds the order's lock.
 */
final class StartPayment
{
    /** The service keeps a key for 24 hours. */
    private const KEY_S = 23 * 3600;
    /** A page that ends sooner is replaced, so that the buyer has time. */
    private const LEFT_S = 120;

    public function __construct(private readonly SanadApi $api, private readonly Settings $settings)
    {
    }

    /** The address of Sanad's page for this amount: the open one, or a new one. */
    public function checkout(\WC_Order $order, int $due, ?int $seconds = null): string
    {
        $amount = Money::toText($due);
        $open = $this->openCheckout($order);
        if ($open !== null) {
            if ($open['amount'] === $amount && strtotime((string) $open['expires_at']) > time() + self::LEFT_S) {
                return (string) $open['url'];
            }
            $this->api->cancelCheckout((string) $open['id']);
        }
        $made = $this->make($order, 'checkout', $amount, $this->checkoutBody($order, $amount, $seconds));
        return (string) $made['url'];
    }

    /** The payment request for the shop's own page. @return array<string, mixed> */
    public function intent(\WC_Order $order, int $due, string $wallet): array
    {
        $amount = Money::toText($due);
        $payment = OrderRecord::payment($order);
        if (($payment['kind'] ?? '') === 'intent' && $payment['amount'] === $amount && $payment['wallet'] === $wallet) {
            $intent = $this->api->intent((string) $payment['id']);
            if ($intent['status'] === 'PENDING' && strtotime((string) $intent['expires_at']) > time() + self::LEFT_S) {
                return $intent;
            }
        }
        return $this->make($order, 'intent', $amount, [
            'wallet' => $wallet,
            'amount' => $amount,
            'currency' => Money::CURRENCY,
            'external_order_id' => OrderRecord::number($order),
            'notes' => self::description($order),
        ]);
    }

    /** Ends the page of an order that was cancelled, so that nobody pays for it. */
    public function cancel(\WC_Order $order): void
    {
        $open = $this->openCheckout($order);
        if ($open !== null) {
            $this->api->cancelCheckout((string) $open['id']);
        }
    }

    /** @return ?array<string, mixed> */
    private function openCheckout(\WC_Order $order): ?array
    {
        $payment = OrderRecord::payment($order);
        if (($payment['kind'] ?? '') !== 'checkout') {
            return null;
        }
        $checkout = $this->api->checkout((string) $payment['id']);
        return $checkout['status'] === 'OPEN' ? $checkout : null;
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    private function make(\WC_Order $order, string $kind, string $amount, array $body): array
    {
        $attempt = OrderRecord::attempt($order);
        $isSame = ($attempt['kind'] ?? '') === $kind && ($attempt['body']['amount'] ?? '') === $amount
            && ($attempt['body']['wallet'] ?? '') === ($body['wallet'] ?? '') && (int) $attempt['at'] > time() - self::KEY_S;
        if (!$isSame) {
            $attempt = ['key' => wp_generate_uuid4(), 'kind' => $kind, 'body' => $body, 'at' => time()];
            OrderRecord::keepAttempt($order, $attempt);
        }
        try {
            $made = $kind === 'checkout'
                ? $this->api->createCheckout($attempt['body'], $attempt['key'])
                : $this->api->createIntent($attempt['body'], $attempt['key']);
        } catch (ApiFault $fault) {
            // Refused: nothing was made, and the next try may have another body.
            if ($fault->status >= 400 && $fault->status < 500 && $fault->status !== 409 && $fault->status !== 429) {
                OrderRecord::dropAttempt($order);
            }
            throw $fault;
        }
        OrderRecord::keepPayment($order, [
            'kind' => $kind,
            'id' => (string) $made['id'],
            'url' => (string) ($made['url'] ?? ''),
            'amount' => $amount,
            'total' => Money::toText(OrderPayments::total($order)),
            'wallet' => (string) ($body['wallet'] ?? ''),
            'expires_at' => (int) strtotime((string) $made['expires_at']),
        ]);
        return $made;
    }

    /** @return array<string, mixed> */
    private function checkoutBody(\WC_Order $order, string $amount, ?int $seconds): array
    {
        $body = [
            'amount' => $amount,
            'currency' => Money::CURRENCY,
            'external_order_id' => OrderRecord::number($order),
            'description' => self::description($order),
            'expires_in' => $seconds ?? $this->settings->minutes * 60,
            'allow_remaining' => $this->settings->allowRemaining,
            'metadata' => ['source' => 'woocommerce', 'order' => (string) $order->get_id()],
        ];
        $gateway = Gateway::instance();
        $addresses = ['return_url' => $gateway->get_return_url($order), 'cancel_url' => $order->get_checkout_payment_url()];
        foreach ($addresses as $name => $address) {
            if (self::isAllowed($address)) {
                $body[$name] = $address;
            }
        }
        $language = substr(determine_locale(), 0, 2);
        if ($language === 'ar' || $language === 'en') {
            $body['locale'] = $language;
        }
        if ($this->settings->testMode) {
            $body['wallets'] = array_slice(array_column($this->api->wallets(true), 'id'), 0, 50);
        }
        $customer = array_filter([
            'name' => mb_substr(trim($order->get_formatted_billing_full_name()), 0, 100),
            'phone' => preg_match('/^[0-9 +()-]{5,32}$/D', $order->get_billing_phone()) ? $order->get_billing_phone() : '',
        ]);
        return $customer === [] ? $body : [...$body, 'customer' => $customer];
    }

    private static function description(\WC_Order $order): string
    {
        $shop = wp_specialchars_decode((string) get_bloginfo('name'), ENT_QUOTES);
        /* translators: 1: number of the order, 2: name of the shop */
        $text = sprintf(__('Order %1$s at %2$s', 'sanad-for-woocommerce'), $order->get_order_number(), $shop);
        return mb_substr($text, 0, 500);
    }

    /** The service takes https, and http only to the machine itself. */
    private static function isAllowed(string $address): bool
    {
        $parts = wp_parse_url($address);
        $isLocal = in_array($parts['host'] ?? '', ['127.0.0.1', 'localhost', '[::1]'], true);
        return strlen($address) <= 2000 && (($parts['scheme'] ?? '') === 'https' || $isLocal);
    }
}
