<?php

declare(strict_types=1);

namespace Sanad;

/** A request that must not be processed as a webhook: answer 400. `$reason` is for programs, the message for the log. */
final class WebhookError extends \RuntimeException implements SanadException
{
    /** No `X-Service-Signature`. */
    public const MISSING_HEADER = 'missing_header';
    /** Not of the form `t=<unix-ts>,v1=<hex>`. */
    public const MALFORMED_HEADER = 'malformed_header';
    /** Another secret, or a changed body. */
    public const NO_MATCH = 'no_match';
    /** Genuine, but too long ago. */
    public const TOO_OLD = 'too_old';
    /** Genuine, but dated ahead of this clock. */
    public const TOO_NEW = 'too_new';
    /** Signed correctly, but not an event. */
    public const MALFORMED_BODY = 'malformed_body';

    /** @param self::* $reason */
    public function __construct(public readonly string $reason, string $message, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
