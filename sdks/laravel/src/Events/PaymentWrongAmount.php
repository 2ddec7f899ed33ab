<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** `payment.wrong_amount` */
final class PaymentWrongAmount extends SanadEvent
{
}
