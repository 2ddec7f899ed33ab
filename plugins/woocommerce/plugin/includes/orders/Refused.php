<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** The payment cannot be started or continued. The message is a sentence for the buyer, in their language. */
final class Refused extends \RuntimeException
{
}
