<?php

declare(strict_types=1);

namespace Sanad\Internal;

use Sanad\SanadConnectionError;
use Sanad\SanadError;

/**
 * Decides whether a failed request is sent again, and after which wait. Pure.
 *
 * @internal
 */
final class Retry
{
    private const FIRST_S = 0.5;
    private const LONGEST_S = 8.0;
    /** 408, 502 and 504 come from proxies. 401 is not among them: Caller renews the token. */
    private const RETRIED = [408, 409, 429, 500, 502, 503, 504];

    /** `Retry-After` in seconds: a whole number or a date. */
    public static function afterSeconds(?string $header, float $now): ?float
    {
        $text = trim($header ?? '');
        if (preg_match('/^\d{1,9}$/D', $text) === 1) {
            return (float) $text;
        }
        $at = preg_match('/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/D', $text) === 1 ? strtotime($text) : false;
        return $at === false ? null : max(0.0, ceil($at - $now));
    }

    /**
     * The wait in seconds before the request is sent again; null: it is not sent again. All but one of the SDK's requests are
     * safe to repeat: reads, the attachment of a reference, a token, and a create with its key. The exception is a new payment
     * link, which has no key: it is repeated only after a 429, because a 429 has created nothing.
     *
     * @param int $attempt From 1.
     * @param float $random From 0 to 1.
     */
    public static function wait(
        SanadError|SanadConnectionError $fault,
        int $attempt,
        int $maxRetries,
        float $maxRetryWait,
        float $random,
        bool $isRepeatable,
    ): ?float {
        // Without a status there was no answer at all.
        $isRetryable = $fault->status === null || in_array($fault->status, self::RETRIED, true);
        if ($attempt > $maxRetries || !$isRetryable) {
            return null;
        }
        if (!$isRepeatable && !($fault instanceof SanadError && $fault->status === 429)) {
            return null;
        }
        // Half of it is random: servers that failed together must not come back together.
        $backoff = min(self::LONGEST_S, self::FIRST_S * 2 ** ($attempt - 1)) * (0.5 + $random / 2);
        $retryAfter = $fault instanceof SanadError ? $fault->retryAfter ?? 0.0 : 0.0;
        // A daily limit can ask for a wait of hours: the caller gets the error instead.
        if ($retryAfter > $maxRetryWait) {
            return null;
        }
        return min($maxRetryWait, $retryAfter === 0.0 ? $backoff : $retryAfter + $backoff / 4);
    }
}
