<?php

declare(strict_types=1);

namespace Sanad\Http;

/** There is no whole answer. */
final class TransportFault extends \RuntimeException
{
    public function __construct(
        string $message,
        public readonly bool $isTimeout = false,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
