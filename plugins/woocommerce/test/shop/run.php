<?php
/** Runs PHP in the shop: php run.php WORDPRESS < code. The code's `return` is printed as JSON. */
$_SERVER['HTTP_HOST'] = (string) getenv('SHOP_HOST');
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI'] = '/';
define('WP_USE_THEMES', false);
require "$argv[1]/wp-load.php";
wp_set_current_user(1);
$result = eval((string) stream_get_contents(STDIN));
echo "\n" . json_encode($result, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
