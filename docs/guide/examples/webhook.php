<?php
// Receives webhooks. SANAD_WEBHOOK_SECRET=... php -S 127.0.0.1:3000 webhook.php
declare(strict_types=1);

/** Returns the event. Throws RuntimeException if it is not from Sanad, or older than five minutes. */
function verify_webhook(string $rawBody, string $header, string $secret, int $toleranceS = 300): array
{
    if ($secret === '') {
        throw new LogicException('the signing secret is not set');
    }
    $time = null;
    $given = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = array_pad(explode('=', trim($part), 2), 2, '');
        if ($name === 't') {
            $time = $value;
        }
        // Two signatures while the secret is rotated: one of them must match.
        if ($name === 'v1') {
            $given[] = $value;
        }
    }
    if ($time === null || !preg_match('/^[0-9]{1,12}$/D', $time)) {
        throw new RuntimeException('X-Service-Signature is missing or malformed');
    }
    $expected = hash_hmac('sha256', $time . '.' . $rawBody, $secret);
    $matches = false;
    foreach ($given as $one) {
        $matches = hash_equals($expected, $one) || $matches;
    }
    if (!$matches) {
        throw new RuntimeException('no signature matches');
    }
    if (abs(time() - (int) $time) > $toleranceS) {
        throw new RuntimeException('the signature is too old, or this clock is wrong');
    }
    $event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
    if (!is_array($event) || !is_string($event['event'] ?? null)) {
        throw new RuntimeException('the body is signed, but it is not an event');
    }
    return $event;
}

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

try {
    $rawBody = file_get_contents('php://input');
    $event = verify_webhook($rawBody, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', getenv('SANAD_WEBHOOK_SECRET') ?: '');
    // Events of the test wallet and test sends are signed as well, but no money arrived.
    $isTest = isset($_SERVER['HTTP_X_SERVICE_TEST']);
    if ($event['event'] === 'payment.verified' && !$isTest) {
        $line = mark_paid($event);
        if ($line !== '') {
            file_put_contents('php://stdout', "$line\n");
        }
    }
    http_response_code(204);
} catch (RuntimeException | JsonException $fault) {
    error_log($fault->getMessage());
    http_response_code(400);
}
