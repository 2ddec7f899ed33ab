<?php

declare(strict_types=1);

namespace Sanad;

/**
 * Verifies webhooks: signed with the endpoint's secret, recent, and an event.
 *
 * @phpstan-import-type WebhookEvent from Api
 */
final class Webhooks
{
    /** Far above the size of an event, which has less than 2 KiB. */
    private const LONGEST_BODY = 1024 * 1024;
    /** Sanad signs with at most two secrets. A forged header must not cost much more than that. */
    private const LONGEST_HEADER = 2048;

    /**
     * Verifies that a webhook comes from Sanad and is recent, and returns its event. A kind that this version does not know is returned
     * as well, so that a new one breaks nobody: have a `default`.
     *
     * @param string $rawBody The body exactly as it arrived, before any JSON parsing.
     * @param string|list<string>|null $header The value of `X-Service-Signature`.
     * @param string|list<string> $secret The endpoint's secret, or several while you change from one to another.
     * @param float $tolerance How many seconds the signature's time may differ from this machine's clock. INF: any.
     * @param float|null $now The time in seconds. For tests.
     * @return WebhookEvent
     * @throws WebhookError The request is not genuine, not fresh, or not an event: answer 400.
     * @throws \InvalidArgumentException It was called wrongly, such as without a secret: answer 500.
     */
    public static function verify(
        string $rawBody,
        string|array|null $header,
        #[\SensitiveParameter]
        string|array $secret,
        float $tolerance = 300.0,
        ?float $now = null,
    ): array {
        $secrets = self::secretsOf($secret);
        // NAN is neither too old nor too new: it would disable the check.
        if (!($tolerance >= 0)) {
            throw new \InvalidArgumentException('tolerance must be a number of seconds, 0 or more.');
        }
        $now ??= microtime(true);
        if (!is_finite($now)) {
            throw new \InvalidArgumentException('now must be a time in seconds.');
        }
        ['t' => $t, 'signatures' => $signatures] = self::readHeader($header);
        // Every pair is compared completely: the time reveals nothing about how close a guess was.
        $matches = 0;
        foreach ($secrets as $one) {
            $ours = hash_hmac('sha256', "$t.$rawBody", $one);
            foreach ($signatures as $theirs) {
                $matches += (int) hash_equals($ours, $theirs);
            }
        }
        if ($matches === 0) {
            throw new WebhookError(
                WebhookError::NO_MATCH,
                "No signature matches: the secret is not this endpoint's, or the body is not, byte for byte, the one that was sent.",
            );
        }
        $age = $now - (float) $t;
        if ($age > $tolerance) {
            $message = 'The signature is ' . round($age) . " s old; $tolerance s are allowed.";
            throw new WebhookError(WebhookError::TOO_OLD, $message);
        }
        // Sanad does not sign ahead of time, so this clock is slow.
        if (-$age > $tolerance) {
            $message = 'The signature is dated ' . round(-$age) . " s ahead of this machine's clock; $tolerance s are allowed.";
            throw new WebhookError(WebhookError::TOO_NEW, $message);
        }
        return self::eventOf($rawBody);
    }

    /**
     * Receives a webhook in plain PHP: `http_response_code(Webhooks::receive($secret, $onEvent))`. Returns the status to answer with.
     * 204: handled. 400: not a genuine delivery. 500: this server failed, and Sanad sends the event again.
     *
     * @param string|list<string> $secret
     * @param callable(WebhookEvent, Delivery): mixed $onEvent Called for each genuine delivery.
     * @param string|null $rawBody Default: the body of this request.
     * @param array<string, string>|null $headers By their names, in any case. Default: those of this request.
     * @param (callable(\Throwable): mixed)|null $onError Every refused or failed delivery. Default: one line by error_log.
     * @return 204|400|500
     */
    public static function receive(
        #[\SensitiveParameter]
        string|array $secret,
        callable $onEvent,
        ?string $rawBody = null,
        ?array $headers = null,
        ?callable $onError = null,
        float $tolerance = 300.0,
        ?float $now = null,
    ): int {
        try {
            $rawBody ??= self::bodyOfRequest();
            if (strlen($rawBody) > self::LONGEST_BODY) {
                throw new WebhookError(WebhookError::MALFORMED_BODY, 'The body is larger than any event.');
            }
            $given = $headers === null ? self::headersOfRequest() : array_change_key_case($headers);
            $event = self::verify($rawBody, $given['x-service-signature'] ?? null, $secret, $tolerance, $now);
            $onEvent($event, self::deliveryOf($given, $event));
            return 204;
        } catch (\Throwable $fault) {
            $onError === null ? error_log("Sanad webhook: {$fault->getMessage()}") : $onError($fault);
            return $fault instanceof WebhookError ? 400 : 500;
        }
    }

    /**
     * @param array<string, string> $headers Their names in small letters.
     * @param array<mixed> $event
     */
    public static function deliveryOf(array $headers, array $event): Delivery
    {
        return new Delivery(
            $headers['x-service-event-id'] ?? '',
            $headers['x-service-delivery-id'] ?? '',
            $headers['x-service-attempt'] ?? '',
            ($headers['x-service-test'] ?? '') !== '' || ($event['is_test'] ?? false) === true,
        );
    }

    /** The value of `X-Service-Signature` for a body, as Sanad signs it: for your own tests. */
    public static function sign(string $rawBody, #[\SensitiveParameter] string $secret, ?int $now = null): string
    {
        $t = $now ?? time();
        return "t=$t,v1=" . hash_hmac('sha256', "$t.$rawBody", $secret);
    }

    private static function bodyOfRequest(): string
    {
        $body = file_get_contents('php://input', false, null, 0, self::LONGEST_BODY + 1);
        if ($body === false) {
            throw new \RuntimeException('The body of the request cannot be read.');
        }
        return $body;
    }

    /** @return array<string, string> */
    private static function headersOfRequest(): array
    {
        $headers = [];
        foreach ($_SERVER as $name => $value) {
            if (is_string($name) && str_starts_with($name, 'HTTP_X_SERVICE_') && is_string($value)) {
                $headers[strtolower(str_replace('_', '-', substr($name, 5)))] = $value;
            }
        }
        return $headers;
    }

    /**
     * @param string|array<mixed> $secret
     * @return non-empty-list<non-empty-string>
     */
    private static function secretsOf(string|array $secret): array
    {
        $secrets = is_array($secret) ? array_values($secret) : [$secret];
        foreach ($secrets as $one) {
            // An unset variable must not become a key that everybody knows.
            if (!is_string($one) || $one === '') {
                $secrets = [];
                break;
            }
        }
        if ($secrets === []) {
            throw new \InvalidArgumentException(
                "secret must be the endpoint's signing secret, or a list of them; it is empty or not text.",
            );
        }
        return $secrets;
    }

    /**
     * `t=<unix seconds>,v1=<hex>`, with a second `v1` while a secret is being rotated. Schemes other than `v1` are ignored, so that one
     * can be added later. `t` is returned exactly as it was written, because these characters were signed.
     *
     * @param string|array<mixed>|null $header
     * @return array{t: string, signatures: non-empty-list<string>}
     */
    private static function readHeader(string|array|null $header): array
    {
        $values = is_array($header) ? array_values($header) : [$header ?? ''];
        $text = is_string($values[0] ?? null) ? trim($values[0]) : '';
        if ($text === '') {
            throw new WebhookError(
                WebhookError::MISSING_HEADER,
                'The request has no X-Service-Signature header: it does not come from Sanad.',
            );
        }
        if (count($values) > 1) {
            throw self::malformed('it was sent more than once');
        }
        if (strlen($text) > self::LONGEST_HEADER) {
            throw self::malformed('it is too long');
        }
        $t = null;
        $signatures = [];
        foreach (explode(',', $text) as $part) {
            $pair = array_map('trim', explode('=', $part, 2));
            if (count($pair) < 2) {
                throw self::malformed('one part has no "="');
            }
            [$name, $value] = $pair;
            if ($name === 't') {
                if ($t !== null) {
                    throw self::malformed('it has two times');
                }
                if (preg_match('/^[0-9]{1,12}$/D', $value) !== 1) {
                    throw self::malformed('its time is not a whole number of seconds');
                }
                $t = $value;
            } elseif ($name === 'v1') {
                if (preg_match('/^[0-9a-f]{64}$/Di', $value) !== 1) {
                    throw self::malformed('a v1 is not 64 hexadecimal digits');
                }
                $signatures[] = strtolower($value);
            }
        }
        if ($t === null) {
            throw self::malformed('it has no time');
        }
        if ($signatures === []) {
            throw self::malformed('it has no v1');
        }
        return ['t' => $t, 'signatures' => $signatures];
    }

    private static function malformed(string $why): WebhookError
    {
        return new WebhookError(
            WebhookError::MALFORMED_HEADER,
            "X-Service-Signature is not of the form t=<unix-ts>,v1=<hex>: $why.",
        );
    }

    /** @return WebhookEvent */
    private static function eventOf(string $rawBody): array
    {
        try {
            $event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
        } catch (\JsonException $fault) {
            $message = 'The body is signed correctly, but it is not JSON in UTF-8.';
            throw new WebhookError(WebhookError::MALFORMED_BODY, $message, $fault);
        }
        if (!is_array($event) || !is_string($event['event'] ?? null)) {
            $message = 'The body is signed correctly, but it is not an event: it has no kind.';
            throw new WebhookError(WebhookError::MALFORMED_BODY, $message);
        }
        /** @var WebhookEvent */
        return $event;
    }
}
