<?php
// One test payment, from the first call to VERIFIED: php quick-start.php
declare(strict_types=1);

require 'sanad-php/autoload.php'; // With Composer: vendor/autoload.php

$sanad = new Sanad\Sanad(getenv('SANAD_URL'), getenv('SANAD_CLIENT_ID'), getenv('SANAD_CLIENT_SECRET'));

// 1. The wallets. The test wallet works like the others, only without money.
$tests = array_filter($sanad->wallets->list(includeTest: true), fn (array $one): bool => $one['is_test']);
$wallet = array_values($tests)[0] ?? exit("This account has no test wallet.\n");

// 2. A payment request for one order. Called again, start gives the same one until it has ended.
$store = new Sanad\MemoryStore(); // In your shop: Sanad\PdoStore, a table.
$started = $sanad->checkout->start('TRY-' . time(), $wallet['id'], $store, amount: '1500.00');
$intent = $started->intent;
echo "Send exactly {$intent['payable_amount']} {$intent['currency']} to {$wallet['name']} ({$wallet['account_number']}).\n";

// 3. The buyer pays and types the number that the wallet showed. Here it is made up.
$reference = 'TEST-' . time();
$sanad->intents->attachReference($intent['id'], $reference);
echo "Now pay it, in another terminal, in the folder of Sanad:\n";
echo "  npx --no sanad phone --wallet {$wallet['id']} --amount {$intent['payable_amount']} --reference $reference\n";
echo "Or in the dashboard, with its buttons:\n  ", getenv('SANAD_URL'), "/first-payment?intent={$intent['id']}\n";

// 4. A shop learns of the outcome by a webhook. This program asks until the intent has ended.
$ended = $sanad->intents->wait($intent['id']);
echo "{$ended['external_order_id']}: {$ended['status']}\n";
