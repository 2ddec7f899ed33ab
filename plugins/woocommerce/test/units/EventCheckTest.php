<?php
declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use Sanad\WooCommerce\EventCheck;

/** A signed callback is compared with what the API says. */
final class EventCheckTest extends TestCase
{
    private const INTENT = ['id' => 'i1', 'base_amount' => '1500.00', 'payable_amount' => '1500.00', 'status' => 'VERIFIED'];
    private const EVENT = [
        'event' => 'payment.verified',
        'intent_id' => 'i1',
        'base_amount' => '1500.00',
        'amount' => '1500.00',
        'currency' => 'YER',
        'status' => 'VERIFIED',
    ];
    private const PAGE = ['event' => 'checkout.completed', 'intents' => ['i1'], 'paid' => '1500.00', 'amount' => '1500.00', 'currency' => 'YER'];

    public function testOneThatAgreesIsUsed(): void
    {
        self::assertNull(EventCheck::doubt(self::EVENT, [self::INTENT]));
        self::assertNull(EventCheck::doubt(self::PAGE, [self::INTENT]));
    }

    /** @dataProvider differing */
    public function testOneThatDiffersIsNotUsed(array $change): void
    {
        self::assertNotNull(EventCheck::doubt([...self::EVENT, ...$change], [self::INTENT]));
    }

    /** @return list<array{array<string, mixed>}> */
    public static function differing(): array
    {
        return [
            [['base_amount' => '1501.00']],
            [['amount' => '1.00']],
            [['amount' => 1500]],
            [['currency' => 'USD']],
            [['currency' => null]],
            [['intent_id' => 'i2']],
            [[...self::PAGE, 'paid' => '1400.00']],
            [[...self::PAGE, 'intents' => []]],
            [[...self::PAGE, 'currency' => 'SAR']],
        ];
    }
}
