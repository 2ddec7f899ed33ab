<?php

declare(strict_types=1);

namespace Sanad;

/**
 * The service answered with an error. Decide by `has($code, $attr)`; the codes are in ErrorCode.
 *
 * @phpstan-import-type ErrorEntry from Api
 */
final class SanadError extends \RuntimeException implements SanadException
{
    /**
     * @param int $status The HTTP status.
     * @param list<ErrorEntry> $errors
     * @param float|null $retryAfter Seconds; null: the answer had no `Retry-After`.
     * @param string|null $requestId Names the request in the log of the service.
     * @param string|null $hint How to repair the request, for developers.
     * @param list<string> $ignored Fields that were sent and that the service does not know.
     * @param string|null $advice What to do before the call is repeated.
     */
    public function __construct(
        public readonly int $status,
        public readonly string $type,
        public readonly array $errors,
        public readonly ?float $retryAfter = null,
        public readonly ?string $requestId = null,
        public readonly ?string $hint = null,
        public readonly array $ignored = [],
        ?string $advice = null,
    ) {
        $sentences = array_map(
            static fn (array $error): string =>
                ($error['attr'] === null ? '' : "{$error['attr']}: ") . "{$error['detail']} ({$error['code']})",
            $errors,
        );
        if ($hint !== null) {
            $sentences[] = "Hint: $hint";
        }
        if ($advice !== null) {
            $sentences[] = $advice;
        }
        parent::__construct("Sanad answered $status. " . implode(' ', $sentences));
    }

    /** The first code. */
    public function errorCode(): string
    {
        return $this->errors[0]['code'];
    }

    /** Whether one of the errors has this code; with `$attr`, of this field. */
    public function has(string $code, ?string $attr = null): bool
    {
        foreach ($this->errors as $error) {
            if ($error['code'] === $code && ($attr === null || $error['attr'] === $attr)) {
                return true;
            }
        }
        return false;
    }
}
