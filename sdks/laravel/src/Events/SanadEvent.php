<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

use Sanad\Delivery;

/**
 * A genuine delivery of Sanad. The same event may come more than once, also after it was handled: `$delivery->eventId` stays the same.
 */
abstract class SanadEvent
{
    /** @param array<mixed> $event With the fields of its kind: see the types of Sanad\Api. */
    public function __construct(public readonly array $event, public readonly Delivery $delivery)
    {
    }
}
