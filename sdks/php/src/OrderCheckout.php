<?php

declare(strict_types=1);

namespace Sanad;

use Sanad\Internal\Amounts;
use Sanad\Internal\Arguments;
use Sanad\Internal\OrderPayments;

/**
 * One live intent for each order. Before anything is sent, the attempt is stored: its number, its idempotency key and its body. So a
 * request whose answer was lost is repeated with the same key, a second call finds the first, and after expiry a new attempt gets a new
 * key.
 *
 * Nobody is asked to pay before all intents of the order were read: of earlier attempts, of another server, of a store that was lost,
 * and those that a user made by booking or accepting money. If one of them is VERIFIED, the order is paid.
 *
 * Keys are random, not made from the order number: two shops of one account may have the same numbers.
 *
 * @phpstan-import-type Intent from Api
 * @phpstan-import-type NewItem from Api
 * @phpstan-import-type CheckoutRecord from CheckoutStore
 */
final class OrderCheckout
{
    /** How many rounds may be lost to concurrent calls. Each lost round means that another call made progress. */
    private const MOST_ROUNDS = 10;
    /** So many wrong amounts of an order can be answered with `again`. */
    private const MOST_DECIDED = 100;

    /** @internal */
    public function __construct(private readonly Intents $intents, private readonly Wallets $wallets)
    {
    }

    /**
     * The live intent of the order; a new one when there is none. Safe to call at any time. Once any intent of the order is VERIFIED,
     * whoever made it, the state is PAID. Each call reads the list of the order's intents: a key has 60 lists a minute. To follow one
     * payment use `intents->retrieve`.
     *
     * @param string $orderId Your order number, at most 128 characters. No other order of the account may have it: see `$ignore`.
     * @param string|null $amount Such as "1500.00". Or `$items`.
     * @param list<NewItem>|null $items
     * @param bool $again After WRONG_AMOUNT: ask for the whole amount once more.
     * @param list<string> $ignore If the number was used before, on purpose: the ids of the intents that paid the earlier orders.
     * @throws SanadException
     */
    public function start(
        string $orderId,
        string $wallet,
        CheckoutStore $store,
        ?string $amount = null,
        ?array $items = null,
        ?string $notes = null,
        bool $again = false,
        array $ignore = [],
    ): StartedCheckout {
        $stored = Arguments::orderIdOf($orderId);
        $own = ['wallet' => $wallet, 'amount' => $amount, 'items' => $items, 'external_order_id' => $orderId, 'notes' => $notes];
        $request = array_filter($own, static fn (mixed $value): bool => $value !== null);
        Arguments::requireTextAmounts($request, ['amount']);
        $total = Amounts::totalOf($amount, $items);
        $asked = $total === null ? null : Amounts::decimal($total);

        // Null: to be read, or to be read again.
        $order = null;
        for ($round = 0; $round < self::MOST_ROUNDS; $round++) {
            $record = $store->get($orderId);
            $this->requireOwn($record, $stored);
            $order ??= $this->readOrder($stored);
            $id = $record['intentId'] ?? null;
            if ($id !== null && !isset($order['ended'][$id]) && !self::hasIntent($order['relevant'], $id)) {
                // Created after the others were read, by another server.
                $order = self::withIntent($order, $this->intents->retrieve($id));
            }
            $counted = $this->countedIntents($wallet, $ignore, $order['relevant']);
            $payments = OrderPayments::of($counted);
            $paid = OrderPayments::sumOf($payments);
            $attempt = $record['attempt'] ?? 0;
            if ($payments !== []) {
                return new StartedCheckout(StartedCheckout::PAID, $payments[0], $attempt, $asked, $paid);
            }
            $checking = array_values(array_filter($counted, OrderPayments::isChecking(...)));
            if ($checking !== []) {
                return new StartedCheckout(StartedCheckout::CHECKING, end($checking), $attempt, $asked, $paid);
            }
            $wrongIds = [];
            foreach ($counted as $intent) {
                if ($intent['status'] === 'WRONG_AMOUNT') {
                    $wrongIds[$intent['id']] = $intent;
                }
            }
            $decidedBefore = $record['decided'] ?? [];
            $undecided = array_values(array_diff_key($wrongIds, array_flip($decidedBefore)));
            if ($undecided !== [] && !$again) {
                return new StartedCheckout(StartedCheckout::WRONG_AMOUNT, end($undecided), $attempt, $asked, $paid);
            }
            $decided = array_slice([...$decidedBefore, ...array_column($undecided, 'id')], -self::MOST_DECIDED);

            if ($record !== null && OrderPayments::isSameRequest($record['request'], $request)) {
                $open = self::find($counted, $id);
                if ($open !== null && $open['status'] === 'PENDING') {
                    if ($undecided === []) {
                        return new StartedCheckout(StartedCheckout::PAY, $open, $attempt, $asked, $paid);
                    }
                    // The shop has decided about the wrong amount of another attempt: this one continues.
                    $store->set($orderId, ['version' => $record['version'] + 1, 'decided' => $decided] + $record);
                    continue;
                }
                if ($id === null && $undecided === []) {
                    $created = $this->intents->create($record['request'], $record['idempotencyKey']);
                    $store->set($orderId, ['version' => $record['version'] + 1, 'intentId' => $created['id']] + $record);
                    // If the order has other intents, one of them may have been paid while this one was created.
                    $isFirst = $order['relevant'] === [] && $order['ended'] === [];
                    $order = $isFirst && OrderPayments::isRelevant($created)
                        ? ['relevant' => [$created], 'ended' => []]
                        : null;
                    continue;
                }
            }
            // There is no attempt, it has ended, or the buyer has chosen another wallet or amount.
            $isStored = $store->set($orderId, [
                'version' => ($record['version'] ?? 0) + 1,
                'attempt' => $attempt + 1,
                'idempotencyKey' => Arguments::newKey(),
                'request' => $request,
                'intentId' => null,
                'decided' => $decided,
            ]);
            if (!$isStored) {
                $order = null;
            }
        }
        throw new \LogicException("The store never kept a record of order $orderId: does its set() compare versions?");
    }

    /** @param CheckoutRecord|null $record */
    private function requireOwn(?array $record, string $stored): void
    {
        $known = $record['request']['external_order_id'] ?? $stored;
        if (!is_string($known) || Arguments::orderIdOf($known) !== $stored) {
            throw new \LogicException("The store has the record of another order for $stored: does it compare order numbers exactly?");
        }
    }

    /**
     * All intents of the order. Every status is read: while intents leave a status, its pages change and one could be missed.
     *
     * @return array{relevant: list<Intent>, ended: array<string, true>} `ended`: the ids of those that ended without money.
     */
    private function readOrder(string $stored): array
    {
        $order = ['relevant' => [], 'ended' => []];
        $filter = ['external_order_id' => $stored, 'ordering' => 'created_at', 'page_size' => 100];
        foreach ($this->intents->list($filter) as $intent) {
            if ($intent['external_order_id'] === $stored) {
                $order = self::withIntent($order, $intent);
            }
        }
        return $order;
    }

    /**
     * @param array{relevant: list<Intent>, ended: array<string, true>} $order
     * @param Intent $intent
     * @return array{relevant: list<Intent>, ended: array<string, true>}
     */
    private static function withIntent(array $order, array $intent): array
    {
        if (OrderPayments::isRelevant($intent)) {
            $order['relevant'][] = $intent;
        } else {
            $order['ended'][$intent['id']] = true;
        }
        return $order;
    }

    /**
     * The intents that count for this call. Test money pays no order that is to be paid with real money; and `$ignore` names those that
     * paid another order with the same number.
     *
     * @param list<string> $ignore
     * @param list<Intent> $intents
     * @return list<Intent>
     */
    private function countedIntents(string $wallet, array $ignore, array $intents): array
    {
        $isCounted = static fn (array $intent): bool => !in_array($intent['id'], $ignore, true);
        $counted = array_values(array_filter($intents, $isCounted));
        $isReal = static fn (array $intent): bool => !$intent['wallet']['is_test'];
        $real = array_values(array_filter($counted, $isReal));
        if (count($real) === count($counted)) {
            return $counted;
        }
        $id = strtolower($wallet);
        $used = array_values(array_filter($counted, static fn (array $intent): bool => $intent['wallet']['id'] === $id));
        $known = $used !== [] ? [$used[0]['wallet']] : $this->wallets->list(includeTest: true);
        foreach ($known as $offered) {
            if ($offered['id'] === $id) {
                return $offered['is_test'] ? $counted : $real;
            }
        }
        return $real;
    }

    /** @param list<Intent> $intents */
    private static function hasIntent(array $intents, string $id): bool
    {
        return self::find($intents, $id) !== null;
    }

    /**
     * @param list<Intent> $intents
     * @return Intent|null
     */
    private static function find(array $intents, ?string $id): ?array
    {
        foreach ($intents as $intent) {
            if ($intent['id'] === $id) {
                return $intent;
            }
        }
        return null;
    }
}
