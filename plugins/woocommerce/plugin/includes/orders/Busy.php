<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** Another process works on the order and has not finished in time: try again. */
final class Busy extends \RuntimeException
{
}
