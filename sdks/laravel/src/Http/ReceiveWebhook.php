<?php

declare(strict_types=1);

namespace Sanad\Laravel\Http;

use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Sanad\Laravel\Events;

/** Makes an event of the application from a genuine delivery. A listener that throws is a 500, and Sanad sends the event again. */
final class ReceiveWebhook
{
    private const CLASSES = [
        'payment.verified' => Events\PaymentVerified::class,
        'payment.unmatched' => Events\PaymentUnmatched::class,
        'payment.received' => Events\PaymentReceived::class,
        'payment.wrong_amount' => Events\PaymentWrongAmount::class,
        'payment.expired' => Events\PaymentExpired::class,
        'payment.cancelled' => Events\PaymentCancelled::class,
        'checkout.completed' => Events\CheckoutCompleted::class,
        'checkout.expired' => Events\CheckoutExpired::class,
    ];

    public function __invoke(Request $request, Dispatcher $events): Response
    {
        $event = VerifyWebhook::eventOf($request);
        // A kind of a later version is taken, so that it is not sent again.
        $class = self::CLASSES[$event['event']] ?? Events\UnknownEvent::class;
        $events->dispatch(new $class($event, VerifyWebhook::deliveryOf($request)));
        return new Response('', 204);
    }
}
