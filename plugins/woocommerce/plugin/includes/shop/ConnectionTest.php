<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** Answers the button of the settings page: is the address right, the key, the clock, and does a callback reach this shop? */
final class ConnectionTest
{
    public const ACTION = 'sanad_connection_test';
    /** The plugin's own event, signed with the secret of the form. The receiver answers it and does nothing. */
    public const EVENT = 'shop.connection_test';
    private const MOST_SKEW_S = 120;

    public static function answer(): void
    {
        check_ajax_referer(self::ACTION, 'nonce');
        if (!current_user_can('manage_woocommerce')) {
            wp_send_json_error(null, 403);
        }
        $given = [];
        foreach (['url', 'client_id', 'client_secret', 'webhook_secret'] as $name) {
            $given[$name] = is_string($_POST[$name] ?? null) ? trim(wp_unslash($_POST[$name])) : '';
        }
        wp_send_json_success(self::lines(Settings::of($given)));
    }

    /** @return list<array{good: bool, text: string}> */
    private static function lines(Settings $settings): array
    {
        $good = static fn (string $text): array => ['good' => true, 'text' => $text];
        $bad = static fn (string $text): array => ['good' => false, 'text' => $text];
        if (!$settings->isComplete()) {
            return [$bad(__('Please fill in the address, the key with its secret, and the signing secret.', 'sanad-for-woocommerce'))];
        }
        $lines = [];
        try {
            $wallets = Connection::api($settings)->wallets(false);
            $lines[] = $good(__('The address and the key are right.', 'sanad-for-woocommerce'));
            $names = array_values(array_unique(array_map(Gateway::companyOf(...), $wallets)));
            $lines[] = $names === []
                ? $bad(__('No wallet can collect now: add one in Sanad and connect its phone.', 'sanad-for-woocommerce'))
                /* translators: %s: names of wallets */
                : $good(sprintf(__('Wallets that buyers can use: %s', 'sanad-for-woocommerce'), implode(__(', ', 'sanad-for-woocommerce'), $names)));
        } catch (ApiFault $fault) {
            $lines[] = $bad(match (true) {
                $fault->status === 401 => __('The key is wrong, or it was revoked.', 'sanad-for-woocommerce'),
                $fault->status === 429 => __('Too many tries. Please wait a minute.', 'sanad-for-woocommerce'),
                /* translators: %s: the fault in English */
                default => sprintf(__('Sanad cannot be reached at this address: %s', 'sanad-for-woocommerce'), $fault->getMessage()),
            });
        }
        $skew = self::skew($settings->url);
        if ($skew !== null && abs($skew) > self::MOST_SKEW_S) {
            /* translators: %d: seconds */
            $lines[] = $bad(sprintf(__('The clock of this server is %d seconds off: callbacks more than five minutes off are refused.', 'sanad-for-woocommerce'), $skew));
        }
        $lines[] = self::receives($settings)
            ? $good(__('A signed callback reaches this shop.', 'sanad-for-woocommerce'))
            : $bad(__('A callback with the signing secret above did not reach this shop. Save first; if it stays so, something blocks the address of the endpoint.', 'sanad-for-woocommerce'));
        $last = (int) get_option(Receiver::LAST, 0);
        $lines[] = $last > 0
            /* translators: %s: a span of time, such as 5 minutes */
            ? $good(sprintf(__('Last callback of Sanad: %s ago.', 'sanad-for-woocommerce'), human_time_diff($last)))
            : $bad(__('No callback of Sanad has arrived yet: send a test from Sanad\'s dashboard (Webhooks).', 'sanad-for-woocommerce'));
        if (get_woocommerce_currency() !== Money::CURRENCY) {
            $lines[] = $bad(Notes::otherCurrency(get_woocommerce_currency()));
        }
        return $lines;
    }

    /** How far the clocks differ, in seconds. */
    private static function skew(string $url): ?int
    {
        $answer = wp_remote_head("$url/healthz", ['timeout' => 5, 'redirection' => 0]);
        $date = is_wp_error($answer) ? false : strtotime((string) wp_remote_retrieve_header($answer, 'date'));
        return $date === false ? null : time() - $date;
    }

    private static function receives(Settings $settings): bool
    {
        $body = (string) wp_json_encode(['event' => self::EVENT]);
        $answer = wp_remote_post(Receiver::address(), [
            'timeout' => 5,
            'redirection' => 0,
            'headers' => ['X-Service-Signature' => Signature::sign($body, $settings->secrets[0], time()), 'Content-Type' => 'application/json'],
            'body' => $body,
        ]);
        return !is_wp_error($answer) && wp_remote_retrieve_response_code($answer) === 204;
    }
}
