<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * The one way in which an order becomes paid. Callbacks, the buyer's return, the timer and the shop's button all call `refresh`, which
 * reads every intent of the order from Sanad's API under the order's lock: a callback that is repeated, late or lost changes nothing,
 * and none marks an order as paid by its own fields alone.
 */
final class OrderPayments
{
    /** The column of WooCommerce's own tables; a reference can have 128 characters. The whole of it is in the note. */
    private const LONGEST_TRANSACTION_ID = 100;

    public function __construct(private readonly SanadApi $api, private readonly Settings $settings)
    {
    }

    public static function open(): self
    {
        $settings = Settings::read();
        return new self(Connection::api($settings), $settings);
    }

    /**
     * Reads what arrived and updates the order. `$event`: the fields of a signed callback, which are compared with the order and with
     * what the API says.
     *
     * @param ?array<string, mixed> $event
     */
    public function refresh(int $id, ?array $event = null): void
    {
        OrderLock::with($id, function (\WC_Order $order) use ($event): void {
            $number = OrderRecord::existingNumber($order);
            if ($number === '') {
                return;
            }
            // An event of another shop of the account, or of an order of an earlier database.
            if ($event !== null && ($event['order_id'] ?? null) !== $number) {
                return;
            }
            $intents = $this->api->intentsOf($number);
            if ($event !== null) {
                $doubt = EventCheck::doubt($event, $intents);
                if ($doubt !== null) {
                    $this->distrust($order, $doubt);
                    return;
                }
            }
            $this->apply($order, Reading::of($intents, $this->settings->testMode));
        });
    }

    /** Under the lock: what is still to be paid, in the smallest unit, after the order was brought up to date. */
    public function due(\WC_Order $order): int
    {
        $number = OrderRecord::existingNumber($order);
        $total = self::total($order);
        if ($number === '') {
            return $total;
        }
        $reading = Reading::of($this->api->intentsOf($number), $this->settings->testMode);
        $this->apply($order, $reading);
        return self::state($order) === 'payable' ? max(0, $total - $reading->arrived() - $reading->undecided()) : 0;
    }

    /** A new note with a link to collect what is missing: the earlier page may have ended. */
    public function collectRest(int $id): void
    {
        OrderLock::with($id, function (\WC_Order $order): void {
            $due = OrderRecord::existingNumber($order) === '' ? 0 : $this->due($order);
            if ($due > 0) {
                $order->add_order_note(Notes::rest($due, $this->linkForRest($order, $due)));
            }
        });
    }

    public static function total(\WC_Order $order): int
    {
        return Money::toMinor((string) $order->get_total('edit')) ?? 0;
    }

    private function apply(\WC_Order $order, Reading $reading): void
    {
        $total = self::total($order);
        $before = OrderRecord::known($order);
        $decision = Decision::of($reading, self::state($order), $total, $order->get_currency(), $before);
        if ($decision->known === $before && $decision->act === '') {
            return;
        }
        $notes = array_map(static fn (array $note): string => Notes::of($note[0], $note[1], $total), $decision->notes);
        if ($decision->act === 'hold' && $decision->rest > 0) {
            // Before anything is stored: if the link cannot be made now, the whole is repeated.
            $notes[] = Notes::rest($decision->rest, $this->linkForRest($order, $decision->rest));
        }
        OrderRecord::setKnown($order, $decision->known);
        if ($decision->act === 'pay') {
            OrderRecord::setSettled($order, $reading->arrived());
            $order->add_order_note(Notes::paid($reading->arrived(), $reading->references));
            // Saves the order, changes the status, reduces the stock and sends the mails.
            if (!$order->payment_complete(mb_substr($reading->references[0] ?? '', 0, self::LONGEST_TRANSACTION_ID))) {
                throw new \RuntimeException("The order {$order->get_id()} could not be marked as paid.");
            }
        } elseif ($decision->act === 'hold' && !$order->has_status('on-hold')) {
            $order->update_status('on-hold', array_shift($notes) ?? '');
        } else {
            $order->save();
        }
        foreach ($notes as $note) {
            $order->add_order_note($note);
        }
    }

    /** The page on which the buyer can pay the rest: the one that is still open, or a new one over the rest. */
    private function linkForRest(\WC_Order $order, int $rest): string
    {
        $payment = OrderRecord::payment($order);
        if (($payment['kind'] ?? '') === 'checkout') {
            $checkout = $this->api->checkout((string) $payment['id']);
            $isSame = ($payment['amount'] ?? '') === Money::toText($rest);
            // The page collects what is missing of the total for which it was made.
            $isSameTotal = Money::toMinor((string) ($payment['total'] ?? '')) === self::total($order);
            if ($checkout['status'] === 'OPEN' && ($isSame || ($this->settings->allowRemaining && $isSameTotal))) {
                return (string) $checkout['url'];
            }
        }
        return (new StartPayment($this->api, $this->settings))->checkout($order, $rest, 7 * 86_400);
    }

    private function distrust(\WC_Order $order, string $doubt): void
    {
        wc_get_logger()->warning("Order {$order->get_id()}: $doubt", ['source' => 'sanad']);
        $known = OrderRecord::known($order);
        if (in_array("doubt $doubt", $known, true)) {
            return;
        }
        OrderRecord::setKnown($order, [...$known, "doubt $doubt"]);
        $order->save();
        /* translators: %s: what differs, in English */
        $order->add_order_note(sprintf(__('A callback was not used, because it differs from what Sanad says: %s', 'sanad-for-woocommerce'), $doubt));
    }

    private static function state(\WC_Order $order): string
    {
        if ($order->has_status(['cancelled', 'refunded', 'trash'])) {
            return 'ended';
        }
        // A paid order waits again if its total was raised afterwards and the shop asks for payment.
        if ($order->is_paid() || (OrderRecord::isSettled($order) && self::total($order) <= OrderRecord::settled($order))) {
            return 'settled';
        }
        return $order->has_status(['pending', 'on-hold', 'failed', 'checkout-draft']) ? 'payable' : 'settled';
    }
}
