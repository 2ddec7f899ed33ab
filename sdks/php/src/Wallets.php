<?php

declare(strict_types=1);

namespace Sanad;

use Sanad\Internal\Caller;
use Sanad\Internal\Settings;

/**
 * `$sanad->wallets`
 *
 * @phpstan-import-type Wallet from Api
 */
final class Wallets
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * The wallets that can collect money now.
     *
     * @return list<Wallet>
     * @throws SanadException
     */
    public function list(bool $includeTest = false): array
    {
        $query = $includeTest ? '?include_test=1' : '';
        /** @var list<Wallet> */
        return $this->caller->call('GET', Settings::MERCHANT . "/wallets/$query")->body;
    }
}
