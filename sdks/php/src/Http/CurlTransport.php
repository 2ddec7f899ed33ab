<?php

declare(strict_types=1);

namespace Sanad\Http;

/** ext-curl. Connections are kept for the next request. An answer has a time limit and a size limit. */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $handle = null;
    private int $process = 0;

    /** @param int $mostBytes The largest answer that is read; a page of a hundred intents has less than 1 MiB. */
    public function __construct(private readonly int $mostBytes = 16 * 1024 * 1024)
    {
    }

    public function send(
        string $method,
        string $url,
        array $headers,
        ?string $body,
        float $timeout,
        bool $once,
    ): HttpAnswer {
        $handle = $this->handle();
        $received = '';
        $answered = [];
        $isTooLarge = false;
        // An empty `Expect`: curl would wait a second for a `100 Continue` before it sends a larger body.
        $lines = ['Expect:'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $options = [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_TIMEOUT_MS => max(1, (int) round($timeout * 1000)),
            CURLOPT_CONNECTTIMEOUT_MS => max(1, (int) round(min($timeout, 10) * 1000)),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_ENCODING => '',
            // When a kept connection was closed meanwhile, curl sends the request again by itself: a new one cannot have been.
            CURLOPT_FRESH_CONNECT => $once,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$answered): int {
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $answered[strtolower(trim($parts[0]))] = trim($parts[1]);
                } elseif (str_starts_with($line, 'HTTP/')) {
                    $answered = [];
                }
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function (\CurlHandle $_, string $part) use (&$received, &$isTooLarge): int {
                if (strlen($received) + strlen($part) > $this->mostBytes) {
                    $isTooLarge = true;
                    return 0;
                }
                $received .= $part;
                return strlen($part);
            },
        ];
        if ($body !== null) {
            $options[CURLOPT_POSTFIELDS] = $body;
        }
        curl_setopt_array($handle, $options);
        $isWhole = curl_exec($handle);
        $fault = curl_errno($handle);
        $sentence = curl_error($handle);
        $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        // The functions above hold this answer: the next request gets its own.
        curl_reset($handle);
        if ($isTooLarge) {
            throw new TransportFault("The answer has more than {$this->mostBytes} bytes.");
        }
        if ($isWhole === false || $fault !== 0) {
            throw new TransportFault($sentence, $fault === CURLE_OPERATION_TIMEDOUT);
        }
        return new HttpAnswer((int) $status, $answered, $received);
    }

    private function handle(): \CurlHandle
    {
        // A connection that is shared with the process that forked this one would mix up their answers.
        if ($this->handle === null || $this->process !== getmypid()) {
            $this->handle = curl_init();
            $this->process = (int) getmypid();
        }
        return $this->handle;
    }
}
