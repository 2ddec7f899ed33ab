<?php

/** Loads the SDK, its tests, and the classes of Debian's packages. */

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

spl_autoload_register(static function (string $class): void {
    $path = str_replace('\\', '/', $class);
    $own = __DIR__ . '/' . substr($path, strlen('Sanad/Tests/')) . '.php';
    foreach (str_starts_with($class, 'Sanad\\Tests\\') ? [$own] : ["/usr/share/php/$path.php"] as $file) {
        if (is_file($file)) {
            require $file;
        }
    }
});
