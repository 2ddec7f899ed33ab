<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** `payment.unmatched` */
final class PaymentUnmatched extends SanadEvent
{
}
