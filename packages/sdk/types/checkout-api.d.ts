/** The checkout API as types. Written from openapi/checkout.json by `npm run dumps`: do not edit. */
import type { IntentStatus, Item, NewItem } from './merchant-api.js'

/** Either `amount` or `items` is needed. No field may be null; fields we do not know are ignored. */
export type CreateCheckout = {
  /** What to collect, from 0.01 to 999999999999.99. Required without `items`, ignored with them. */
  amount?: string | undefined
  /** The lines of the order. Required without `amount`; what to collect is their total. */
  items?: NewItem[] | undefined
  /** Only `YER`, also when left out. */
  currency?: 'YER' | undefined
  /** Your own order number; shown on the page. */
  external_order_id?: string | undefined
  /** What is bought, in a sentence; shown on the page. */
  description?: string | undefined
  /** The wallets that the buyer can choose from. Left out or empty: all that are offered when the page is open, without the testing wallet. */
  wallets?: string[] | undefined
  /** Where the buyer goes after paying; `checkout={id}` is added to its query. It must be https and without user name and password; outside production also http to the machine itself. */
  return_url?: string | undefined
  /** The address for going back without paying, which the page offers. The rules are those of `return_url`. */
  cancel_url?: string | undefined
  /** Up to 20 texts of your own by their names: names of 1 to 40 characters, texts of up to 500. */
  metadata?: Record<string, string> | undefined
  customer?: NewCustomer | undefined
  /** The language of the page. Left out: the browser's, and the buyer can change it. */
  locale?: 'ar' | 'en' | undefined
  /** For how many seconds the page can be paid: 5 minutes to 7 days. Its intents end with it. Left out: `3600`. */
  expires_in?: number | undefined
  /** Whether the buyer may pay the rest after a payment that was too small. The part that arrived is then booked to an intent of its own in this checkout, with its own `payment.verified`: only `COMPLETE` means that everything is paid. Left out: `false`. */
  allow_remaining?: boolean | undefined
}

/** Who buys, if you know it. Shown to you, not on the page. */
export type NewCustomer = {
  /** Who buys. */
  name?: string | undefined
  /** Their phone: digits, spaces, `+`, `-`, brackets. */
  phone?: string | undefined
}

/** A page on which a buyer pays one order, and what became of it. */
export type Checkout = {
  /** Identifier of the checkout, used in `/sessions/{id}/`. */
  id: string
  /** The buyer's page. Whoever has this link can pay and sees the order: give it to the buyer alone. */
  url: string
  status: CheckoutStatus
  /** What is to be paid. */
  amount: string
  /** What arrived: the sum over the verified intents. Where the shop booked less than was asked, a `COMPLETE` checkout has less than its `amount` here; with a unique amount it has a little more. */
  paid: string
  /** Only `YER`. */
  currency: 'YER'
  /** Your order number; `""` when none was sent. */
  external_order_id: string
  /** What is bought; `""` when none was sent. */
  description: string
  /** The lines of the order; `[]` when an amount was sent. */
  items: Item[]
  /** The wallets to choose from; `[]`: all that are offered. */
  wallets: string[]
  /** `""` when none was sent. */
  return_url: string
  /** `""` when none was sent. */
  cancel_url: string
  /** Your own texts; `{}` when none were sent. */
  metadata: Record<string, string>
  customer: CheckoutCustomer
  /** The language of the page; `""`: the browser's. */
  locale: '' | 'ar' | 'en'
  /** Whether the rest may be paid after too small a payment. */
  allow_remaining: boolean
  /** The payment link that made it; null when your server did. */
  link: string | null
  /** true: it is test money. The buyer chose the testing wallet, or paid a part into it, or could choose nothing else. Deliver nothing for it. */
  is_test: boolean
  /** The intents that the page has made, in their order. */
  intents: CheckoutIntent[]
  /** When it ends if it is not paid. From then on the page accepts nothing; its intents have ended too, and money that comes is late. */
  expires_at: string
  /** When the checkout was created. */
  created_at: string
  /** When it was paid, cancelled, or could no longer be paid; null while it is `OPEN`. */
  ended_at: string | null
}

/** Where the checkout stands. All but `OPEN` are final. */
export type CheckoutStatus = 'OPEN' | 'COMPLETE' | 'EXPIRED' | 'CANCELLED'

/** An intent that the page has made. */
export type CheckoutIntent = {
  /** The intent, also under `/intents/{id}/` of the merchant API. */
  id: string
  /** Its short payment code. */
  code: string
  status: IntentStatus
  wallet: CheckoutWallet
  /** What the buyer must pay. */
  payable_amount: string
  /** What arrived when the status is `WRONG_AMOUNT`; otherwise null. */
  paid_amount: string | null
  /** The reference that the buyer sent; `""` until then. */
  reference: string
  /** When the buyer chose the wallet. */
  created_at: string
  /** When it ends if it is not paid: one hour after it was opened, or with the checkout if that is earlier. */
  expires_at: string
  /** When it was paid; null until then. */
  verified_at: string | null
}

/** The wallet that the buyer chose. */
export type CheckoutWallet = {
  /** The wallet. */
  id: string
  /** Its name. */
  name: string
}

/** Who buys. */
export type CheckoutCustomer = {
  /** `""` when not known. */
  name: string
  /** `""` when not known. */
  phone: string
}

/** One page of checkouts. */
export type CheckoutPage = {
  /** How many checkouts the filters find, on all pages. */
  count: number
  /** Absolute URL of the next page, with the same filters; null when there is none. */
  next: string | null
  /** Absolute URL of the previous page, with the same filters; null when there is none. */
  previous: string | null
  /** The checkouts of this page. */
  results: Checkout[]
}

/** A link to share. No field may be null; fields we do not know are ignored. */
export type CreateLink = {
  /** What is to be paid each time. Left out: the buyer says how much. */
  amount?: string | undefined
  /** Without `amount`: the least that a buyer may pay; 1.00 when left out. */
  min_amount?: string | undefined
  /** Without `amount`: the most that a buyer may pay; 999999999999.99 when left out. */
  max_amount?: string | undefined
  /** Your own order number; shown on the page. */
  external_order_id?: string | undefined
  /** What is bought, in a sentence; shown on the page. */
  description?: string | undefined
  /** The wallets that the buyer can choose from. Left out or empty: all that are offered when the page is open, without the testing wallet. */
  wallets?: string[] | undefined
  /** Where the buyer goes after paying; `checkout={id}` is added to its query. It must be https and without user name and password; outside production also http to the machine itself. */
  return_url?: string | undefined
  /** Up to 20 texts of your own by their names: names of 1 to 40 characters, texts of up to 500. */
  metadata?: Record<string, string> | undefined
  /** The language of the page. Left out: the browser's, and the buyer can change it. */
  locale?: 'ar' | 'en' | undefined
  /** For how many seconds the page can be paid: 5 minutes to 7 days. Its intents end with it. Left out: `3600`. */
  expires_in?: number | undefined
  /** Whether the buyer may pay the rest after a payment that was too small. The part that arrived is then booked to an intent of its own in this checkout, with its own `payment.verified`: only `COMPLETE` means that everything is paid. Left out: `false`. */
  allow_remaining?: boolean | undefined
  /** true: the link can be paid once. It has one open checkout at a time, and creates none after one was paid. false: it can be paid any number of times. Left out: `false`. */
  once?: boolean | undefined
}

/** Switches a link off or on. */
export type ChangeLink = {
  /** false switches the link off, true on again. */
  active: boolean
}

/** A link that can be shared, and paid once or many times. */
export type PaymentLink = {
  /** Identifier of the link, used in `/links/{id}/`. */
  id: string
  /** The link to share. Each buyer who goes on to pay gets a checkout. */
  url: string
  /** Whether it makes checkouts. */
  active: boolean
  /** What is to be paid each time; null: the buyer says how much. */
  amount: string | null
  /** The least that a buyer may pay; null with a fixed amount. */
  min_amount: string | null
  /** The most that a buyer may pay; null with a fixed amount. */
  max_amount: string | null
  /** Only `YER`. */
  currency: 'YER'
  /** `""` when none was sent. */
  external_order_id: string
  /** `""` when none was sent. */
  description: string
  /** `[]`: all that are offered. */
  wallets: string[]
  /** `""` when none was sent. */
  return_url: string
  /** Given to each checkout. */
  metadata: Record<string, string>
  /** The language of the pages. */
  locale: '' | 'ar' | 'en'
  /** For how many seconds each checkout can be paid. */
  expires_in: number
  /** As in a checkout. */
  allow_remaining: boolean
  /** Whether the link can be paid only once. */
  once: boolean
  /** When the link was created. */
  created_at: string
}

/** One page of links, newest first. */
export type PaymentLinkPage = {
  /** How many links there are, on all pages. */
  count: number
  /** Absolute URL of the next page, with the same filters; null when there is none. */
  next: string | null
  /** Absolute URL of the previous page, with the same filters; null when there is none. */
  previous: string | null
  /** The links of this page. */
  results: PaymentLink[]
}

/** A checkout was paid in full, or the shop forgave the rest. */
export type CheckoutCompleted = {
  /** The kind of event. */
  event: 'checkout.completed'
  /** The `id` of the checkout. */
  checkout_id: string
  /** Its `external_order_id`; `""` if it has none. */
  order_id: string
  /** What was to be paid. */
  amount: string
  /** What arrived. It differs from `amount` where the shop booked another amount. */
  paid: string
  /** Only `YER`. */
  currency: 'YER'
  /** The status of the checkout. */
  status: 'COMPLETE'
  /** The intents that were paid, in their order. */
  intents: string[]
  /** The `metadata` of the checkout. */
  metadata: Record<string, string>
  /** When its last intent was verified. */
  completed_at: string
  /** true: it is test money. The buyer chose the testing wallet, or paid a part into it, or could choose nothing else. Deliver nothing for it. */
  is_test: boolean
}

/** A checkout ended without being paid in full. */
export type CheckoutExpired = {
  /** The kind of event. */
  event: 'checkout.expired'
  /** The `id` of the checkout. */
  checkout_id: string
  /** Its `external_order_id`; `""` if it has none. */
  order_id: string
  /** What was to be paid. */
  amount: string
  /** What arrived. It differs from `amount` where the shop booked another amount. */
  paid: string
  /** Only `YER`. */
  currency: 'YER'
  /** The status of the checkout. */
  status: 'EXPIRED'
  /** The intents that were paid, in their order. */
  intents: string[]
  /** The `metadata` of the checkout. */
  metadata: Record<string, string>
  /** When it could no longer be paid. */
  expired_at: string
  /** true: it is test money. The buyer chose the testing wallet, or paid a part into it, or could choose nothing else. */
  is_test: boolean
}

/** The query of `listCheckouts`. */
export type ListCheckoutsQuery = {
  /** One or several, separated by commas, in capitals. An unknown value is refused. */
  status?: CheckoutStatus[] | undefined
  /** Exact order number. */
  external_order_id?: string | undefined
  /** Exact wallet reference of one of its intents. */
  reference?: string | undefined
  /** Only checkouts with an intent of this wallet. */
  wallet?: string | undefined
  /** Created at this time or later; ISO 8601. */
  created_after?: string | undefined
  /** Created at this time or earlier; ISO 8601. */
  created_before?: string | undefined
  /** Words to look for in order number, description and customer. Every word must occur in one of them. */
  search?: string | undefined
  /** What to sort by; a leading `-` reverses. Default `-created_at`. */
  ordering?: 'created_at' | 'amount' | 'status' | '-created_at' | '-amount' | '-status' | undefined
  /** Checkouts per page, 100 at most, 20 by default. */
  page_size?: number | undefined
  /** Number of the page, from 1; `last` is the last one. */
  page?: string | undefined
}

/** The query of `listLinks`. */
export type ListLinksQuery = {
  /** Links per page, 100 at most, 20 by default. */
  page_size?: number | undefined
  /** Number of the page, from 1; `last` is the last one. */
  page?: string | undefined
}
