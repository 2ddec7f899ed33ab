<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** A kind that this version of the package does not know. */
final class UnknownEvent extends SanadEvent
{
}
