<?php

/** Loads the classes of the SDK without Composer: require 'sanad-php/autoload.php'. */

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Sanad\\')) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Sanad\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
