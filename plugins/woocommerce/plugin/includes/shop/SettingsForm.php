<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** The fields and the notices of the settings page. */
final class SettingsForm
{
    /** @return array<string, array<string, mixed>> */
    public static function fields(): array
    {
        $yes = static fn (string $title, string $label, string $default, string $more = ''): array =>
            ['title' => $title, 'type' => 'checkbox', 'label' => $label, 'default' => $default, 'description' => $more];
        return [
            'enabled' => $yes(__('Enable', 'sanad-for-woocommerce'), __('Offer mobile wallets at the checkout', 'sanad-for-woocommerce'), 'no'),
            'title' => [
                'title' => __('Title', 'sanad-for-woocommerce'),
                'type' => 'text',
                'description' => __('What buyers read at the checkout.', 'sanad-for-woocommerce'),
                'default' => __('Mobile wallet', 'sanad-for-woocommerce'),
            ],
            'description' => [
                'title' => __('Description', 'sanad-for-woocommerce'),
                'type' => 'textarea',
                'default' => __('Transfer from your wallet and enter the number of the transfer. Your order is confirmed as soon as the money arrives.', 'sanad-for-woocommerce'),
            ],
            'connection' => [
                'title' => __('Connection', 'sanad-for-woocommerce'),
                'type' => 'title',
                /* translators: 1: an address, 2: names of events */
                'description' => sprintf(
                    __('In Sanad\'s dashboard create an API key, and under Webhooks an endpoint with the address %1$s and the events %2$s. Copy the key and the signing secret here.', 'sanad-for-woocommerce'),
                    '<code dir="ltr">' . esc_html(Receiver::address()) . '</code>',
                    '<code dir="ltr">payment.verified, payment.wrong_amount, checkout.completed, checkout.expired</code>',
                ),
            ],
            'url' => [
                'title' => __('Address of Sanad', 'sanad-for-woocommerce'),
                'type' => 'url',
                'placeholder' => 'https://sanad.example.com',
                'css' => 'direction: ltr',
                'default' => '',
            ],
            'client_id' => [
                'title' => __('Key id (client id)', 'sanad-for-woocommerce'),
                'type' => 'text',
                'css' => 'direction: ltr',
                'default' => '',
            ],
            'client_secret' => [
                'title' => __('Key secret (client secret)', 'sanad-for-woocommerce'),
                'type' => 'password',
                'css' => 'direction: ltr',
                'default' => '',
            ],
            'webhook_secret' => [
                'title' => __('Signing secret', 'sanad-for-woocommerce'),
                'type' => 'password',
                'css' => 'direction: ltr',
                'description' => __('Of the endpoint. While you change it: both, with a space between them.', 'sanad-for-woocommerce'),
                'default' => '',
            ],
            'payment' => ['title' => __('Payment', 'sanad-for-woocommerce'), 'type' => 'title'],
            'page' => [
                'title' => __('Where the buyer pays', 'sanad-for-woocommerce'),
                'type' => 'select',
                'options' => [
                    'hosted' => __('On Sanad\'s payment page (recommended)', 'sanad-for-woocommerce'),
                    'own' => __('In this shop: the wallet, then a field for the reference', 'sanad-for-woocommerce'),
                ],
                'default' => 'hosted',
            ],
            'minutes' => [
                'title' => __('Minutes to pay', 'sanad-for-woocommerce'),
                'type' => 'number',
                'description' => __('How long Sanad\'s page can be paid: 5 to 10080 minutes (7 days). WooCommerce does not cancel the order before.', 'sanad-for-woocommerce'),
                'custom_attributes' => ['min' => '5', 'max' => '10080', 'step' => '1'],
                'default' => '60',
            ],
            'allow_remaining' => $yes(
                __('Too small a payment', 'sanad-for-woocommerce'),
                __('The buyer may pay the rest on Sanad\'s page', 'sanad-for-woocommerce'),
                'yes',
            ),
            'yemen_address' => $yes(
                __('Addresses in Yemen', 'sanad-for-woocommerce'),
                __('State and postcode are optional', 'sanad-for-woocommerce'),
                'yes',
            ),
            'test_mode' => $yes(
                __('Test mode', 'sanad-for-woocommerce'),
                __('Money of the test wallet pays orders', 'sanad-for-woocommerce'),
                'no',
                __('Never where goods are delivered: test money is no money.', 'sanad-for-woocommerce'),
            ),
        ];
    }

    public static function notices(): void
    {
        $currency = get_woocommerce_currency();
        if ($currency !== Money::CURRENCY) {
            printf('<div class="notice notice-error inline"><p>%s</p></div>', esc_html(Notes::otherCurrency($currency)));
        }
        if (Settings::read()->testMode) {
            printf(
                '<div class="notice notice-warning inline"><p>%s</p></div>',
                esc_html__('Test mode is on: money of the test wallet pays orders. Switch it off before you sell.', 'sanad-for-woocommerce'),
            );
        }
    }

    public static function connectionTest(): void
    {
        printf(
            '<h3>%s</h3><p>%s</p><p><button type="button" class="button" id="sanad-test">%s</button></p><div id="sanad-test-result" aria-live="polite"></div>',
            esc_html__('Connection test', 'sanad-for-woocommerce'),
            esc_html__('Tries what is in the fields above, also before it is saved.', 'sanad-for-woocommerce'),
            esc_html__('Test the connection', 'sanad-for-woocommerce'),
        );
        wp_enqueue_script('sanad-settings', plugins_url('assets/settings.js', SANAD_WOOCOMMERCE_FILE), [], Plugin::version(), true);
        wp_localize_script('sanad-settings', 'sanadSettings', [
            'address' => admin_url('admin-ajax.php'),
            'nonce' => wp_create_nonce(ConnectionTest::ACTION),
            'action' => ConnectionTest::ACTION,
            'running' => __('Testing …', 'sanad-for-woocommerce'),
            'failed' => __('This shop did not answer. Please load the page again.', 'sanad-for-woocommerce'),
        ]);
    }
}
