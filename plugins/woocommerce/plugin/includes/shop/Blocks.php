<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The payment method in the Checkout block. Its script gets the texts and the wallets from here. */
final class Blocks extends AbstractPaymentMethodType
{
    protected $name = Gateway::ID;

    public function initialize()
    {
        $stored = get_option(Settings::OPTION, []);
        $this->settings = is_array($stored) ? $stored : [];
    }

    public function is_active()
    {
        return Gateway::instance()->is_available();
    }

    public function get_payment_method_script_handles()
    {
        wp_register_script(
            'sanad-blocks',
            plugins_url('assets/blocks.js', SANAD_WOOCOMMERCE_FILE),
            ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'],
            Plugin::version(),
            true,
        );
        return ['sanad-blocks'];
    }

    public function get_payment_method_data()
    {
        $gateway = Gateway::instance();
        return [
            'title' => $gateway->get_title(),
            'description' => wp_strip_all_tags($gateway->get_description()),
            'supports' => array_values(array_filter($gateway->supports, [$gateway, 'supports'])),
            'wallets' => Settings::read()->isOwnPage ? Gateway::wallets() : [],
            'isOwnPage' => Settings::read()->isOwnPage,
            'chooseWallet' => __('Please choose the wallet that you pay from.', 'sanad-for-woocommerce'),
        ];
    }
}
