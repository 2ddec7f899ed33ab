<?php

use Illuminate\Database\Migrations\Migration;
use Sanad\Laravel\DatabaseStore;

return new class extends Migration {
    public function up(): void
    {
        app(DatabaseStore::class)->create();
    }

    public function down(): void
    {
        app(DatabaseStore::class)->drop();
    }
};
