<?php
/**
 * Plugin Name: Sanad for WooCommerce
 * Description: Payments into mobile wallets in Yemen: the order is paid when Sanad has seen the money arrive.
 * Version: 0.3.0
 * Author: Sanad
 * License: Apache-2.0
 * License URI: https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain: sanad-for-woocommerce
 * Domain Path: /languages
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 7.8
 * WC tested up to: 11.0
 */
declare(strict_types=1);

defined('ABSPATH') || exit;

define('SANAD_WOOCOMMERCE_FILE', __FILE__);

spl_autoload_register(static function (string $class): void {
    $prefix = 'Sanad\\WooCommerce\\';
    if (!str_starts_with($class, $prefix)) {
        return;
    }
    // The service, the orders, and what the shop shows.
    foreach (['service', 'orders', 'shop'] as $folder) {
        $file = __DIR__ . "/includes/$folder/" . substr($class, strlen($prefix)) . '.php';
        if (is_file($file)) {
            require $file;
            return;
        }
    }
});

Sanad\WooCommerce\Plugin::start();
