<?php
/**
 * The plugin is deleted: its settings, with their secrets, go too, on every site of a network. What is noted with the orders stays.
 */
declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

$forget = static function (): void {
    foreach (['woocommerce_sanad_settings', 'sanad_last_event', 'sanad_timer_after'] as $name) {
        delete_option($name);
    }
    delete_transient('sanad_wallets');
};

if (!is_multisite()) {
    $forget();
    return;
}
foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $site) {
    switch_to_blog((int) $site);
    $forget();
    restore_current_blog();
}
