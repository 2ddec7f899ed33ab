<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * Work on one order waits for its turn, over all processes. WooCommerce has no lock around `payment_complete`: callbacks that come
 * together would each see an unpaid order, and each send the mails. So the lock is taken before the order is loaded. It is MariaDB's
 * and MySQL's named lock: it ends with the connection, so a crashed process leaves none behind.
 */
final class OrderLock
{
    private const WAIT_S = 10;

    /**
     * @template T
     * @param callable(\WC_Order): T $work
     * @return T
     */
    public static function with(int $id, callable $work): mixed
    {
        global $wpdb;
        $name = 'sanad:' . substr(md5(DB_NAME . ' ' . $wpdb->prefix), 0, 16) . ":$id";
        $taken = $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::WAIT_S));
        if ((string) $taken !== '1') {
            throw new Busy("The order $id is being worked on.");
        }
        try {
            return $work(self::load($id));
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }

    /** Loads the order as it is in the database now, whatever this request has loaded of it before. */
    private static function load(int $id): \WC_Order
    {
        clean_post_cache($id);
        $store = \WC_Data_Store::load('order');
        if ($store->has_callable('clear_cached_data')) {
            $store->clear_cached_data([$id]);
        }
        $order = wc_get_order($id);
        if (!$order instanceof \WC_Order) {
            throw new NoSuchOrder("There is no order $id.");
        }
        // wc_get_order may return what an earlier part of this request has loaded.
        $store->read($order);
        $order->read_meta_data(true);
        return $order;
    }
}
