<?php
declare(strict_types=1);

/** The pure classes need nothing of WordPress but its functions for texts. */
if (!function_exists('__')) {
    function __(string $text, string $domain): string
    {
        return $text;
    }
}

spl_autoload_register(static function (string $class): void {
    $prefix = 'Sanad\\WooCommerce\\';
    if (str_starts_with($class, $prefix)) {
        $name = substr($class, strlen($prefix));
        require glob(__DIR__ . "/../../plugin/includes/*/$name.php")[0];
    }
});
