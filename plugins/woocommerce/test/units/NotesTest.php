<?php
declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use Sanad\WooCommerce\Notes;

final class NotesTest extends TestCase
{
    public function testEveryNoteIsPlainTextWithItsAmount(): void
    {
        $notes = array_map(
            static fn (string $kind): string => Notes::of($kind, 140050, 150000),
            ['part', 'over', 'wrong', 'currency', 'late', 'besides', 'test'],
        );
        array_push(
            $notes,
            Notes::paid(140050, ['220700001234']),
            Notes::rest(140050, 'https://sanad.example/pay/x'),
            Notes::refund(140050, 'Too late & too cold'),
            Notes::refundSent(140050),
        );
        foreach ($notes as $note) {
            self::assertStringContainsString('1,400.50 YER', $note);
            self::assertDoesNotMatchRegularExpression('/&[#a-z0-9]+;|[<>]|%\d?\$?s/i', $note);
        }
    }
}
