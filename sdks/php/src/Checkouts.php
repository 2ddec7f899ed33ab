<?php

declare(strict_types=1);

namespace Sanad;

use Sanad\Internal\Arguments;
use Sanad\Internal\Caller;
use Sanad\Internal\Pages;
use Sanad\Internal\Settings;

/**
 * `$sanad->checkouts`: pages of Sanad on which a buyer pays one order. Amounts are texts all the way.
 *
 * @phpstan-import-type Checkout from Api
 * @phpstan-import-type CheckoutPage from Api
 * @phpstan-import-type CreateCheckout from Api
 * @phpstan-import-type ListCheckoutsQuery from Api
 */
final class Checkouts
{
    private const LIST = Settings::CHECKOUT . '/sessions/';

    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Send the buyer to its `url`. A repeated key gives the checkout as it is now.
     *
     * @param CreateCheckout $body Amounts are strings: a number throws.
     * @param string|null $idempotencyKey One for each attempt at an order, stored before the call.
     * @return Checkout
     * @throws SanadException
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        Arguments::requireTextAmounts($body, ['amount']);
        $key = $idempotencyKey ?? Arguments::newKey();
        $advice = Arguments::adviceOf('checkout', $key);
        $answer = $this->caller->call('POST', self::LIST, $body, Arguments::keyHeader($key), true, $advice);
        /** @var Checkout $checkout */
        $checkout = $answer->body;
        // A replay is the stored answer: meanwhile the checkout may be paid or expired.
        return $answer->isReplay ? $this->retrieve($checkout['id']) : $checkout;
    }

    /**
     * @return Checkout
     * @throws SanadException
     */
    public function retrieve(string $id): array
    {
        /** @var Checkout */
        return $this->caller->call('GET', self::pathTo($id))->body;
    }

    /**
     * Every checkout that the filter finds, as `intents->list` does.
     *
     * @param ListCheckoutsQuery $filter
     * @return \Generator<int, Checkout>
     * @throws SanadException
     */
    public function list(array $filter = []): \Generator
    {
        /** @var \Generator<int, Checkout> */
        return Pages::every($this->caller, self::LIST, $filter, true);
    }

    /**
     * One page, with the count of all.
     *
     * @param ListCheckoutsQuery $filter
     * @return CheckoutPage
     * @throws SanadException
     */
    public function page(array $filter = []): array
    {
        /** @var CheckoutPage */
        return $this->caller->call('GET', self::LIST . Pages::queryOf($filter))->body;
    }

    /**
     * Ends it while it is OPEN. Safe to repeat: one that is CANCELLED is returned.
     *
     * @return Checkout
     * @throws SanadException
     */
    public function cancel(string $id): array
    {
        try {
            /** @var Checkout */
            return $this->caller->call('POST', self::pathTo($id) . 'cancel/')->body;
        } catch (SanadError $fault) {
            if (!$fault->has(ErrorCode::CHECKOUT_NOT_OPEN)) {
                throw $fault;
            }
            // The answer of an earlier attempt may have been lost.
            $checkout = $this->retrieve($id);
            if ($checkout['status'] === 'CANCELLED') {
                return $checkout;
            }
            throw $fault;
        }
    }

    private static function pathTo(string $id): string
    {
        return Arguments::pathOf(self::LIST, $id, 'a checkout');
    }
}
