<?php

declare(strict_types=1);

namespace Sanad\Http;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * Another HTTP client, by PSR-18. The time limit is the client's own: set one. It must not follow redirects, and not send a
 * request again by itself.
 */
final class Psr18Transport implements Transport
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly int $mostBytes = 16 * 1024 * 1024,
    ) {
    }

    public function send(
        string $method,
        string $url,
        array $headers,
        ?string $body,
        float $timeout,
        bool $once,
    ): HttpAnswer {
        $request = $this->requests->createRequest($method, $url);
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($body !== null) {
            $request = $request->withBody($this->streams->createStream($body));
        }
        try {
            $answer = $this->client->sendRequest($request);
            $stream = $answer->getBody();
            $received = '';
            while (!$stream->eof()) {
                $received .= $stream->read(65536);
                if (strlen($received) > $this->mostBytes) {
                    throw new TransportFault("The answer has more than {$this->mostBytes} bytes.");
                }
            }
        } catch (TransportFault $fault) {
            throw $fault;
        } catch (ClientExceptionInterface | \RuntimeException $fault) {
            throw new TransportFault($fault->getMessage(), false, $fault);
        }
        $names = array_map('strtolower', array_map('strval', array_keys($answer->getHeaders())));
        $texts = array_map(static fn (array $values): string => implode(', ', $values), $answer->getHeaders());
        return new HttpAnswer($answer->getStatusCode(), array_combine($names, $texts), $received);
    }
}
