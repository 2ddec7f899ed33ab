<?php

declare(strict_types=1);

namespace Sanad\Laravel\Events;

/** `payment.verified`: money arrived for an intent. With `$delivery->isTest` no money arrived. */
final class PaymentVerified extends SanadEvent
{
}
