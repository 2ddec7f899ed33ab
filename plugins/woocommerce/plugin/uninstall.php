<?php
/** The plugin is deleted: its settings, with their secrets, go too. What is noted with the orders stays. */
declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

foreach (['woocommerce_sanad_settings', 'sanad_last_event', 'sanad_timer_after'] as $name) {
    delete_option($name);
}
delete_transient('sanad_wallets');
