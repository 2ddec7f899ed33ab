<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

final class NoSuchOrder extends \RuntimeException
{
}
