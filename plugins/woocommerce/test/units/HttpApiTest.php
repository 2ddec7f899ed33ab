<?php
declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use Sanad\WooCommerce\ApiFault;
use Sanad\WooCommerce\HttpApi;

/** The client, on a transport that answers what the test says. */
final class HttpApiTest extends TestCase
{
    /** @var list<array{string, string, array<string, string>, ?string}> */
    private array $calls = [];
    private ?string $token = null;

    /** @param list<array{int, string}|null> $answers null: no answer comes. */
    private function api(array $answers): HttpApi
    {
        return new HttpApi(
            'https://sanad.example',
            'made-up-id',
            'made-up-secret',
            function (string $method, string $address, array $headers, ?string $body) use (&$answers): array {
                $this->calls[] = [$method, $address, $headers, $body];
                if (str_ends_with($address, '/token')) {
                    return ['status' => 200, 'body' => '{"access_token":"t' . count($this->calls) . '","expires_in":3600}', 'headers' => []];
                }
                $answer = array_shift($answers);
                if ($answer === null) {
                    throw new ApiFault('no answer', 0);
                }
                return ['status' => $answer[0], 'body' => $answer[1], 'headers' => ['retry-after' => $answer[2] ?? '']];
            },
            fn (): ?string => $this->token,
            function (?string $token, int $seconds): void {
                $this->token = $token;
            },
        );
    }

    public function testOneTokenServesManyCalls(): void
    {
        $api = $this->api([[200, '[]'], [200, '[]']]);
        $api->wallets(false);
        $api->wallets(false);
        self::assertCount(3, $this->calls);
        self::assertSame('made-up-id', $this->calls[0][2]['SERVICE-CLIENT-ID']);
        self::assertSame('Bearer t1', $this->calls[2][2]['Authorization']);
    }

    public function testARevokedTokenIsRenewedOnce(): void
    {
        $revoked = [401, '{"errors":[{"code":"authentication_failed","detail":"No.","attr":null}]}'];
        $api = $this->api([$revoked, [200, '[]']]);
        self::assertSame([], $api->wallets(false));
        $this->expectException(ApiFault::class);
        $this->api([$revoked, $revoked])->wallets(false);
    }

    public function testALostAnswerIsAskedForAgainWithTheSameKeyAndBody(): void
    {
        $api = $this->api([null, [503, '{"errors":[{"code":"unavailable","detail":"","attr":null}]}'], [201, '{"id":"c1"}']]);
        self::assertSame(['id' => 'c1'], $api->createCheckout(['amount' => '1500.00'], 'key-1'));
        $creates = array_values(array_filter($this->calls, static fn (array $call): bool => str_ends_with($call[1], '/sessions/')));
        self::assertCount(3, $creates);
        foreach ($creates as $call) {
            self::assertSame(['key-1', '{"amount":"1500.00"}'], [$call[2]['SERVICE-IDEMPOTENCY-KEY'], $call[3]]);
        }
    }

    public function testARefusalIsNotRepeated(): void
    {
        try {
            $this->api([[400, '{"errors":[{"code":"invalid","detail":"Wrong.","attr":"return_url"}]}']])->createCheckout([], 'k');
            self::fail('nothing was thrown');
        } catch (ApiFault $fault) {
            self::assertSame([400, true, 'Wrong.'], [$fault->status, $fault->has('invalid'), $fault->detail()]);
            self::assertCount(2, $this->calls);
        }
    }

    public function testALongPauseIsNotWaitedFor(): void
    {
        $this->expectException(ApiFault::class);
        $this->api([[429, '{"errors":[{"code":"throttled","detail":"","attr":null}]}', '60'], [200, '[]']])->wallets(false);
    }

    public function testAnotherSiteIsNotTakenForSanad(): void
    {
        $this->expectException(ApiFault::class);
        $this->expectExceptionMessage('is not one of Sanad');
        $this->api([[404, '<html>']])->wallets(false);
    }

    public function testAllPagesOfAnOrderAreRead(): void
    {
        $row = static fn (string $id, string $order = 'WC-1-00000000'): string => "{\"id\":\"$id\",\"external_order_id\":\"$order\"}";
        $api = $this->api([
            [200, "{\"count\":4,\"results\":[{$row('a')},{$row('b')}]}"],
            [200, "{\"count\":4,\"results\":[{$row('of another order', 'WC-2-00000000')},{$row('c')}]}"],
        ]);
        self::assertSame(['a', 'b', 'c'], array_column($api->intentsOf('WC-1-00000000'), 'id'));
        self::assertStringContainsString('external_order_id=WC-1-00000000', $this->calls[1][1]);
        self::assertStringContainsString('page=2', $this->calls[2][1]);
    }
}
