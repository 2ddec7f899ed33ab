<?php

declare(strict_types=1);

namespace Sanad\Laravel\Testing;

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Http\Request;
use Sanad\CheckoutStore;
use Sanad\Http\HttpAnswer;
use Sanad\Http\Transport;
use Sanad\Internal\Amounts;
use Sanad\MemoryStore;
use Sanad\Sanad;
use Sanad\Webhooks;

/**
 * A service in memory for the tests of an application: wallets and intents, and so `checkout->start`. `pay` is the buyer. A call that it
 * does not know throws: checkouts and links are for a test against a real service.
 */
final class SanadFake implements Transport
{
    public const WALLET = '00000000-0000-4000-8000-00000000000a';
    /** Signs the deliveries. */
    public const SECRET = 'fake-signing-secret';
    private const PROVIDER = [
        'id' => 'made-up',
        'name' => 'Wallet',
        'display_name' => 'Wallet',
        'theme_color' => '#000000',
        'logo_url' => '',
        'provider_status' => 'ACTIVE',
    ];

    /** @var array<string, array<string, mixed>> */
    private array $intents = [];
    /** @var array<string, string> Ids by idempotency key. */
    private array $keys = [];

    /** Takes the place of the service, and of the table: a test that runs in a transaction can use `checkout->start`. */
    public static function install(Application $app): self
    {
        $fake = new self();
        $app['config']->set('sanad.url', 'https://sanad.test');
        $app['config']->set('sanad.client_id', 'fake');
        $app['config']->set('sanad.client_secret', 'fake');
        $app['config']->set('sanad.webhook_secrets', [self::SECRET]);
        $app->instance(Transport::class, $fake);
        $app->forgetInstance(Sanad::class);
        $app->instance(CheckoutStore::class, new MemoryStore());
        return $fake;
    }

    /** The money of a buyer arrives. Returns the `payment.verified` or `payment.wrong_amount` that the service would send. */
    public function pay(string $intentId, ?string $amount = null): array
    {
        $intent = $this->intents[$intentId] ?? throw new \LogicException("No intent has the id $intentId.");
        if ($intent['status'] !== 'PENDING' || $intent['reference'] === '') {
            throw new \LogicException("The intent $intentId cannot be paid: it is {$intent['status']}, its reference is \"{$intent['reference']}\".");
        }
        $paid = self::amountOf($amount ?? $intent['payable_amount']);
        $isWhole = $paid === $intent['payable_amount'];
        $now = self::now();
        $intent['status'] = $isWhole ? 'VERIFIED' : 'WRONG_AMOUNT';
        $intent['paid_amount'] = $isWhole ? null : $paid;
        $intent['verified_at'] = $isWhole ? $now : null;
        $this->intents[$intentId] = $intent;
        $same = ['payment_id' => $intentId, 'intent_id' => $intentId, 'order_id' => $intent['external_order_id']];
        $same += ['reference' => $intent['reference'], 'base_amount' => $intent['base_amount'], 'amount' => $intent['payable_amount']];
        $same += ['currency' => 'YER', 'status' => $intent['status'], 'manual_override' => false];
        return $isWhole
            ? ['event' => 'payment.verified', 'verified_at' => $now] + $same
            : ['event' => 'payment.wrong_amount', 'paid_amount' => $paid, 'ended_at' => $now, 'is_test' => false] + $same;
    }

    /**
     * The request with which the service would deliver an event: for the kernel of the application.
     *
     * @param array<mixed> $event
     */
    public static function delivery(array $event, string $path = '/sanad/webhook', string $eventId = 'fake-event'): Request
    {
        $body = json_encode($event, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        $server = [
            'CONTENT_TYPE' => 'application/json',
            'HTTP_X_SERVICE_SIGNATURE' => Webhooks::sign($body, self::SECRET),
            'HTTP_X_SERVICE_EVENT_ID' => $eventId,
        ];
        return Request::create($path, 'POST', server: $server, content: $body);
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeout, bool $once): HttpAnswer
    {
        $path = (string) parse_url($url, PHP_URL_PATH);
        parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
        $given = $body === null ? [] : json_decode($body, true, 64, JSON_THROW_ON_ERROR);
        if (!str_starts_with($path, '/api/v1/merchant/')) {
            throw new \LogicException("The fake does not know $method $path.");
        }
        $what = substr($path, strlen('/api/v1/merchant/'));
        $id = preg_match('~^intents/([^/]+)/$~D', $what, $found) === 1 ? $found[1] : null;
        return match (true) {
            $what === 'token' => self::json(200, ['access_token' => 'fake', 'token_type' => 'Bearer', 'expires_in' => 3600]),
            $what === 'wallets/' => self::json(200, [self::wallet()]),
            "$method $what" === 'POST intents/' => $this->create($given, $headers['service-idempotency-key'] ?? ''),
            "$method $what" === 'GET intents/' => $this->page($query),
            $id !== null && !isset($this->intents[$id]) => self::error(404, 'not_found'),
            $id !== null && $method === 'GET' => self::json(200, $this->intents[$id]),
            $id !== null && $method === 'PATCH' => $this->attach($id, $given['reference'] ?? ''),
            default => throw new \LogicException("The fake does not know $method $path."),
        };
    }

    /** @param array<string, mixed> $given */
    private function create(array $given, string $key): HttpAnswer
    {
        if (isset($this->keys[$key])) {
            return self::json(201, $this->intents[$this->keys[$key]], ['idempotent-replayed' => 'true']);
        }
        if (($given['wallet'] ?? null) !== self::WALLET) {
            return self::error(400, 'does_not_exist', 'wallet');
        }
        $minor = Amounts::totalOf($given['amount'] ?? null, $given['items'] ?? null);
        if ($minor === null || $minor < 1) {
            return self::error(400, $minor === null ? 'invalid' : 'min_value', 'amount');
        }
        $amount = Amounts::decimal($minor);
        $number = count($this->intents) + 1;
        $id = sprintf('00000000-0000-4000-8000-%012d', $number);
        ['currency' => $currency, 'provider' => $provider] = $wallet = self::wallet();
        unset($wallet['currency'], $wallet['provider']);
        $this->keys[$key] = $id;
        return self::json(201, $this->intents[$id] = [
            'id' => $id,
            'code' => sprintf('FAKE-%04d', $number),
            'external_order_id' => trim((string) ($given['external_order_id'] ?? '')),
            'reference' => '',
            'status' => 'PENDING',
            'base_amount' => $amount,
            'payable_amount' => $amount,
            'paid_amount' => null,
            'currency' => $currency,
            'items' => array_map(self::itemOf(...), $given['items'] ?? []),
            'notes' => (string) ($given['notes'] ?? ''),
            'wallet' => $wallet + ['sim_slot' => 'SIM1'],
            'provider' => $provider,
            'expires_at' => self::now('+30 minutes'),
            'created_at' => self::now(),
            'verified_at' => null,
            'manual_override' => false,
            'collected_manually' => false,
            'matched_event' => null,
            'device' => null,
            'subscription' => null,
        ]);
    }

    /** @param array<mixed> $query */
    private function page(array $query): HttpAnswer
    {
        $order = $query['external_order_id'] ?? null;
        $isFound = static fn (array $intent): bool => $order === null || $intent['external_order_id'] === $order;
        $found = array_values(array_filter($this->intents, $isFound));
        return self::json(200, ['count' => count($found), 'next' => null, 'previous' => null, 'results' => $found]);
    }

    private function attach(string $id, string $reference): HttpAnswer
    {
        $reference = trim($reference);
        foreach ($this->intents as $other => $intent) {
            if ($other !== $id && $intent['reference'] === $reference) {
                return self::error(400, 'reference_already_used', 'reference');
            }
        }
        if ($this->intents[$id]['status'] !== 'PENDING') {
            return self::error(400, 'intent_not_pending', 'reference');
        }
        $this->intents[$id]['reference'] = $reference;
        return self::json(200, $this->intents[$id]);
    }

    /** @return array<string, mixed> */
    private static function wallet(): array
    {
        return [
            'id' => self::WALLET,
            'name' => 'Wallet',
            'account_number' => '770000000',
            'sender_name' => 'Wallet',
            'currency' => 'YER',
            'provider' => self::PROVIDER,
            'is_test' => false,
        ];
    }

    /**
     * @param array<string, mixed> $item
     * @return array<string, mixed>
     */
    private static function itemOf(array $item): array
    {
        $quantity = $item['quantity'] ?? 1;
        return [
            'name' => $item['name'] ?? '',
            'description' => $item['description'] ?? '',
            'price' => self::amountOf($item['price']),
            'quantity' => $quantity,
            'total_price' => Amounts::decimal(Amounts::minorOf($item['price']) * $quantity),
        ];
    }

    private static function amountOf(string $text): string
    {
        return Amounts::decimal(Amounts::minorOf($text) ?? throw new \InvalidArgumentException("$text is no amount."));
    }

    private static function now(string $offset = 'now'): string
    {
        return gmdate('Y-m-d\TH:i:s\Z', (int) strtotime($offset));
    }

    /**
     * @param array<mixed> $body
     * @param array<string, string> $headers
     */
    private static function json(int $status, array $body, array $headers = []): HttpAnswer
    {
        return new HttpAnswer($status, $headers, json_encode($body, JSON_THROW_ON_ERROR));
    }

    private static function error(int $status, string $code, ?string $attr = null): HttpAnswer
    {
        $errors = [['code' => $code, 'detail' => 'Refused by the fake.', 'attr' => $attr]];
        return self::json($status, ['type' => $attr === null ? 'client_error' : 'validation_error', 'errors' => $errors]);
    }
}
