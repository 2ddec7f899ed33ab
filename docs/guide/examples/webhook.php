<?php
// Receives webhooks, with the SDK: curl -O $SANAD_URL/docs/guide/sanad-php.zip && unzip sanad-php.zip
// SANAD_WEBHOOK_SECRET=... php -S 127.0.0.1:3000 webhook.php
declare(strict_types=1);

require 'sanad-php/autoload.php'; // With Composer: vendor/autoload.php

/** What an order costs. In your shop: select amount from orders where id = ?, with two decimals, as Sanad writes amounts. */
const AMOUNTS = ['طلبية-1' => '1500.00', 'ORDER-1042' => '9500.00'];

/** In your shop: update orders set paid_by = ? where id = ? and paid_by is null and amount = ? and currency = ? */
function mark_paid(array $event): string
{
    // A field that is missing, or no text, is "": then it is no order, and no amount.
    $text = fn (string $name): string => is_string($event[$name] ?? null) ? $event[$name] : '';
    [$order, $intent, $amount, $currency] = array_map($text, ['order_id', 'intent_id', 'base_amount', 'currency']);
    // quick-start.ts makes orders named TRY-...
    $due = str_starts_with($order, 'TRY-') ? '1500.00' : AMOUNTS[$order] ?? null;
    if ($due === null || $intent === '') {
        return "Order $order is not known: ask a user";
    }
    if ($amount !== $due || $currency !== 'YER') {
        return "Order $order is not paid: $amount $currency for $due YER, ask a user";
    }
    $file = fopen(getenv('SANAD_PAID_FILE') ?: sys_get_temp_dir() . '/sanad-paid.json', 'c+');
    flock($file, LOCK_EX);
    $paidBy = json_decode(stream_get_contents($file) ?: '{}', true);
    $before = $paidBy[$order] ?? null;
    if ($before === null) {
        $paidBy[$order] = $intent;
        rewind($file);
        ftruncate($file, 0);
        fwrite($file, json_encode($paidBy));
    }
    fclose($file);
    if ($before === null) {
        return "Order $order is paid: $amount";
    }
    // Otherwise it is the same payment, reported once more.
    return $before === $intent ? '' : "Order $order was paid twice: $before and $intent";
}

$onEvent = function (array $event, Sanad\Delivery $delivery): void {
    // Events of the test wallet and test sends are signed as well, but no money arrived: they count in test mode only.
    $counts = !$delivery->isTest || getenv('SANAD_TEST_MODE') === '1';
    if ($event['event'] === 'payment.verified' && $counts) {
        $line = mark_paid($event);
        if ($line !== '') {
            file_put_contents('php://stdout', "$line\n");
        }
    }
};
// 204: handled. 400: not from Sanad, or older than five minutes. 500: this server failed, and Sanad sends the event again.
http_response_code(Sanad\Webhooks::receive(getenv('SANAD_WEBHOOK_SECRET') ?: '', $onEvent));
