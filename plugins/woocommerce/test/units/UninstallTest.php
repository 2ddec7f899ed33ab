<?php
declare(strict_types=1);

use PHPUnit\Framework\TestCase;

/** A network of sites, as far as uninstall.php asks for it: the options of each site, and the site that is current. */
final class MadeUpNetwork
{
    /** @var array<int, array<string, true>> */
    public static array $options = [];
    /** @var list<int> */
    public static array $sites = [1];
}

function is_multisite(): bool
{
    return count(MadeUpNetwork::$options) > 1;
}

/** @return list<int> */
function get_sites(array $query): array
{
    return array_slice(array_keys(MadeUpNetwork::$options), 0, $query['number'] === 0 ? null : $query['number'] ?? 100);
}

function switch_to_blog(int $site): void
{
    MadeUpNetwork::$sites[] = $site;
}

function restore_current_blog(): void
{
    array_pop(MadeUpNetwork::$sites);
}

function delete_option(string $name): void
{
    unset(MadeUpNetwork::$options[end(MadeUpNetwork::$sites)][$name]);
}

function delete_transient(string $name): void
{
    delete_option("_transient_$name");
}

final class UninstallTest extends TestCase
{
    public static function setUpBeforeClass(): void
    {
        define('WP_UNINSTALL_PLUGIN', 'sanad-for-woocommerce/sanad-for-woocommerce.php');
    }

    /** @dataProvider networks */
    public function testSecretsAreForgottenOnEverySite(int $sites): void
    {
        $stored = ['woocommerce_sanad_settings' => true, 'sanad_last_event' => true, '_transient_sanad_wallets' => true, 'blogname' => true];
        MadeUpNetwork::$options = array_fill(1, $sites, $stored);
        require __DIR__ . '/../../plugin/uninstall.php';
        self::assertSame(array_fill(1, $sites, ['blogname' => true]), MadeUpNetwork::$options);
        self::assertSame([1], MadeUpNetwork::$sites);
    }

    /** @return array<string, array{int}> */
    public static function networks(): array
    {
        return ['one site' => [1], 'three' => [3], 'more than WordPress lists by itself' => [120]];
    }
}
