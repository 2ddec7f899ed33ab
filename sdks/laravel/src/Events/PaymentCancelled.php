<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** `payment.cancelled` */
final class PaymentCancelled extends SanadEvent
{
}
