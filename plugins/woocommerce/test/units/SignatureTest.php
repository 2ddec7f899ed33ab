<?php
declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use Sanad\WooCommerce\NotGenuine;
use Sanad\WooCommerce\Signature;

final class SignatureTest extends TestCase
{
    private const BODY = '{"event":"payment.verified","payment_id":"K7M2Q9X4TB","intent_id":"019b7ca9-8f2e-7c3a-9d41-5b6e7f809a1b","order_id":"ORDER-1042","reference":"220700001234","base_amount":"9500.00","amount":"9500.00","currency":"YER","status":"VERIFIED","verified_at":"2026-01-02T06:06:10.250000+03:00","manual_override":false}';
    private const HEADER = 't=1767323170,v1=4763155909a53dac69487c4344a2ea0d508076dab8c458195c9866fffdeceefa';
    private const NOW = 1767323170;

    public function testTheExampleOfTheApiReferenceIsGenuine(): void
    {
        $event = Signature::eventOf(self::BODY, self::HEADER, ['made-up-signing-secret'], self::NOW);
        self::assertSame('9500.00', $event['base_amount']);
    }

    public function testDuringARotationEitherSecretIsEnough(): void
    {
        $both = Signature::sign(self::BODY, 'new', self::NOW) . ',v1=' . explode('v1=', Signature::sign(self::BODY, 'old', self::NOW))[1];
        foreach ([['old'], ['new'], ['other', 'old']] as $secrets) {
            self::assertSame('payment.verified', Signature::eventOf(self::BODY, $both, $secrets, self::NOW)['event']);
        }
    }

    /** @dataProvider refused */
    public function testARequestThatIsNotGenuineIsRefused(string $body, string $header, array $secrets, int $now): void
    {
        $this->expectException(NotGenuine::class);
        Signature::eventOf($body, $header, $secrets, $now);
    }

    /** @return array<string, array{string, string, list<string>, int}> */
    public static function refused(): array
    {
        $right = ['made-up-signing-secret'];
        return [
            'a changed body' => [str_replace('9500', '9501', self::BODY), self::HEADER, $right, self::NOW],
            'another secret' => [self::BODY, self::HEADER, ['other'], self::NOW],
            'no secret' => [self::BODY, Signature::sign(self::BODY, '', self::NOW), [''], self::NOW],
            'too old' => [self::BODY, self::HEADER, $right, self::NOW + 301],
            'from the future' => [self::BODY, self::HEADER, $right, self::NOW - 301],
            'no header' => [self::BODY, '', $right, self::NOW],
            'two times' => [self::BODY, 't=1,' . self::HEADER, $right, self::NOW],
            'no event' => ['[]', Signature::sign('[]', 'made-up-signing-secret', self::NOW), $right, self::NOW],
            'no JSON' => ['x', Signature::sign('x', 'made-up-signing-secret', self::NOW), $right, self::NOW],
        ];
    }
}
