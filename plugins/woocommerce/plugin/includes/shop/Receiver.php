<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** The address that Sanad calls: `/?wc-api=sanad`. A callback is answered 204 only after the order was brought up to date. */
final class Receiver
{
    public const ROUTE = 'sanad';
    /** The time of the last genuine callback, for the settings page. */
    public const LAST = 'sanad_last_event';
    private const MOST_BYTES = 1024 * 1024;

    public static function address(): string
    {
        return WC()->api_request_url(self::ROUTE);
    }

    public static function receive(): void
    {
        nocache_headers();
        if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST') {
            self::answer(405, 'This address receives callbacks of Sanad (POST).');
        }
        $body = (string) file_get_contents('php://input', false, null, 0, self::MOST_BYTES + 1);
        if (strlen($body) > self::MOST_BYTES) {
            self::answer(413, 'The body is too large.');
        }
        $header = is_string($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null) ? $_SERVER['HTTP_X_SERVICE_SIGNATURE'] : '';
        try {
            $event = Signature::eventOf($body, $header, Settings::read()->secrets, time());
        } catch (NotGenuine $fault) {
            self::answer(400, $fault->getMessage());
        }
        if ($event['event'] === ConnectionTest::EVENT) {
            self::answer(204);
        }
        update_option(self::LAST, time(), false);
        try {
            self::process($event);
        } catch (Busy $busy) {
            header('Retry-After: 5');
            self::answer(503, $busy->getMessage());
        } catch (ApiFault $fault) {
            Gateway::log($fault);
            header('Retry-After: 30');
            self::answer(503, 'Sanad could not be asked about this payment.');
        } catch (\Throwable $fault) {
            Gateway::log($fault);
            self::answer(500, 'The order could not be updated.');
        }
        self::answer(204);
    }

    /** @param array<string, mixed> $event */
    private static function process(array $event): void
    {
        $number = is_string($event['order_id'] ?? null) ? $event['order_id'] : '';
        $id = OrderRecord::idOf($number);
        if ($id === null) {
            return;
        }
        try {
            OrderPayments::open()->refresh($id, $event);
        } catch (NoSuchOrder $unknown) {
            // An order of another shop, or one that was deleted: Sanad keeps the money's record.
            wc_get_logger()->warning("Callback {$event['event']} for $number: {$unknown->getMessage()}", ['source' => 'sanad']);
        }
    }

    private static function answer(int $status, string $text = ''): never
    {
        status_header($status);
        header('Content-Type: text/plain; charset=utf-8');
        echo $text;
        exit;
    }
}
