<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** The request is not a webhook of Sanad, or not one that may be processed now. */
final class NotGenuine extends \RuntimeException
{
}
