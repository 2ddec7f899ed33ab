<?php
/**
 * A must-use plugin of the test's shop: mails are counted instead of sent, and the moment before an order becomes paid is made long, so
 * that callbacks that are sent together do meet there.
 */
add_filter('pre_wp_mail', static function ($sent, array $mail) {
    $line = json_encode(['to' => $mail['to'], 'subject' => $mail['subject']], JSON_UNESCAPED_UNICODE) . "\n";
    file_put_contents(SANAD_TEST_MAILS, $line, FILE_APPEND | LOCK_EX);
    return true;
}, 10, 2);

add_action('woocommerce_pre_payment_complete', static function (): void {
    usleep(300_000);
});

// A new installation asks for nothing.
add_filter('woocommerce_enable_setup_wizard', '__return_false');
add_filter('woocommerce_prevent_automatic_wizard_redirect', '__return_true');
