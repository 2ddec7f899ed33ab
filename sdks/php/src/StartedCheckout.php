<?php

declare(strict_types=1);

namespace Sanad;

/**
 * What `checkout->start` found or made.
 *
 * @phpstan-import-type Intent from Api
 */
final class StartedCheckout
{
    /** Show the wallet and the amount. */
    public const PAY = 'pay';
    /** The reference is attached, the payment has not been seen yet. */
    public const CHECKING = 'checking';
    /** An intent of the order is VERIFIED. Compare `paid` with `asked`. */
    public const PAID = 'paid';
    /** Another amount arrived (`paid_amount`). A user of the shop decides. */
    public const WRONG_AMOUNT = 'wrong_amount';

    /**
     * @param self::* $state
     * @param Intent $intent The intent to show; of a paid order, the one that was verified first.
     * @param int $attempt The number of the attempt in the store; 0: the store has none.
     * @param string|null $asked What this call asks for, such as "1500.00". Null: it is written in a way that only the service reads.
     * @param string $paid What the VERIFIED intents of the order add up to: "0.00" unless the state is PAID.
     */
    public function __construct(
        public readonly string $state,
        public readonly array $intent,
        public readonly int $attempt,
        public readonly ?string $asked,
        public readonly string $paid,
    ) {
    }
}
