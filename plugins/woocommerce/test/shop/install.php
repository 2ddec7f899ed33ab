<?php
/**
 * Installs WordPress and WooCommerce into an empty database, with one product for 1,500 rials and both kinds of checkout page.
 * php install.php WORDPRESS STEP: the steps are `wordpress`, `activate` and `fill`, each in a process of its own.
 */
[, $root, $step] = $argv;
$_SERVER['HTTP_HOST'] = parse_url((string) getenv('SHOP_ORIGIN'), PHP_URL_HOST) . ':' . parse_url((string) getenv('SHOP_ORIGIN'), PHP_URL_PORT);
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI'] = '/';
if ($step === 'wordpress') {
    define('WP_INSTALLING', true);
}
define('WP_ADMIN', true);
require "$root/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

if ($step === 'wordpress') {
    wp_install('متجر & Shop', 'owner', 'owner@shop.example', true, '', 'made-up-password');
    update_option('permalink_structure', '');
    update_option('timezone_string', 'Asia/Aden');
    switch_theme('plain');
    exit;
}
if ($step === 'activate') {
    foreach (['woocommerce/woocommerce.php', 'sanad-for-woocommerce/sanad-for-woocommerce.php'] as $plugin) {
        $fault = activate_plugin($plugin);
        if (is_wp_error($fault)) {
            fwrite(STDERR, $fault->get_error_message());
            exit(1);
        }
    }
    exit;
}

WC_Install::install();
WC_Install::create_pages();
wp_set_current_user(1);
$product = new WC_Product_Simple();
$product->set_name('Coffee');
$product->set_regular_price('1500');
$product->set_manage_stock(true);
$product->set_stock_quantity(1000);
$product->save();

$page = static fn (string $title, string $content): int => wp_insert_post(
    ['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $title, 'post_content' => $content],
);
$classic = $page('Classic', '[woocommerce_checkout]');
$block = static fn (string $name, string $inner = ''): string =>
    "<!-- wp:woocommerce/$name --><div class=\"wp-block-woocommerce-$name\">$inner</div><!-- /wp:woocommerce/$name -->";
$fields = implode('', array_map($block, [
    'checkout-express-payment-block',
    'checkout-contact-information-block',
    'checkout-shipping-address-block',
    'checkout-billing-address-block',
    'checkout-shipping-methods-block',
    'checkout-payment-block',
    'checkout-order-note-block',
    'checkout-actions-block',
]));
$blocks = $page('Blocks', sprintf(
    '<!-- wp:woocommerce/checkout --><div class="wp-block-woocommerce-checkout wc-block-checkout is-loading">%s%s</div><!-- /wp:woocommerce/checkout -->',
    $block('checkout-fields-block', $fields),
    $block('checkout-totals-block', $block('checkout-order-summary-block')),
));
$options = [
    'woocommerce_currency' => 'YER',
    'woocommerce_price_num_decimals' => '0',
    'woocommerce_default_country' => 'YE',
    'woocommerce_store_address' => 'Street 1',
    'woocommerce_store_city' => 'Sanaa',
    'woocommerce_calc_taxes' => 'no',
    'woocommerce_ship_to_countries' => 'disabled',
    'woocommerce_enable_guest_checkout' => 'yes',
    'woocommerce_coming_soon' => 'no',
    'woocommerce_task_list_hidden' => 'yes',
    'woocommerce_onboarding_profile' => ['skipped' => true],
    'woocommerce_show_marketplace_suggestions' => 'no',
    'woocommerce_allow_tracking' => 'no',
    'woocommerce_checkout_page_id' => $classic,
];
foreach ($options as $name => $value) {
    update_option($name, $value);
}
delete_transient('_wc_activation_redirect');
echo json_encode([
    'product' => $product->get_id(),
    'classic' => $classic,
    'blocks' => $blocks,
    'wordpress' => get_bloginfo('version'),
    'woocommerce' => WC()->version,
]);
