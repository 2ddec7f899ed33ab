<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** Pure. Checks that a webhook is from Sanad, over the bytes as they arrived, and is not older than five minutes. */
final class Signature
{
    public const TOLERANCE_S = 300;

    /**
     * Returns the event. Throws NotGenuine, whose message says why.
     *
     * @param list<string> $secrets Two while a secret is changed.
     * @return array<string, mixed>
     */
    public static function eventOf(string $rawBody, string $header, array $secrets, int $now): array
    {
        $secrets = array_values(array_filter($secrets, static fn (string $one): bool => $one !== ''));
        if ($secrets === []) {
            throw new NotGenuine('the signing secret is not set');
        }
        [$time, $given] = self::read($header);
        $matches = false;
        foreach ($secrets as $secret) {
            $expected = hash_hmac('sha256', $time . '.' . $rawBody, $secret);
            foreach ($given as $one) {
                $matches = hash_equals($expected, $one) || $matches;
            }
        }
        if (!$matches) {
            throw new NotGenuine('no signature matches: another secret, or a changed body');
        }
        if (abs($now - (int) $time) > self::TOLERANCE_S) {
            throw new NotGenuine('the signature is too old, or the clock of this server is wrong');
        }
        $event = json_decode($rawBody, true);
        if (!is_array($event) || !is_string($event['event'] ?? null)) {
            throw new NotGenuine('the body is signed, but it is not an event');
        }
        return $event;
    }

    public static function sign(string $rawBody, string $secret, int $now): string
    {
        return "t=$now,v1=" . hash_hmac('sha256', "$now.$rawBody", $secret);
    }

    /** @return array{string, list<string>} */
    private static function read(string $header): array
    {
        $times = [];
        $given = [];
        foreach (array_slice(explode(',', $header), 0, 10) as $part) {
            [$name, $value] = array_pad(explode('=', trim($part), 2), 2, '');
            if ($name === 't') {
                $times[] = $value;
            }
            if ($name === 'v1') {
                $given[] = $value;
            }
        }
        if (count($times) !== 1 || !preg_match('/^\d{1,12}$/D', $times[0])) {
            throw new NotGenuine('X-Service-Signature is missing or malformed');
        }
        return [$times[0], $given];
    }
}
