<?php

declare(strict_types=1);

namespace Sanad\Internal;

use Psr\SimpleCache\CacheInterface;
use Sanad\Http\TransportFault;
use Sanad\SanadConnectionError;
use Sanad\SanadError;

/**
 * Authenticated calls with one API key: token, retries, and every failure as one of the errors of the SDK.
 *
 * @internal
 */
final class Caller
{
    /** A proxy may answer too: what it sends is not trusted to be short. */
    private const LONGEST_HINT = 300;
    private const MOST_NAMES = 10;
    private const MOST_DEPTH = 64;

    private readonly TokenSource $tokens;

    public function __construct(private readonly Settings $settings, ?CacheInterface $cache)
    {
        $this->tokens = new TokenSource($settings, $cache, $this->requestToken(...));
    }

    /**
     * @param string $path The path after the base, such as `/api/v1/merchant/wallets/`.
     * @param array<mixed>|null $body
     * @param array<string, string> $headers
     * @param string|null $advice For the error of a call that may have been processed all the same.
     */
    public function call(
        string $method,
        string $path,
        ?array $body = null,
        array $headers = [],
        bool $isRepeatable = true,
        ?string $advice = null,
    ): Answer {
        if ($body !== null) {
            $headers['content-type'] = 'application/json';
        }
        $text = $body === null ? null : self::json($body);
        for ($renewed = false; ; $renewed = true) {
            $token = $this->tokens->get();
            try {
                $sent = $headers + ['authorization' => "Bearer $token"];
                return $this->send($method, $path, $sent, $text, $isRepeatable, $advice);
            } catch (SanadError $fault) {
                if ($renewed || $fault->status !== 401) {
                    throw $fault;
                }
                $this->tokens->forget($token);
            }
        }
    }

    public function now(): float
    {
        return ($this->settings->now)();
    }

    public function sleep(float $seconds): void
    {
        ($this->settings->sleep)($seconds);
    }

    /** @return array<mixed> */
    private function requestToken(): array
    {
        $headers = $this->settings->keyHeaders();
        $token = $this->send('POST', Settings::MERCHANT . '/token', $headers, null, true, null)->body;
        if (!is_string($token['access_token'] ?? null) || !is_numeric($token['expires_in'] ?? null)) {
            throw self::notSanad(200, null);
        }
        return $token;
    }

    /** @param array<string, string> $headers */
    private function send(
        string $method,
        string $path,
        array $headers,
        ?string $body,
        bool $isRepeatable,
        ?string $advice,
    ): Answer {
        for ($attempt = 1; ; $attempt++) {
            try {
                return $this->sendOnce($method, $path, $headers, $body, !$isRepeatable, $advice);
            } catch (SanadError | SanadConnectionError $fault) {
                $random = random_int(0, 1000) / 1000;
                [$most, $longest] = [$this->settings->maxRetries, $this->settings->maxRetryWait];
                $wait = Retry::wait($fault, $attempt, $most, $longest, $random, $isRepeatable);
                if ($wait === null) {
                    throw $fault;
                }
                $this->sleep($wait);
            }
        }
    }

    /** @param array<string, string> $headers */
    private function sendOnce(
        string $method,
        string $path,
        array $headers,
        ?string $body,
        bool $once,
        ?string $advice,
    ): Answer {
        $timeout = $this->settings->timeout;
        try {
            $url = $this->settings->base . $path;
            $answer = $this->settings->transport->send($method, $url, $headers, $body, $timeout, $once);
        } catch (TransportFault $fault) {
            $base = $this->settings->base;
            [$reason, $message] = $fault->isTimeout
                ? [SanadConnectionError::TIMEOUT, "Sanad gave no whole answer within $timeout s."]
                : [SanadConnectionError::UNREACHABLE, "No answer of Sanad at $base: there is no connection, or it was lost."];
            throw new SanadConnectionError($reason, self::withAdvice($message, $advice), null, $fault);
        }
        $received = json_decode($answer->body, true, self::MOST_DEPTH, JSON_BIGINT_AS_STRING);
        if ($answer->status >= 200 && $answer->status < 300 && is_array($received)) {
            return new Answer($received, isset($answer->headers['idempotent-replayed']));
        }
        $errors = self::errorsIn($received);
        if ($errors === null) {
            throw self::notSanad($answer->status, $advice);
        }
        $hint = substr($answer->headers['x-service-hint'] ?? '', 0, self::LONGEST_HINT);
        throw new SanadError(
            $answer->status,
            is_string($received['type'] ?? null) ? $received['type'] : '',
            $errors,
            Retry::afterSeconds($answer->headers['retry-after'] ?? null, $this->now()),
            $answer->headers['x-request-id'] ?? null,
            $hint === '' ? null : $hint,
            self::namesIn($answer->headers['x-service-ignored'] ?? ''),
            // A refusal has processed nothing.
            $answer->status < 500 ? null : $advice,
        );
    }

    private static function notSanad(int $status, ?string $advice): SanadConnectionError
    {
        $message = "The answer (status $status) is not one of Sanad: is baseUrl right, and is there a proxy?";
        return new SanadConnectionError(SanadConnectionError::NOT_SANAD, self::withAdvice($message, $advice), $status);
    }

    /** @return non-empty-list<array{code: string, detail: string, attr: string|null}>|null Null: it is no error of Sanad. */
    private static function errorsIn(mixed $body): ?array
    {
        if (!is_array($body) || !isset($body['type']) || !is_array($body['errors'] ?? null)) {
            return null;
        }
        $errors = [];
        foreach ($body['errors'] as $entry) {
            if (!is_array($entry) || !is_string($entry['code'] ?? null)) {
                return null;
            }
            $attr = $entry['attr'] ?? null;
            $detail = $entry['detail'] ?? '';
            $errors[] = [
                'code' => $entry['code'],
                'detail' => is_string($detail) ? $detail : '',
                'attr' => is_string($attr) ? $attr : null,
            ];
        }
        return $errors === [] ? null : $errors;
    }

    /**
     * `order_id, items.0.sku`
     *
     * @return list<string>
     */
    private static function namesIn(string $header): array
    {
        $names = array_filter(explode(', ', substr($header, 0, 1000)), static fn (string $name): bool => $name !== '');
        return array_map('rawurldecode', array_slice(array_values($names), 0, self::MOST_NAMES));
    }

    private static function withAdvice(string $message, ?string $advice): string
    {
        return $advice === null ? $message : "$message $advice";
    }

    /**
     * PHP has one kind of array for lists and for objects: these fields are objects, also when they are empty.
     *
     * @param array<mixed> $body
     */
    private static function json(array $body): string
    {
        foreach (['metadata', 'customer'] as $name) {
            if (is_array($body[$name] ?? null)) {
                $body[$name] = (object) $body[$name];
            }
        }
        try {
            return json_encode((object) $body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
        } catch (\JsonException $fault) {
            throw new \InvalidArgumentException("The body cannot be sent: {$fault->getMessage()}", 0, $fault);
        }
    }
}
