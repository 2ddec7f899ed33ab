<?php
declare(strict_types=1);

namespace Sanad\WooCommerce;

/** In Yemen nobody has a postcode, and a state is not part of an address: with the setting both may stay empty. */
final class AddressFields
{
    /** @param array<string, array<string, array<string, mixed>>> $locales @return array<string, array<string, array<string, mixed>>> */
    public static function change(array $locales): array
    {
        if (Settings::read()->yemenAddress) {
            foreach (['state', 'postcode'] as $field) {
                $locales['YE'][$field] = [...($locales['YE'][$field] ?? []), 'required' => false];
            }
        }
        return $locales;
    }
}
