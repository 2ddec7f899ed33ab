<?php

declare(strict_types=1);

namespace Sanad\Internal;

/**
 * Checks the arguments of a call before anything is sent: amounts that are not texts, keys and ids of the wrong form.
 *
 * @internal
 */
final class Arguments
{
    /** What the service removes from both ends of a text. */
    private const BLANKS = '[\x{09}-\x{0d}\x{1c}-\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]';
    private const LONGEST_ORDER_ID_BYTES = 1024;

    /**
     * Amounts are texts: a number is not exact.
     *
     * @param array<mixed> $body
     * @param list<string> $names
     */
    public static function requireTextAmounts(array $body, array $names): void
    {
        foreach ($names as $name) {
            self::requireText($name, $body[$name] ?? null);
        }
        $items = $body['items'] ?? null;
        foreach (is_array($items) ? $items : [] as $index => $item) {
            self::requireText("items.$index.price", is_array($item) ? $item['price'] ?? null : null);
        }
    }

    private static function requireText(string $name, mixed $value): void
    {
        if ($value !== null && !is_string($value)) {
            throw new \InvalidArgumentException("$name must be a string such as \"1500.00\": a number is not exact.");
        }
    }

    /** The order number as the service stores it. A blank one is refused: a list filtered by it would contain every order. */
    public static function orderIdOf(string $orderId): string
    {
        $text = strlen($orderId) > self::LONGEST_ORDER_ID_BYTES
            ? null
            : preg_replace('/^' . self::BLANKS . '+|' . self::BLANKS . '+$/Du', '', $orderId);
        if ($text === null || $text === '') {
            throw new \InvalidArgumentException('orderId must be your order number: UTF-8, at most 128 characters.');
        }
        return $text;
    }

    /** @return array<string, string> */
    public static function keyHeader(string $key): array
    {
        if (preg_match('/^[\x21-\x7e]{1,128}$/D', $key) !== 1) {
            throw new \InvalidArgumentException(
                'idempotencyKey must be a text of 1 to 128 visible ASCII characters, such as a UUID.',
            );
        }
        return ['service-idempotency-key' => $key];
    }

    public static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    /** What to do when it is not known whether a create was processed. */
    public static function adviceOf(string $kind, string $idempotencyKey): string
    {
        return "The $kind may exist all the same: repeat the same call within 24 hours with the idempotencyKey "
            . "$idempotencyKey, and there is one $kind.";
    }

    /** The path of one object. */
    public static function pathOf(string $list, string $id, string $kind): string
    {
        if ($id === '') {
            throw new \InvalidArgumentException("id must be the id of $kind.");
        }
        return $list . rawurlencode($id) . '/';
    }
}
