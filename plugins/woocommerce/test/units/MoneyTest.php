<?php
declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use Sanad\WooCommerce\Money;

final class MoneyTest extends TestCase
{
    /** @dataProvider amounts */
    public function testAnAmountIsReadExactly(string $text, ?int $minor): void
    {
        self::assertSame($minor, Money::toMinor($text));
    }

    /** @return list<array{string, ?int}> */
    public static function amounts(): array
    {
        return [
            ['1500', 150000],
            ['1500.00', 150000],
            ['0.1', 10],
            ['0.29', 29],
            ['1.005', 101],
            ['1.0049', 100],
            ['0.995', 100],
            ['999999999999.99', 99999999999999],
            ['1000000000000', null],
            ['-1', null],
            ['', null],
            ['1,500', null],
            ["1500\n", null],
            ['1e3', null],
            ['٥', null],
        ];
    }

    public function testAnAmountIsWrittenAsSanadWritesIt(): void
    {
        self::assertSame('1500.00', Money::toText(150000));
        self::assertSame('0.05', Money::toText(5));
        foreach ([1, 99, 100, 101, 123456789] as $minor) {
            self::assertSame($minor, Money::toMinor(Money::toText($minor)));
        }
    }

    public function testPeopleReadNoDecimalsThatAreNothing(): void
    {
        self::assertSame('1,500', Money::toPeople(150000));
        self::assertSame('1,500.50', Money::toPeople(150050));
    }
}
