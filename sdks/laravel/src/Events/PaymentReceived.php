<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** `payment.received` */
final class PaymentReceived extends SanadEvent
{
}
