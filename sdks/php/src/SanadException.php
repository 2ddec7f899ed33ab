<?php

declare(strict_types=1);

namespace Sanad;

/** Everything that a call to Sanad can throw. A call with wrong arguments throws \InvalidArgumentException before it sends anything. */
interface SanadException extends \Throwable
{
}
