<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** `checkout.completed`: the order of a payment page is paid. */
final class CheckoutCompleted extends SanadEvent
{
}
