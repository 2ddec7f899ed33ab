<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * Sanad's API over HTTP. The transport and the store of the token are given: WordPress's own in a shop, made up ones in tests.
 * What is repeated is safe to repeat: a create always has a key.
 *
 * @phpstan-type Answer array{status: int, body: string, headers: array<string, string>}
 */
final class HttpApi implements SanadApi
{
    private const TRIES = 3;
    /** A pause that the service asks for, in seconds; a longer one is not waited for. */
    private const LONGEST_PAUSE_S = 2;
    /** An order has few intents: 20 for a checkout. Five pages of 100 are far more than an order can have. */
    private const MOST_PAGES = 5;

    /**
     * @param \Closure(string, string, array<string, string>, ?string): Answer $send Method, address, headers, body. Throws ApiFault
     *   with status 0 when there is no answer.
     * @param \Closure(): ?string $storedToken
     * @param \Closure(?string, int): void $storeToken The token and its seconds; null forgets it.
     */
    public function __construct(
        private readonly string $origin,
        private readonly string $clientId,
        private readonly string $clientSecret,
        private readonly \Closure $send,
        private readonly \Closure $storedToken,
        private readonly \Closure $storeToken,
    ) {
    }

    public function wallets(bool $withTest): array
    {
        return self::rows($this->call('GET', '/merchant/wallets/' . ($withTest ? '?include_test=1' : '')));
    }

    public function createCheckout(array $body, string $key): array
    {
        return $this->call('POST', '/checkout/sessions/', $body, $key);
    }

    public function checkout(string $id): array
    {
        return $this->call('GET', '/checkout/sessions/' . rawurlencode($id) . '/');
    }

    public function cancelCheckout(string $id): void
    {
        $this->call('POST', '/checkout/sessions/' . rawurlencode($id) . '/cancel/');
    }

    public function createIntent(array $body, string $key): array
    {
        return $this->call('POST', '/merchant/intents/', $body, $key);
    }

    public function intent(string $id): array
    {
        return $this->call('GET', '/merchant/intents/' . rawurlencode($id) . '/');
    }

    public function attachReference(string $intent, string $reference): array
    {
        return $this->call('PATCH', '/merchant/intents/' . rawurlencode($intent) . '/', ['reference' => $reference]);
    }

    public function intentsOf(string $externalOrderId): array
    {
        $found = [];
        for ($page = 1; $page <= self::MOST_PAGES; $page++) {
            $query = http_build_query([
                'external_order_id' => $externalOrderId,
                'ordering' => 'created_at',
                'page_size' => 100,
                'page' => $page,
            ]);
            $answer = $this->call('GET', "/merchant/intents/?$query");
            $rows = self::rows($answer);
            array_push($found, ...$rows);
            if ($rows === [] || count($found) >= (int) ($answer['count'] ?? 0)) {
                // Whatever stands between may lose the filter: the money of another order never counts.
                return array_values(array_filter(
                    $found,
                    static fn (array $intent): bool => ($intent['external_order_id'] ?? null) === $externalOrderId,
                ));
            }
        }
        // A window of rows must not decide about money.
        throw new ApiFault("The order $externalOrderId has too many payment requests to be read.", 0);
    }

    /** @param ?array<string, mixed> $body @return array<mixed> */
    private function call(string $method, string $path, ?array $body = null, ?string $key = null): array
    {
        $isRenewed = false;
        for ($try = 1;; $try++) {
            $headers = ['Authorization' => 'Bearer ' . $this->token()];
            if ($key !== null) {
                $headers['SERVICE-IDEMPOTENCY-KEY'] = $key;
            }
            try {
                return $this->once($method, $path, $headers, $body);
            } catch (ApiFault $fault) {
                if ($fault->status === 401 && !$isRenewed) {
                    // The token ended early: keys are rotated and revoked.
                    $isRenewed = true;
                    ($this->storeToken)(null, 0);
                    continue;
                }
                if ($try >= self::TRIES || !in_array($fault->status, [0, 429, 502, 503, 504], true)) {
                    throw $fault;
                }
                $pause = $fault->pause_s;
                if ($pause > self::LONGEST_PAUSE_S) {
                    throw $fault;
                }
                usleep(max($pause * 1_000_000, 200_000 * $try));
            }
        }
    }

    private function token(): string
    {
        $stored = ($this->storedToken)();
        if ($stored !== null) {
            return $stored;
        }
        $headers = ['SERVICE-CLIENT-ID' => $this->clientId, 'SERVICE-CLIENT-SECRET' => $this->clientSecret];
        $answer = $this->once('POST', '/merchant/token', $headers, null);
        $token = is_string($answer['access_token'] ?? null) ? $answer['access_token'] : '';
        if ($token === '') {
            throw new ApiFault('The service gave no token: is this the address of Sanad?', 0);
        }
        ($this->storeToken)($token, max(1, (int) ($answer['expires_in'] ?? 60) - 60));
        return $token;
    }

    /**
     * @param array<string, string> $headers
     * @param ?array<string, mixed> $body
     * @return array<mixed>
     */
    private function once(string $method, string $path, array $headers, ?array $body): array
    {
        $headers['Accept'] = 'application/json';
        $text = null;
        if ($body !== null) {
            $headers['Content-Type'] = 'application/json';
            $text = json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        }
        $answer = ($this->send)($method, $this->origin . '/api/v1' . $path, $headers, $text);
        $read = json_decode($answer['body'], true);
        if ($answer['status'] >= 200 && $answer['status'] < 300 && is_array($read)) {
            return $read;
        }
        throw self::faultOf($method, $path, $answer, is_array($read) ? $read : []);
    }

    /** @param Answer $answer @param array<mixed> $read */
    private static function faultOf(string $method, string $path, array $answer, array $read): ApiFault
    {
        $errors = [];
        foreach (is_array($read['errors'] ?? null) ? array_slice($read['errors'], 0, 20) : [] as $one) {
            $errors[] = [
                'code' => is_string($one['code'] ?? null) ? $one['code'] : '',
                'detail' => is_string($one['detail'] ?? null) ? $one['detail'] : '',
                'attr' => is_string($one['attr'] ?? null) ? $one['attr'] : null,
            ];
        }
        $status = $answer['status'];
        if ($errors === []) {
            return new ApiFault("$method $path: the answer ($status) is not one of Sanad.", $status >= 400 ? $status : 0);
        }
        $details = implode(' ', array_map(
            static fn (array $one): string => ($one['attr'] === null ? '' : "{$one['attr']}: ") . $one['detail'],
            $errors,
        ));
        return new ApiFault("$method $path: $status $details", $status, $errors, (int) ($answer['headers']['retry-after'] ?? 0));
    }

    /** @param array<mixed> $answer @return list<array<string, mixed>> */
    private static function rows(array $answer): array
    {
        $rows = array_is_list($answer) ? $answer : ($answer['results'] ?? []);
        return array_values(array_filter(is_array($rows) ? $rows : [], 'is_array'));
    }
}
