<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** The sentences for the shop, in its language. Plain text: a note must read well in a mail and in an export, too. */
final class Notes
{
    public static function money(int $minor): string
    {
        /* translators: %s: an amount, such as 1,500 */
        return sprintf(__('%s YER', 'sanad-for-woocommerce'), Money::toPeople($minor));
    }

    /** @param list<string> $references */
    public static function paid(int $minor, array $references): string
    {
        $text = sprintf(
            /* translators: %s: an amount with its currency */
            __('Sanad has confirmed the payment: %s arrived.', 'sanad-for-woocommerce'),
            self::money($minor),
        );
        if ($references === []) {
            return $text;
        }
        /* translators: %s: the wallet's number of the transfer */
        return $text . ' ' . sprintf(__('Reference: %s.', 'sanad-for-woocommerce'), implode(', ', $references));
    }

    /** One fact of a decision. */
    public static function of(string $kind, int $minor, int $total): string
    {
        $money = self::money($minor);
        $asked = self::money($total);
        $texts = [
            /* translators: 1: what arrived, 2: what the order costs */
            'part' => __('Only %1$s of %2$s arrived. The order is on hold.', 'sanad-for-woocommerce'),
            /* translators: 1: what arrived, 2: what the order costs */
            'over' => __('%1$s arrived, more than the %2$s of the order. The order is on hold: return the difference from your wallet, or accept it, and then change the status by hand.', 'sanad-for-woocommerce'),
            /* translators: 1: what arrived, 2: what the order costs */
            'wrong' => __('Another amount arrived: %1$s; the order costs %2$s. The order is on hold. Accept or return this amount in Sanad.', 'sanad-for-woocommerce'),
            /* translators: 1: what arrived */
            'currency' => __('%1$s arrived, but the order has another currency. The order is on hold.', 'sanad-for-woocommerce'),
            /* translators: 1: what arrived */
            'late' => __('Late money: %1$s arrived although the order no longer waits for payment. Nothing was changed. Return the money from your wallet; or, to deliver all the same, set the order to pending payment and choose "Check the payment in Sanad".', 'sanad-for-woocommerce'),
            /* translators: 1: what arrived */
            'besides' => __('%1$s arrived for this order, which was not waiting for it: it may be paid twice. Return it from your wallet, or keep it by agreement.', 'sanad-for-woocommerce'),
            /* translators: 1: what arrived */
            'test' => __('Test money: %1$s arrived in the test wallet and was not counted, because test mode is off.', 'sanad-for-woocommerce'),
        ];
        return sprintf($texts[$kind], $money, $asked);
    }

    public static function rest(int $minor, string $url): string
    {
        /* translators: 1: an amount with its currency, 2: an address */
        return sprintf(__('To collect the missing %1$s, send the buyer this link: %2$s', 'sanad-for-woocommerce'), self::money($minor), $url);
    }

    public static function refund(int $minor, string $reason): string
    {
        $text = sprintf(
            /* translators: %s: an amount with its currency */
            __('Refund to send by hand: %s. Sanad moves no money: send it from your wallet, then choose "The refunds were sent".', 'sanad-for-woocommerce'),
            self::money($minor),
        );
        /* translators: %s: why */
        return $reason === '' ? $text : $text . ' ' . sprintf(__('Reason: %s', 'sanad-for-woocommerce'), $reason);
    }

    public static function refundSent(int $minor): string
    {
        /* translators: %s: an amount with its currency */
        return sprintf(__('Refunds sent by hand: %s.', 'sanad-for-woocommerce'), self::money($minor));
    }

    public static function otherCurrency(string $currency): string
    {
        /* translators: %s: the code of a currency, such as USD */
        return sprintf(__('Sanad collects Yemeni rials (YER) only; this shop sells in %s. So this payment method is not offered to buyers.', 'sanad-for-woocommerce'), $currency);
    }
}
