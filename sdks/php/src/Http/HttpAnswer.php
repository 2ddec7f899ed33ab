<?php

declare(strict_types=1);

namespace Sanad\Http;

/** A whole answer. */
final class HttpAnswer
{
    /** @param array<string, string> $headers Their names in small letters. */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
