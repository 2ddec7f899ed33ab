<?php

/** The driver of the PHP SDK: see driver.ts. */

declare(strict_types=1);

use Sanad\CheckoutStore;
use Sanad\Http\CurlTransport;
use Sanad\Sanad;
use Sanad\SanadConnectionError;
use Sanad\SanadError;
use Sanad\WebhookError;
use Sanad\Webhooks;

require __DIR__ . '/../../../php/autoload.php';
ini_set('display_errors', 'stderr');
set_error_handler(static function (int $level, string $message): never {
    throw new ErrorException($message);
});

final class SharedStore implements CheckoutStore
{
    public function __construct(private readonly string $origin)
    {
    }

    public function get(string $orderId): ?array
    {
        return json_decode(file_get_contents("$this->origin/" . rawurlencode($orderId)), true, 64, JSON_THROW_ON_ERROR);
    }

    public function set(string $orderId, array $record): bool
    {
        $http = ['method' => 'POST', 'header' => 'content-type: application/json', 'content' => json_encode($record)];
        $answer = file_get_contents("$this->origin/" . rawurlencode($orderId), false, stream_context_create(['http' => $http]));
        return json_decode($answer, true, 64, JSON_THROW_ON_ERROR);
    }
}

$sanad = null;
$waits = [];

/** @param array<string, mixed> $command */
$run = static function (array $command) use (&$sanad, &$waits): mixed {
    if (isset($command['open'])) {
        $open = $command['open'];
        $sanad = new Sanad(
            $open['url'],
            $open['clientId'],
            $open['clientSecret'],
            // A transport of its own: its tokens are not those of the client before.
            transport: new CurlTransport(),
            timeout: (float) ($open['timeout'] ?? 30),
            maxRetries: $open['maxRetries'] ?? 3,
            sleep: static function (float $seconds) use (&$waits): void {
                $waits[] = $seconds;
            },
        );
        return null;
    }
    if (isset($command['start'])) {
        return $sanad->checkout->start(...$command['start'], store: new SharedStore($command['store']));
    }
    if (isset($command['verify'])) {
        $verify = $command['verify'];
        $tolerance = ['inf' => INF, 'nan' => NAN][$verify['tolerance'] ?? 300] ?? (float) ($verify['tolerance'] ?? 300);
        $body = base64_decode($verify['body']);
        if ($verify['as'] === 'parsed') {
            $body = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
        }
        return Webhooks::verify($body, $verify['header'], $verify['secret'], $tolerance, (float) $verify['now']);
    }
    if (isset($command['methods'])) {
        $all = [];
        foreach (get_object_vars($sanad) as $name => $resource) {
            foreach (get_class_methods($resource) as $method) {
                if (!str_starts_with($method, '__')) {
                    $all[] = "$name.$method";
                }
            }
        }
        return $all;
    }
    [$resource, $method] = explode('.', $command['call']);
    $args = $command['args'] ?? [];
    if (isset($command['key'])) {
        $args['idempotencyKey'] = $command['key'];
    }
    $found = $sanad->$resource->$method(...$args);
    return $found instanceof Traversable ? iterator_to_array($found, false) : $found;
};

while (($line = fgets(STDIN)) !== false) {
    $waits = [];
    try {
        $answer = ['value' => $run(json_decode($line, true, 64, JSON_THROW_ON_ERROR))];
    } catch (SanadError $fault) {
        $answer = ['fault' => "error $fault->status {$fault->errorCode()}", 'retryAfter' => $fault->retryAfter];
    } catch (SanadConnectionError $fault) {
        $answer = ['fault' => trim("connection $fault->reason $fault->status")];
    } catch (WebhookError $fault) {
        $answer = ['fault' => "webhook $fault->reason"];
    } catch (InvalidArgumentException | TypeError $fault) {
        $answer = ['fault' => 'argument'];
    }
    if (isset($fault)) {
        $answer['sentence'] = $fault->getMessage();
    }
    unset($fault);
    echo json_encode($answer + ['waits' => $waits], JSON_THROW_ON_ERROR), "\n";
}
