/**
 * One made-up order from its creation to its end, for the examples of the document. Nothing here exists: no wallet, no
 * provider, no secret. The types check the examples against the schemas; a test checks their formats and limits too.
 */
import { usualCurrency } from '../currency.ts'
import type {
  PaymentCancelled,
  PaymentExpired,
  PaymentReceived,
  PaymentUnmatched,
  PaymentVerified,
  PaymentWrongAmount,
} from '../events.ts'
import type { AttachReference, CreateIntent, Intent, IntentPage } from '../intent.ts'
import type { TokenAnswer } from '../token.ts'
import type { Wallet, WalletList } from '../wallet.ts'

export const clientId = '0123456789abcdef0123456789abcdef'
export const clientSecret = 'made-up-secret-of-forty-three-characters-00'
export const idempotencyKey = '7b0c1f52-4c4e-4d1c-9a53-0d3f5b6a9e10'

export const token: TokenAnswer = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.bWFkZS11cA.bWFkZS11cC1zaWduYXR1cmU',
  token_type: 'Bearer',
  expires_in: 3600,
}

const wallet: Wallet = {
  id: '3f2b8c1e-6d4a-4e0f-9b57-1c2d3e4f5a6b',
  name: 'Shop counter',
  account_number: '700000000',
  sender_name: 'ExamplePay',
  currency: usualCurrency,
  provider: {
    id: 'a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d',
    name: 'examplepay',
    display_name: 'Example Pay',
    theme_color: '#0F5C63',
    logo_url: 'https://pay.example.com/logos/examplepay.svg',
    provider_status: 'ACTIVE',
  },
  is_test: false,
}

export const wallets: WalletList = [wallet]

export const createByItems: CreateIntent = {
  wallet: wallet.id,
  items: [
    { name: 'Coffee beans, 1 kg', price: '4500.00', quantity: 2 },
    { name: 'Delivery', description: 'Within the city', price: '500.00' },
  ],
  external_order_id: 'ORDER-1042',
  notes: 'Ring twice',
}

export const createByAmount: CreateIntent = {
  wallet: wallet.id,
  amount: '9500.00',
  currency: usualCurrency,
  external_order_id: 'ORDER-1042',
}

export const pending: Intent = {
  id: '019b7ca9-8f2e-7c3a-9d41-5b6e7f809a1b',
  code: 'K7M2Q9X4TB',
  external_order_id: 'ORDER-1042',
  reference: '',
  status: 'PENDING',
  base_amount: '9500.00',
  payable_amount: '9500.00',
  paid_amount: null,
  currency: usualCurrency,
  items: [
    { name: 'Coffee beans, 1 kg', description: '', price: '4500.00', quantity: 2, total_price: '9000.00' },
    { name: 'Delivery', description: 'Within the city', price: '500.00', quantity: 1, total_price: '500.00' },
  ],
  notes: 'Ring twice',
  wallet: {
    id: wallet.id,
    name: wallet.name,
    sender_name: wallet.sender_name,
    is_test: wallet.is_test,
    sim_slot: 'SIM1',
    account_number: wallet.account_number,
  },
  provider: wallet.provider,
  expires_at: '2026-01-02T07:04:05.678000+03:00',
  created_at: '2026-01-02T06:04:05.678000+03:00',
  verified_at: null,
  manual_override: false,
  collected_manually: false,
  matched_event: null,
  device: null,
  subscription: null,
}

export const attach: AttachReference = { reference: '220700001234' }

export const waiting: Intent = { ...pending, reference: attach.reference }

const alert = {
  id: '019b7cab-0770-7e21-8a3c-2f4d6b8e0c1d',
  amount: '9500.00',
  sender: wallet.sender_name,
  reference: attach.reference,
  created_at: '2026-01-02T06:05:42.000000+03:00',
}
const device = { id: 'c0ffee00-1234-4abc-8def-0123456789ab', name: 'Shop phone' }

export const verified: Intent = {
  ...waiting,
  status: 'VERIFIED',
  verified_at: '2026-01-02T06:06:10.250000+03:00',
  matched_event: alert,
  device,
}

export const wrongAmount: Intent = {
  ...waiting,
  status: 'WRONG_AMOUNT',
  paid_amount: '9000.00',
  matched_event: { ...alert, amount: '9000.00' },
  device,
}

export const expired: Intent = { ...pending, status: 'EXPIRED' }

export const page: IntentPage = {
  count: 41,
  next: 'https://pay.example.com/api/v1/merchant/intents/?page=2&status=VERIFIED',
  previous: null,
  results: [verified],
}

export const paymentVerified: PaymentVerified = {
  event: 'payment.verified',
  payment_id: verified.code,
  intent_id: verified.id,
  order_id: verified.external_order_id,
  reference: verified.reference,
  base_amount: verified.base_amount,
  amount: verified.payable_amount,
  currency: usualCurrency,
  status: 'VERIFIED',
  verified_at: '2026-01-02T06:06:10.250000+03:00',
  manual_override: false,
}

export const paymentUnmatched: PaymentUnmatched = {
  event: 'payment.unmatched',
  event_id: '019b7cad-2c10-7b54-9e60-3a5c7d9f1b2e',
  reference: '220700009876',
  amount: '1200.00',
  currency: usualCurrency,
  wallet: wallet.name,
  received_at: '2026-01-02T06:08:03.120000+03:00',
  is_test: false,
}

export const paymentReceived: PaymentReceived = {
  event: 'payment.received',
  event_id: '019b7cae-94d8-7a07-8c12-4b6d8e0a2c3f',
  reference: 'TEST-0001',
  amount: '100.00',
  currency: usualCurrency,
  resolution: 'UNMATCHED',
  received_at: '2026-01-02T06:09:35.384000+03:00',
  is_test: true,
}

const {
  event: _event,
  currency,
  status: _status,
  verified_at: _at,
  manual_override,
  ...paymentFields
} = paymentVerified

export const paymentWrongAmount: PaymentWrongAmount = {
  event: 'payment.wrong_amount',
  ...paymentFields,
  paid_amount: '9000.00',
  currency,
  status: 'WRONG_AMOUNT',
  ended_at: '2026-01-02T06:06:10.250000+03:00',
  manual_override,
  is_test: false,
}

export const paymentExpired: PaymentExpired = {
  event: 'payment.expired',
  ...paymentFields,
  reference: '',
  paid_amount: null,
  currency,
  status: 'EXPIRED',
  ended_at: '2026-01-02T07:04:05.678000+03:00',
  manual_override,
  is_test: false,
}

export const paymentCancelled: PaymentCancelled = {
  ...paymentExpired,
  event: 'payment.cancelled',
  status: 'CANCELLED',
  ended_at: '2026-01-02T06:20:00.000000+03:00',
}

/** The signature of the first attempt to deliver `paymentVerified`, made with this secret over its compact JSON. */
export const signing = {
  secret: 'made-up-signing-secret',
  header: 't=1767323170,v1=4763155909a53dac69487c4344a2ea0d508076dab8c458195c9866fffdeceefa',
}
