<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/**
 * What the plugin asks of Sanad, and all that it knows of the API. Every method throws ApiFault. The one implementation is HttpApi;
 * the PHP SDK can take its place behind this interface.
 */
interface SanadApi
{
    /** @return list<array<string, mixed>> The wallets that can collect now. */
    public function wallets(bool $withTest): array;

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function createCheckout(array $body, string $key): array;

    /** @return array<string, mixed> */
    public function checkout(string $id): array;

    public function cancelCheckout(string $id): void;

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function createIntent(array $body, string $key): array;

    /** @return array<string, mixed> */
    public function intent(string $id): array;

    /** @return array<string, mixed> */
    public function attachReference(string $intent, string $reference): array;

    /**
     * Every intent of an order, whoever made it: pages of Sanad, this plugin, or a member who booked money.
     *
     * @return list<array<string, mixed>>
     */
    public function intentsOf(string $externalOrderId): array;
}
