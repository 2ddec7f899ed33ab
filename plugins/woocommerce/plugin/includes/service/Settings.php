<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** The settings of the gateway as the plugin uses them, read from the option that WooCommerce's settings page writes. */
final class Settings
{
    public const OPTION = 'woocommerce_sanad_settings';

    private function __construct(
        public readonly string $url,
        public readonly string $clientId,
        public readonly string $clientSecret,
        /** @var list<string> */
        public readonly array $secrets,
        public readonly bool $isOwnPage,
        public readonly bool $allowRemaining,
        public readonly int $minutes,
        public readonly bool $testMode,
        public readonly bool $yemenAddress,
    ) {
    }

    public static function read(): self
    {
        $stored = get_option(self::OPTION, []);
        return self::of(is_array($stored) ? $stored : []);
    }

    /** @param array<string, mixed> $stored */
    public static function of(array $stored): self
    {
        $text = static fn (string $name, string $default = ''): string =>
            is_scalar($stored[$name] ?? null) ? trim((string) $stored[$name]) : $default;
        return new self(
            rtrim($text('url'), '/'),
            $text('client_id'),
            $text('client_secret'),
            preg_split('/\s+/', $text('webhook_secret'), -1, PREG_SPLIT_NO_EMPTY) ?: [],
            $text('page', 'hosted') === 'own',
            $text('allow_remaining', 'yes') === 'yes',
            min(10080, max(5, (int) $text('minutes', '60'))),
            $text('test_mode', 'no') === 'yes',
            $text('yemen_address', 'yes') === 'yes',
        );
    }

    public function isComplete(): bool
    {
        return $this->url !== '' && $this->clientId !== '' && $this->clientSecret !== '' && $this->secrets !== [];
    }
}
