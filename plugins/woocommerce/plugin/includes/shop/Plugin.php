<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** Connects the plugin to WordPress and WooCommerce. */
final class Plugin
{
    public static function start(): void
    {
        add_action('before_woocommerce_init', self::declareFeatures(...));
        add_action('init', static function (): void {
            load_plugin_textdomain('sanad-for-woocommerce', false, dirname(plugin_basename(SANAD_WOOCOMMERCE_FILE)) . '/languages');
        });
        add_action('plugins_loaded', static function (): void {
            class_exists('WooCommerce') ? self::connect() : add_action('admin_notices', self::needsWooCommerce(...));
        });
        register_deactivation_hook(SANAD_WOOCOMMERCE_FILE, Timer::unschedule(...));
    }

    public static function version(): string
    {
        return get_file_data(SANAD_WOOCOMMERCE_FILE, ['version' => 'Version'])['version'];
    }

    private static function declareFeatures(): void
    {
        $features = '\Automattic\WooCommerce\Utilities\FeaturesUtil';
        if (class_exists($features)) {
            // Orders are read and written by methods of WC_Order alone.
            $features::declare_compatibility('custom_order_tables', SANAD_WOOCOMMERCE_FILE, true);
            $features::declare_compatibility('cart_checkout_blocks', SANAD_WOOCOMMERCE_FILE, true);
        }
    }

    private static function connect(): void
    {
        add_filter('woocommerce_payment_gateways', static fn (array $all): array => [...$all, Gateway::class]);
        add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry): void {
            $registry->register(new Blocks());
        });
        add_action('woocommerce_api_' . Receiver::ROUTE, Receiver::receive(...));
        add_action('wp_ajax_' . ConnectionTest::ACTION, ConnectionTest::answer(...));
        add_filter('woocommerce_get_country_locale', AddressFields::change(...));
        add_action('template_redirect', OwnPage::beforePage(...), 5);
        add_action('woocommerce_thankyou_' . Gateway::ID, OwnPage::show(...));
        add_action(Timer::HOOK, Timer::run(...));
        add_action('admin_init', Timer::schedule(...));
        add_filter('woocommerce_cancel_unpaid_order', self::mayCancelUnpaid(...), 10, 2);
        ClosePage::register();
        // A wallet of another key must not be offered.
        add_action('update_option_' . Settings::OPTION, static fn () => delete_transient('sanad_wallets'));
        add_filter('plugin_action_links_' . plugin_basename(SANAD_WOOCOMMERCE_FILE), static function (array $links): array {
            $address = admin_url('admin.php?page=wc-settings&tab=checkout&section=' . Gateway::ID);
            return [sprintf('<a href="%s">%s</a>', esc_url($address), esc_html__('Settings', 'sanad-for-woocommerce')), ...$links];
        });
        AdminOrder::register();
    }

    /** WooCommerce cancels unpaid orders after its own time; not while the buyer can still pay. */
    private static function mayCancelUnpaid(bool $may, \WC_Order $order): bool
    {
        $payment = OrderRecord::payment($order);
        return $may && ($payment === [] || (int) $payment['expires_at'] < time());
    }

    private static function needsWooCommerce(): void
    {
        printf('<div class="notice notice-error"><p>%s</p></div>', esc_html__('Sanad for WooCommerce needs WooCommerce: please install and activate it.', 'sanad-for-woocommerce'));
    }
}
