<?php

declare(strict_types=1);

namespace Sanad;

/** No answer of the service: whether the request was processed is not known. */
final class SanadConnectionError extends \RuntimeException implements SanadException
{
    /** No connection, or it was lost. */
    public const UNREACHABLE = 'unreachable';
    /** No whole answer in time. */
    public const TIMEOUT = 'timeout';
    /** Something else answered, such as a proxy. */
    public const NOT_SANAD = 'not_sanad';

    /**
     * @param self::* $reason
     * @param int|null $status The HTTP status of what answered instead of Sanad.
     */
    public function __construct(
        public readonly string $reason,
        string $message,
        public readonly ?int $status = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
