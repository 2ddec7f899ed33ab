<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** Reads orders that wait again every ten minutes, in case a callback was lost. */
final class Timer
{
    public const HOOK = 'sanad_refresh_waiting';
    private const EVERY_S = 600;
    /** So many at a time: the API allows 60 of these readings a minute, and buyers need theirs. */
    private const MOST = 20;
    private const OLDEST_S = 7 * 86_400;
    private const CURSOR = 'sanad_timer_after';

    public static function schedule(): void
    {
        if (function_exists('as_has_scheduled_action') && !as_has_scheduled_action(self::HOOK)) {
            as_schedule_recurring_action(time() + self::EVERY_S, self::EVERY_S, self::HOOK, [], 'sanad', true);
        }
    }

    public static function unschedule(): void
    {
        if (function_exists('as_unschedule_all_actions')) {
            as_unschedule_all_actions(self::HOOK);
        }
    }

    public static function run(): void
    {
        if (!Settings::read()->isComplete()) {
            return;
        }
        // In turns: with more orders than fit into one run, each is read every few runs.
        $page = max(1, (int) get_option(self::CURSOR, 1));
        $found = wc_get_orders([
            'payment_method' => Gateway::ID,
            'status' => ['pending', 'on-hold', 'failed'],
            'date_created' => '>' . (time() - self::OLDEST_S),
            'orderby' => 'ID',
            'order' => 'ASC',
            'limit' => self::MOST,
            'page' => $page,
            'return' => 'ids',
        ]);
        update_option(self::CURSOR, count($found) < self::MOST ? 1 : $page + 1, false);
        $payments = OrderPayments::open();
        foreach ($found as $id) {
            try {
                $payments->refresh((int) $id);
            } catch (\Throwable $fault) {
                Gateway::log($fault);
            }
        }
    }
}
