<?php

/** Loads Debian's Laravel, the SDK, the package and its tests. */

declare(strict_types=1);

require '/usr/share/php/Illuminate/autoload.php';
require __DIR__ . '/../../php/autoload.php';

spl_autoload_register(static function (string $class): void {
    foreach (['Sanad\\Laravel\\Tests\\' => __DIR__, 'Sanad\\Laravel\\' => __DIR__ . '/../src'] as $prefix => $folder) {
        $file = $folder . '/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
        }
    }
});
