<?php

declare(strict_types=1);

namespace Sanad;

/**
 * `intents->wait` ended without the result. `$intent` is as it was last seen.
 *
 * @phpstan-import-type Intent from Api
 */
final class SanadWaitError extends \RuntimeException implements SanadException
{
    /** @param Intent $intent */
    public function __construct(public readonly array $intent, float $timeout)
    {
        parent::__construct("The intent {$intent['id']} is still {$intent['status']} after " . round($timeout) . ' s.');
    }
}
