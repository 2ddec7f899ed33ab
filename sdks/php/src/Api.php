<?php

declare(strict_types=1);

namespace Sanad;

/**
 * The objects of the API, as arrays with the fields of the OpenAPI documents. Written by `npm run dumps`: do not edit.
 *
 * @phpstan-type TokenAnswer array{
 *   access_token: string,
 *   token_type: 'Bearer',
 *   expires_in: int,
 * }
 * @phpstan-type WalletList list<Wallet>
 * @phpstan-type Wallet array{
 *   id: string,
 *   name: string,
 *   account_number: string,
 *   sender_name: string,
 *   currency: 'YER',
 *   provider: Provider,
 *   is_test: bool,
 * }
 * @phpstan-type Provider array{
 *   id: string,
 *   name: string,
 *   display_name: string,
 *   theme_color: string,
 *   logo_url: string,
 *   provider_status: 'ACTIVE'|'INACTIVE'|'MAINTENANCE',
 * }
 * @phpstan-type CreateIntent array{
 *   wallet: string,
 *   amount?: string,
 *   items?: list<NewItem>,
 *   currency?: 'YER',
 *   external_order_id?: string,
 *   notes?: string,
 * }
 * @phpstan-type NewItem array{
 *   name: string,
 *   description?: string,
 *   price: string,
 *   quantity?: int,
 * }
 * @phpstan-type AttachReference array{
 *   reference: string,
 * }
 * @phpstan-type Intent array{
 *   id: string,
 *   code: string,
 *   external_order_id: string,
 *   reference: string,
 *   status: IntentStatus,
 *   base_amount: string,
 *   payable_amount: string,
 *   paid_amount: string|null,
 *   currency: 'YER',
 *   items: list<Item>,
 *   notes: string,
 *   wallet: IntentWallet,
 *   provider: Provider,
 *   expires_at: string,
 *   created_at: string,
 *   verified_at: string|null,
 *   manual_override: bool,
 *   collected_manually: bool,
 *   matched_event: MatchedEvent|null,
 *   device: Device|null,
 *   subscription: null,
 * }
 * @phpstan-type IntentStatus 'PENDING'|'VERIFIED'|'WRONG_AMOUNT'|'EXPIRED'|'CANCELLED'
 * @phpstan-type Item array{
 *   name: string,
 *   description: string,
 *   price: string,
 *   quantity: int,
 *   total_price: string,
 * }
 * @phpstan-type IntentWallet array{
 *   id: string,
 *   name: string,
 *   sender_name: string,
 *   is_test: bool,
 *   sim_slot: ''|'SIM1'|'SIM2',
 *   account_number: string,
 * }
 * @phpstan-type MatchedEvent array{
 *   id: string,
 *   amount: string,
 *   sender: string,
 *   reference: string,
 *   created_at: string,
 * }
 * @phpstan-type Device array{
 *   id: string,
 *   name: string,
 * }
 * @phpstan-type IntentPage array{
 *   count: int,
 *   next: string|null,
 *   previous: string|null,
 *   results: list<Intent>,
 * }
 * @phpstan-type PaymentVerified array{
 *   event: 'payment.verified',
 *   payment_id: string,
 *   intent_id: string,
 *   order_id: string,
 *   reference: string,
 *   base_amount: string,
 *   amount: string,
 *   currency: 'YER',
 *   status: 'VERIFIED',
 *   verified_at: string,
 *   manual_override: bool,
 * }
 * @phpstan-type PaymentUnmatched array{
 *   event: 'payment.unmatched',
 *   event_id: string,
 *   reference: string,
 *   amount: string,
 *   currency: 'YER',
 *   wallet: string,
 *   received_at: string,
 *   is_test: bool,
 * }
 * @phpstan-type PaymentReceived array{
 *   event: 'payment.received',
 *   event_id: string,
 *   reference: string,
 *   amount: string,
 *   currency: 'YER',
 *   resolution: 'UNMATCHED'|'MATCHED'|'WRONG_AMOUNT',
 *   received_at: string,
 *   is_test: bool,
 * }
 * @phpstan-type PaymentWrongAmount array{
 *   event: 'payment.wrong_amount',
 *   payment_id: string,
 *   intent_id: string,
 *   order_id: string,
 *   reference: string,
 *   base_amount: string,
 *   amount: string,
 *   paid_amount: string,
 *   currency: 'YER',
 *   status: 'WRONG_AMOUNT',
 *   ended_at: string,
 *   manual_override: bool,
 *   is_test: bool,
 * }
 * @phpstan-type PaymentExpired array{
 *   event: 'payment.expired',
 *   payment_id: string,
 *   intent_id: string,
 *   order_id: string,
 *   reference: string,
 *   base_amount: string,
 *   amount: string,
 *   paid_amount: null,
 *   currency: 'YER',
 *   status: 'EXPIRED',
 *   ended_at: string,
 *   manual_override: bool,
 *   is_test: bool,
 * }
 * @phpstan-type PaymentCancelled array{
 *   event: 'payment.cancelled',
 *   payment_id: string,
 *   intent_id: string,
 *   order_id: string,
 *   reference: string,
 *   base_amount: string,
 *   amount: string,
 *   paid_amount: null,
 *   currency: 'YER',
 *   status: 'CANCELLED',
 *   ended_at: string,
 *   manual_override: bool,
 *   is_test: bool,
 * }
 * @phpstan-type ErrorAnswer array{
 *   type: 'validation_error'|'client_error'|'server_error',
 *   errors: list<ErrorEntry>,
 * }
 * @phpstan-type ErrorEntry array{
 *   code: string,
 *   detail: string,
 *   attr: string|null,
 * }
 * @phpstan-type CreateCheckout array{
 *   amount?: string,
 *   items?: list<NewItem>,
 *   currency?: 'YER',
 *   external_order_id?: string,
 *   description?: string,
 *   wallets?: list<string>,
 *   return_url?: string,
 *   cancel_url?: string,
 *   metadata?: array<string, string>,
 *   customer?: NewCustomer,
 *   locale?: 'ar'|'en',
 *   expires_in?: int,
 *   allow_remaining?: bool,
 * }
 * @phpstan-type NewCustomer array{
 *   name?: string,
 *   phone?: string,
 * }
 * @phpstan-type Checkout array{
 *   id: string,
 *   url: string,
 *   status: CheckoutStatus,
 *   amount: string,
 *   paid: string,
 *   currency: 'YER',
 *   external_order_id: string,
 *   description: string,
 *   items: list<Item>,
 *   wallets: list<string>,
 *   return_url: string,
 *   cancel_url: string,
 *   metadata: array<string, string>,
 *   customer: CheckoutCustomer,
 *   locale: ''|'ar'|'en',
 *   allow_remaining: bool,
 *   link: string|null,
 *   is_test: bool,
 *   intents: list<CheckoutIntent>,
 *   expires_at: string,
 *   created_at: string,
 *   ended_at: string|null,
 * }
 * @phpstan-type CheckoutStatus 'OPEN'|'COMPLETE'|'EXPIRED'|'CANCELLED'
 * @phpstan-type CheckoutIntent array{
 *   id: string,
 *   code: string,
 *   status: IntentStatus,
 *   wallet: CheckoutWallet,
 *   payable_amount: string,
 *   paid_amount: string|null,
 *   reference: string,
 *   created_at: string,
 *   expires_at: string,
 *   verified_at: string|null,
 * }
 * @phpstan-type CheckoutWallet array{
 *   id: string,
 *   name: string,
 * }
 * @phpstan-type CheckoutCustomer array{
 *   name: string,
 *   phone: string,
 * }
 * @phpstan-type CheckoutPage array{
 *   count: int,
 *   next: string|null,
 *   previous: string|null,
 *   results: list<Checkout>,
 * }
 * @phpstan-type CreateLink array{
 *   amount?: string,
 *   min_amount?: string,
 *   max_amount?: string,
 *   external_order_id?: string,
 *   description?: string,
 *   wallets?: list<string>,
 *   return_url?: string,
 *   metadata?: array<string, string>,
 *   locale?: 'ar'|'en',
 *   expires_in?: int,
 *   allow_remaining?: bool,
 *   once?: bool,
 * }
 * @phpstan-type ChangeLink array{
 *   active: bool,
 * }
 * @phpstan-type PaymentLink array{
 *   id: string,
 *   url: string,
 *   active: bool,
 *   amount: string|null,
 *   min_amount: string|null,
 *   max_amount: string|null,
 *   currency: 'YER',
 *   external_order_id: string,
 *   description: string,
 *   wallets: list<string>,
 *   return_url: string,
 *   metadata: array<string, string>,
 *   locale: ''|'ar'|'en',
 *   expires_in: int,
 *   allow_remaining: bool,
 *   once: bool,
 *   created_at: string,
 * }
 * @phpstan-type PaymentLinkPage array{
 *   count: int,
 *   next: string|null,
 *   previous: string|null,
 *   results: list<PaymentLink>,
 * }
 * @phpstan-type CheckoutCompleted array{
 *   event: 'checkout.completed',
 *   checkout_id: string,
 *   order_id: string,
 *   amount: string,
 *   paid: string,
 *   currency: 'YER',
 *   status: 'COMPLETE',
 *   intents: list<string>,
 *   metadata: array<string, string>,
 *   completed_at: string,
 *   is_test: bool,
 * }
 * @phpstan-type CheckoutExpired array{
 *   event: 'checkout.expired',
 *   checkout_id: string,
 *   order_id: string,
 *   amount: string,
 *   paid: string,
 *   currency: 'YER',
 *   status: 'EXPIRED',
 *   intents: list<string>,
 *   metadata: array<string, string>,
 *   expired_at: string,
 *   is_test: bool,
 * }
 * @phpstan-type ListWalletsQuery array{
 *   include_test?: '1',
 * }
 * @phpstan-type ListIntentsQuery array{
 *   status?: IntentStatus|list<IntentStatus>,
 *   code?: string,
 *   reference?: string,
 *   external_order_id?: string,
 *   wallet?: string,
 *   created_after?: string|\DateTimeInterface,
 *   created_before?: string|\DateTimeInterface,
 *   search?: string,
 *   ordering?: 'created_at'|'verified_at'|'payable_amount'|'status'|'-created_at'|'-verified_at'|'-payable_amount'|'-status'|list<'created_at'|'verified_at'|'payable_amount'|'status'|'-created_at'|'-verified_at'|'-payable_amount'|'-status'>,
 *   page_size?: int,
 *   page?: int|string,
 * }
 * @phpstan-type ListCheckoutsQuery array{
 *   status?: CheckoutStatus|list<CheckoutStatus>,
 *   external_order_id?: string,
 *   reference?: string,
 *   wallet?: string,
 *   created_after?: string|\DateTimeInterface,
 *   created_before?: string|\DateTimeInterface,
 *   search?: string,
 *   ordering?: 'created_at'|'amount'|'status'|'-created_at'|'-amount'|'-status',
 *   page_size?: int,
 *   page?: int|string,
 * }
 * @phpstan-type ListLinksQuery array{
 *   page_size?: int,
 *   page?: int|string,
 * }
 * @phpstan-type WebhookEvent PaymentVerified|PaymentUnmatched|PaymentReceived|PaymentWrongAmount|PaymentExpired|PaymentCancelled|CheckoutCompleted|CheckoutExpired
 */
final class Api
{
}
