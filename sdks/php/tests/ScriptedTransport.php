<?php

declare(strict_types=1);

namespace Sanad\Tests;

use Sanad\Http\HttpAnswer;
use Sanad\Http\Transport;
use Sanad\Http\TransportFault;

/** Answers from a list, and remembers what was sent. A request for a token is answered by itself. */
final class ScriptedTransport implements Transport
{
    /** @var list<string> `GET /path?query` */
    public array $calls = [];
    /** @var list<array{method: string, url: string, headers: array<string, string>, body: string|null, once: bool}> */
    public array $sent = [];
    public int $tokens = 0;
    public int $lifetime = 3600;

    /** @param list<HttpAnswer|TransportFault|callable(string, string): HttpAnswer> $answers */
    public function __construct(private array $answers)
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
        $path = substr($url, strlen('https://pay.example.com/api/v1'));
        if ($path === '/merchant/token') {
            $this->tokens++;
            $token = ['access_token' => "token-$this->tokens", 'token_type' => 'Bearer', 'expires_in' => $this->lifetime];
            return self::json(200, $token);
        }
        $this->calls[] = "$method $path";
        $this->sent[] = compact('method', 'url', 'headers', 'body', 'once');
        $answer = array_shift($this->answers) ?? throw new \LogicException("no answer for $method $path");
        if ($answer instanceof TransportFault) {
            throw $answer;
        }
        return is_callable($answer) ? $answer($method, $path) : $answer;
    }

    /**
     * @param array<mixed> $body
     * @param array<string, string> $headers
     */
    public static function json(int $status, array $body, array $headers = []): HttpAnswer
    {
        return new HttpAnswer($status, $headers, json_encode($body, JSON_THROW_ON_ERROR));
    }

    /** @param array<string, string> $headers */
    public static function error(int $status, string $code, array $headers = []): HttpAnswer
    {
        $errors = [['code' => $code, 'detail' => 'It is so.', 'attr' => null]];
        return self::json($status, ['type' => 'client_error', 'errors' => $errors], $headers);
    }
}
