<?php

use Illuminate\Support\Facades\Route;
use Sanad\Laravel\Http\ReceiveWebhook;
use Sanad\Laravel\Http\VerifyWebhook;

// Outside of the group "web": Sanad has no session and no CSRF token, the signature is its proof.
Route::post(config('sanad.webhook_path'), ReceiveWebhook::class)
    ->middleware(VerifyWebhook::class)
    ->name('sanad.webhook');
