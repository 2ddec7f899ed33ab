<?php

declare(strict_types=1);

namespace Sanad\Internal;

/**
 * A good answer of the service.
 *
 * @internal
 */
final class Answer
{
    /** @param array<mixed> $body */
    public function __construct(public readonly array $body, public readonly bool $isReplay)
    {
    }
}
