/** One made-up order, paid on a page, for the examples of the document. Nothing here exists. */
import type {
  Checkout,
  CheckoutCompleted,
  CheckoutExpired,
  CheckoutPage,
  CreateCheckout,
  CreateLink,
  PaymentLink,
} from '../checkout.ts'
import { usualCurrency } from '../currency.ts'

const walletId = '3f2b8c1e-6d4a-4e0f-9b57-1c2d3e4f5a6b'

export const createByAmount: CreateCheckout = {
  amount: '9500.00',
  external_order_id: 'ORDER-1042',
  description: 'Coffee beans, 2 kg',
  return_url: 'https://shop.example.com/thanks',
  cancel_url: 'https://shop.example.com/basket',
  metadata: { basket: '77' },
  locale: 'ar',
  expires_in: 7200,
}

export const createByItems: CreateCheckout = {
  items: [{ name: 'Coffee beans, 1 kg', price: '4500.00', quantity: 2 }],
  external_order_id: 'ORDER-1043',
  wallets: [walletId],
  customer: { name: 'Ali Example', phone: '770000000' },
  allow_remaining: true,
}

export const open: Checkout = {
  id: '019b7ca9-8f2e-7c3a-9d41-5b6e7f809a1b',
  url: 'https://pay.example.com/pay/Zm9yLXRoZS1leGFtcGxlLW9u',
  status: 'OPEN',
  amount: '9500.00',
  paid: '0.00',
  currency: usualCurrency,
  external_order_id: 'ORDER-1042',
  description: 'Coffee beans, 2 kg',
  items: [],
  wallets: [],
  return_url: 'https://shop.example.com/thanks',
  cancel_url: 'https://shop.example.com/basket',
  metadata: { basket: '77' },
  customer: { name: '', phone: '' },
  locale: 'ar',
  allow_remaining: false,
  link: null,
  is_test: false,
  intents: [],
  expires_at: '2026-01-02T08:04:05.678000+03:00',
  created_at: '2026-01-02T06:04:05.678000+03:00',
  ended_at: null,
}

export const complete: Checkout = {
  ...open,
  status: 'COMPLETE',
  paid: '9500.00',
  intents: [
    {
      id: '019b7cab-0770-7e21-8a3c-2f4d6b8e0c1d',
      code: 'K7M2Q9X4TB',
      status: 'VERIFIED',
      wallet: { id: walletId, name: 'Shop counter' },
      payable_amount: '9500.00',
      paid_amount: null,
      reference: '220700001234',
      created_at: '2026-01-02T06:05:00.000000+03:00',
      expires_at: '2026-01-02T07:05:00.000000+03:00',
      verified_at: '2026-01-02T06:06:10.250000+03:00',
    },
  ],
  ended_at: '2026-01-02T06:06:10.250000+03:00',
}

export const cancelled: Checkout = { ...open, status: 'CANCELLED', ended_at: '2026-01-02T06:10:00.000000+03:00' }

export const page: CheckoutPage = {
  count: 41,
  next: 'https://pay.example.com/api/v1/checkout/sessions/?page=2&status=COMPLETE',
  previous: null,
  results: [complete],
}

export const completed: CheckoutCompleted = {
  event: 'checkout.completed',
  checkout_id: complete.id,
  order_id: 'ORDER-1042',
  amount: '9500.00',
  paid: '9500.00',
  currency: usualCurrency,
  status: 'COMPLETE',
  intents: ['019b7cab-0770-7e21-8a3c-2f4d6b8e0c1d'],
  metadata: { basket: '77' },
  completed_at: '2026-01-02T06:06:10.250000+03:00',
  is_test: false,
}

export const expired: CheckoutExpired = {
  event: 'checkout.expired',
  checkout_id: complete.id,
  order_id: 'ORDER-1042',
  amount: '9500.00',
  paid: '0.00',
  currency: usualCurrency,
  status: 'EXPIRED',
  intents: [],
  metadata: { basket: '77' },
  expired_at: '2026-01-02T08:04:05.678000+03:00',
  is_test: false,
}

export const createLink: CreateLink = { amount: '2500.00', description: 'Delivery', once: false }

export const createOpenLink: CreateLink = { min_amount: '100.00', max_amount: '50000.00', description: 'Donation' }

export const link: PaymentLink = {
  id: '019b7cb0-1111-7c3a-9d41-5b6e7f809a1b',
  url: 'https://pay.example.com/pay/link/YW5vdGhlci1leGFtcGxlLW9u',
  active: true,
  amount: '2500.00',
  min_amount: null,
  max_amount: null,
  currency: usualCurrency,
  external_order_id: '',
  description: 'Delivery',
  wallets: [],
  return_url: '',
  metadata: {},
  locale: '',
  expires_in: 3600,
  allow_remaining: false,
  once: false,
  created_at: '2026-01-02T06:04:05.678000+03:00',
}
