<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** Makes the client of the API in a shop: WordPress's HTTP functions, and a transient for the token. */
final class Connection
{
    /** A webhook must be answered within 15 seconds, and a checkout is waited for by a buyer. */
    private const TIMEOUT_S = 8;

    public static function api(Settings $settings): SanadApi
    {
        // The name changes with the key, so the token of an earlier key is never used.
        $name = 'sanad_token_' . substr(hash('sha256', "$settings->url $settings->clientId $settings->clientSecret"), 0, 20);
        return new HttpApi(
            $settings->url,
            $settings->clientId,
            $settings->clientSecret,
            self::send(...),
            static function () use ($name): ?string {
                $token = get_transient($name);
                return is_string($token) && $token !== '' ? $token : null;
            },
            static function (?string $token, int $seconds) use ($name): void {
                $token === null ? delete_transient($name) : set_transient($name, $token, $seconds);
            },
        );
    }

    /**
     * @param array<string, string> $headers
     * @return array{status: int, body: string, headers: array<string, string>}
     */
    private static function send(string $method, string $address, array $headers, ?string $body): array
    {
        $answer = wp_remote_request($address, [
            'method' => $method,
            'headers' => $headers,
            'body' => $body,
            'timeout' => self::TIMEOUT_S,
            'redirection' => 0,
            'limit_response_size' => 4 * 1024 * 1024,
            'user-agent' => 'sanad-for-woocommerce/' . Plugin::version(),
        ]);
        if (is_wp_error($answer)) {
            throw new ApiFault("$method $address: " . $answer->get_error_message(), 0);
        }
        return [
            'status' => (int) wp_remote_retrieve_response_code($answer),
            'body' => (string) wp_remote_retrieve_body($answer),
            'headers' => [
                'retry-after' => (string) wp_remote_retrieve_header($answer, 'retry-after'),
                'date' => (string) wp_remote_retrieve_header($answer, 'date'),
            ],
        ];
    }
}
