<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** `payment.expired` */
final class PaymentExpired extends SanadEvent
{
}
