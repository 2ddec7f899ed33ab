<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** The payment method, its settings, and how a payment and a refund begin. */
final class Gateway extends \WC_Payment_Gateway
{
    public const ID = 'sanad';
    /** The most wallets that the checkout lists. */
    private const MOST_WALLETS = 50;

    public function __construct()
    {
        $this->id = self::ID;
        $this->method_title = __('Sanad', 'sanad-for-woocommerce');
        $this->method_description = __('The buyer transfers from a mobile wallet; Sanad confirms that the money arrived.', 'sanad-for-woocommerce');
        $this->has_fields = true;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = (string) $this->get_option('title');
        $this->description = (string) $this->get_option('description');
        add_action("woocommerce_update_options_payment_gateways_$this->id", [$this, 'process_admin_options']);
    }

    public static function instance(): self
    {
        $gateways = WC()->payment_gateways()->payment_gateways();
        return $gateways[self::ID] ?? new self();
    }

    public function init_form_fields()
    {
        $this->form_fields = SettingsForm::fields();
    }

    public function admin_options()
    {
        SettingsForm::notices();
        parent::admin_options();
        SettingsForm::connectionTest();
    }

    /** @param string $key @param mixed $value */
    public function validate_url_field($key, $value): string
    {
        $url = rtrim(trim((string) $value), '/');
        if ($url === '') {
            return '';
        }
        $parts = wp_parse_url($url);
        $isLocal = in_array($parts['host'] ?? '', ['127.0.0.1', 'localhost'], true);
        $isAddress = isset($parts['host']) && !isset($parts['user']) && !isset($parts['query']) && ($parts['path'] ?? '') === '';
        if (!$isAddress || (($parts['scheme'] ?? '') !== 'https' && !$isLocal)) {
            // Throws: WooCommerce shows the sentence and keeps the earlier value.
            throw new \Exception(__('The address of Sanad must begin with https:// and have no path, such as https://sanad.example.com', 'sanad-for-woocommerce'));
        }
        return $url;
    }

    /** Nothing of a secret may be changed: password fields lose white space and backslashes. @param string $key @param mixed $value */
    public function validate_password_field($key, $value): string
    {
        return trim(wp_unslash((string) $value));
    }

    public function is_available()
    {
        return parent::is_available() && get_woocommerce_currency() === Money::CURRENCY && Settings::read()->isComplete();
    }

    public function needs_setup()
    {
        return !Settings::read()->isComplete();
    }

    public function payment_fields()
    {
        if ($this->description !== '') {
            echo wp_kses_post(wpautop($this->description));
        }
        if (!Settings::read()->isOwnPage) {
            return;
        }
        foreach (self::wallets() as $index => $wallet) {
            printf(
                '<p><label><input type="radio" name="sanad_wallet" value="%s" %s> %s</label></p>',
                esc_attr($wallet['id']),
                checked($index, 0, false),
                esc_html($wallet['name']),
            );
        }
    }

    /**
     * The wallets of the shop's own page; kept for a minute, since every view of the checkout asks.
     *
     * @return list<array{id: string, name: string}>
     */
    public static function wallets(): array
    {
        $name = 'sanad_wallets';
        $stored = get_transient($name);
        if (is_array($stored)) {
            return $stored;
        }
        $settings = Settings::read();
        if (!$settings->isComplete()) {
            return [];
        }
        try {
            $found = array_slice(Connection::api($settings)->wallets($settings->testMode), 0, self::MOST_WALLETS);
            $companies = array_count_values(array_map(self::companyOf(...), $found));
            $wallets = array_map(static function (array $wallet) use ($companies): array {
                $company = self::companyOf($wallet);
                // Two wallets of one company are told apart by their names.
                $name = $companies[$company] > 1 ? "$company · {$wallet['name']}" : $company;
                return ['id' => (string) $wallet['id'], 'name' => $name];
            }, $found);
        } catch (ApiFault $fault) {
            self::log($fault);
            return [];
        }
        set_transient($name, $wallets, MINUTE_IN_SECONDS);
        return $wallets;
    }

    /** @param array<string, mixed> $wallet */
    public static function companyOf(array $wallet): string
    {
        return (string) ($wallet['provider']['display_name'] ?? $wallet['name']);
    }

    public function validate_fields()
    {
        if (!Settings::read()->isOwnPage || self::chosenWallet() !== '') {
            return true;
        }
        wc_add_notice(__('Please choose the wallet that you pay from.', 'sanad-for-woocommerce'), 'error');
        return false;
    }

    public function process_payment($order_id)
    {
        try {
            $address = OrderLock::with((int) $order_id, fn (\WC_Order $order): string => $this->begin($order));
        } catch (Refused $refused) {
            return self::refuse($refused->getMessage());
        } catch (\Throwable $fault) {
            // The buyer reads a sentence, never an inner fault.
            self::log($fault);
            return self::refuse(__('The payment cannot be started now. Please try again in a minute, or choose another way to pay.', 'sanad-for-woocommerce'));
        }
        if (WC()->cart !== null) {
            WC()->cart->empty_cart();
        }
        return ['result' => 'success', 'redirect' => $address];
    }

    private function begin(\WC_Order $order): string
    {
        if ($order->get_currency() !== Money::CURRENCY) {
            throw new Refused(sprintf(
                /* translators: %s: the code of a currency, such as USD */
                __('This payment method takes Yemeni rials (YER) only, and the order is in %s. Please choose another way to pay.', 'sanad-for-woocommerce'),
                $order->get_currency(),
            ));
        }
        $settings = Settings::read();
        $api = Connection::api($settings);
        $total = OrderPayments::total($order);
        if ($total <= 0) {
            throw new Refused(__('There is nothing to pay for this order.', 'sanad-for-woocommerce'));
        }
        $due = (new OrderPayments($api, $settings))->due($order);
        if ($due === 0) {
            return $this->get_return_url($order);
        }
        $start = new StartPayment($api, $settings);
        if (!$settings->isOwnPage) {
            return $start->checkout($order, $due);
        }
        $start->intent($order, $due, self::chosenWallet());
        return $this->get_return_url($order);
    }

    /** The buyer's choice, if it is one of the wallets. */
    private static function chosenWallet(): string
    {
        // WooCommerce has checked the form's nonce; the Store API puts its payment data here.
        $chosen = is_string($_POST['sanad_wallet'] ?? null) ? wp_unslash($_POST['sanad_wallet']) : '';
        return in_array($chosen, array_column(self::wallets(), 'id'), true) ? $chosen : '';
    }

    /** @return array{result: string, message: string} */
    private static function refuse(string $sentence): array
    {
        wc_add_notice($sentence, 'error');
        return ['result' => 'failure', 'message' => $sentence];
    }

    /** Sanad moves no money: the refund is recorded, and a person sends it. */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        $minor = Money::toMinor((string) $amount);
        if ($minor === null || $minor === 0) {
            return new \WP_Error('sanad_refund', __('The amount of the refund is not a number.', 'sanad-for-woocommerce'));
        }
        try {
            return OrderLock::with((int) $order_id, static function (\WC_Order $order) use ($minor, $reason) {
                if (!OrderRecord::isSettled($order)) {
                    return new \WP_Error('sanad_refund', __('No payment through Sanad is recorded for this order.', 'sanad-for-woocommerce'));
                }
                $reason = wp_specialchars_decode(wp_strip_all_tags((string) $reason), ENT_QUOTES);
                $refund = ['amount' => Money::toText($minor), 'reason' => $reason, 'at' => time(), 'sent' => false];
                OrderRecord::keepRefunds($order, [...OrderRecord::refunds($order), $refund]);
                $order->add_order_note(Notes::refund($minor, $reason));
                return true;
            });
        } catch (Busy $busy) {
            return new \WP_Error('sanad_refund', __('Another process works on this order. Please try again.', 'sanad-for-woocommerce'));
        }
    }

    public static function log(\Throwable $fault): void
    {
        wc_get_logger()->error($fault->getMessage(), ['source' => 'sanad']);
    }
}
