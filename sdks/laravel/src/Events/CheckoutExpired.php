<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** `checkout.expired` */
final class CheckoutExpired extends SanadEvent
{
}
