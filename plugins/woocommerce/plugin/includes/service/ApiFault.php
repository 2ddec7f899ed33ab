<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** A call of Sanad's API failed. */
final class ApiFault extends \RuntimeException
{
    /**
     * @param int $status 0: no answer of the service, so whether the request was processed is not known.
     * @param list<array{code: string, detail: string, attr: ?string}> $errors
     * @param int $pause_s The service asks to wait so long before the next try.
     */
    public function __construct(
        string $message,
        public readonly int $status,
        public readonly array $errors = [],
        public readonly int $pause_s = 0,
    ) {
        parent::__construct($message);
    }

    public function has(string $code): bool
    {
        return in_array($code, array_column($this->errors, 'code'), true);
    }

    /** The service's sentences for people. */
    public function detail(): string
    {
        return implode(' ', array_column($this->errors, 'detail'));
    }
}
