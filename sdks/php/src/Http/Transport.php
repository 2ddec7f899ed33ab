<?php

declare(strict_types=1);

namespace Sanad\Http;

/** Sends one request. It never follows a redirect: the secret must not reach another host. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout Seconds for the whole answer.
     * @param bool $once Never send it again, not even when a kept connection turns out to be closed.
     * @throws TransportFault There is no whole answer.
     */
    public function send(
        string $method,
        string $url,
        array $headers,
        ?string $body,
        float $timeout,
        bool $once,
    ): HttpAnswer;
}
