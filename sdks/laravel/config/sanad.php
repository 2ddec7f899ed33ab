<?php

return [
    'url' => env('SANAD_URL'),
    'client_id' => env('SANAD_CLIENT_ID'),
    'client_secret' => env('SANAD_CLIENT_SECRET'),

    // The cache store that keeps the access token between requests. Null: the default one.
    'cache' => env('SANAD_CACHE'),

    // Where Sanad sends its events. Null: the package makes no route.
    'webhook_path' => 'sanad/webhook',
    // The second one is for the time in which you change from one secret to another.
    'webhook_secrets' => [env('SANAD_WEBHOOK_SECRET'), env('SANAD_WEBHOOK_OLD_SECRET')],
    // How many seconds the time of a signature may differ from the clock of this server.
    'webhook_tolerance' => 300,

    // Where `checkout->start` keeps its attempts: the connection (null: the default one) and the table, its whole name.
    'store_connection' => env('SANAD_DB_CONNECTION'),
    'store_table' => 'sanad_checkouts',
];
