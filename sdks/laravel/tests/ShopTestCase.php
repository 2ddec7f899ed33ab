<?php

declare(strict_types=1);

namespace Sanad\Laravel\Tests;

use PHPUnit\Framework\TestCase;

abstract class ShopTestCase extends TestCase
{
    /** @var list<Shop> */
    private array $shops = [];

    /** @param array<string, mixed> $sanad */
    protected function shop(array $sanad = []): Shop
    {
        return $this->shops[] = new Shop($sanad);
    }

    protected function tearDown(): void
    {
        foreach (array_reverse($this->shops) as $shop) {
            $shop->close();
        }
    }
}
