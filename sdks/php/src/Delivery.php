<?php

declare(strict_types=1);

namespace Sanad;

/** The headers of a delivery. `""` where one is missing. */
final class Delivery
{
    /**
     * @param string $eventId The same for every repetition of an event.
     * @param bool $isTest No money arrived: an event of the test wallet, or made up by the dashboard or by `sanad trigger`.
     */
    public function __construct(
        public readonly string $eventId,
        public readonly string $deliveryId,
        public readonly string $attempt,
        public readonly bool $isTest,
    ) {
    }
}
