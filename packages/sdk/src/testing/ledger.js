/**
 * The fake's intents, payments and events, by the rules of the service. Wallet, reference and exact amount match once. An
 * intent is open for an hour. A payment that ended an intent of another amount may still verify an intent of its own amount.
 */
import { decimal } from '../amounts.js'
import { limits, usualCurrency } from './described.js'

/** @import { Intent, WebhookEvent } from '../../types/sdk.d.ts' */
/** @import { FakeWallet } from '../../types/testing.d.ts' */
/**
 * @typedef {{ name: string, description: string, price: bigint, quantity: number }} Line
 * @typedef {{ wallet: string, total: bigint, items: Line[], external_order_id: string, notes: string }} Draft
 * @typedef {{ id: string, wallet: string, amount: bigint, reference: string, at: number, isSpent: boolean }} Payment
 * @typedef {{ intent: Intent, at: number, until: number, draft: Draft, keys: Set<string> }} Row
 * @typedef {'intent_not_pending' | 'reference_already_used' | 'reference_limit'} Refusal
 */

const hour_ms = 3_600_000
/** The window of the new intent that a booking makes. It is verified at once. */
const bookingWindow_ms = 60_000
const mostIdsAtOnce = 0xfff
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** @param {string} amount */
export const minorOf = (amount) => {
  if (!/^\d{1,12}\.\d{2}$/.test(amount)) throw new TypeError('amount must be a string such as "1500.00".')
  return BigInt(amount.replace('.', ''))
}

/**
 * The lines of an order as the service answers them.
 *
 * @param {readonly Line[]} items
 */
export const linesOf = (items) =>
  items.map(({ name, description, price, quantity }) => ({
    name,
    description,
    price: decimal(price),
    quantity,
    total_price: decimal(price * BigInt(quantity)),
  }))

/**
 * How references are compared: spaces, invisible marks, the case of letters and the script of digits do not matter.
 *
 * @param {string} reference
 */
export const referenceKey = (reference) =>
  reference
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(/** @type {number} */ (digit.codePointAt(0)) % 16))
    .replace(/[\s\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .toUpperCase()

/** An intent in its events. @param {Intent} intent */
const intentFacts = (intent) => ({
  payment_id: intent.code,
  intent_id: intent.id,
  order_id: intent.external_order_id,
  reference: intent.reference,
  base_amount: intent.base_amount,
  amount: intent.payable_amount,
})

/** @param {number} offset_min */
const timeWriter = (offset_min) => {
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0')
  const size = Math.abs(offset_min)
  const offset = `${offset_min < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
  return (/** @type {number} */ at) => `${new Date(at + offset_min * 60_000).toISOString().slice(0, -1)}000${offset}`
}

export class Ledger {
  /** @type {Map<string, Row>} */
  rows = new Map()
  /** @type {Payment[]} */
  payments = []
  /** @type {WebhookEvent[]} */
  events = []
  /** The time in the last id, and how many ids had it before. */
  #idTime = -1
  #count = 0

  /**
   * @param {readonly FakeWallet[]} wallets
   * @param {{ id: string, name: string }} device
   * @param {() => number} now
   * @param {number} offset_min
   * @param {boolean} hasEndEvents Whether the shop subscribes to the events of intents that ended without being paid.
   */
  constructor(wallets, device, now, offset_min, hasEndEvents) {
    this.hasEndEvents = hasEndEvents
    this.wallets = wallets
    this.device = device
    this.now = now
    this.time = timeWriter(offset_min)
  }

  /** @param {string} id */
  wallet(id) {
    return this.wallets.find((wallet) => wallet.id === id)
  }

  /** A UUID of version 7. A later id is greater, as in the service, also within a millisecond or after `advance` back. */
  newId() {
    const now = this.now()
    const isLater = now > this.#idTime || this.#count === mostIdsAtOnce
    this.#idTime = isLater ? Math.max(now, this.#idTime + 1) : this.#idTime
    this.#count = isLater ? 0 : this.#count + 1
    const time = this.#idTime.toString(16).padStart(12, '0')
    const count = this.#count.toString(16).padStart(3, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${crypto.randomUUID().slice(19)}`
  }

  /**
   * The intent ends after its window, or at `endsBy` if that is earlier: the end of its checkout.
   *
   * @type {(draft: Draft, window_ms?: number, endsBy?: number) => Intent}
   */
  create(draft, window_ms = hour_ms, endsBy = Number.POSITIVE_INFINITY) {
    const { provider, sim_slot, ...wallet } = /** @type {FakeWallet} */ (this.wallet(draft.wallet))
    const at = this.now()
    const until = Math.min(at + window_ms, endsBy)
    const code = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => letters[byte % 32]).join('')
    /** @type {Intent} */
    const intent = {
      id: this.newId(),
      code,
      external_order_id: draft.external_order_id,
      reference: '',
      status: 'PENDING',
      base_amount: decimal(draft.total),
      payable_amount: decimal(draft.total),
      paid_amount: null,
      currency: usualCurrency,
      items: linesOf(draft.items),
      notes: draft.notes,
      wallet: {
        id: wallet.id,
        name: wallet.name,
        sender_name: wallet.sender_name,
        is_test: wallet.is_test,
        sim_slot: sim_slot ?? '',
        account_number: wallet.account_number,
      },
      provider,
      expires_at: this.time(until),
      created_at: this.time(at),
      verified_at: null,
      manual_override: false,
      collected_manually: false,
      matched_event: null,
      device: null,
      subscription: null,
    }
    this.rows.set(intent.id, { intent, at, until, draft, keys: new Set() })
    return intent
  }

  /**
   * The intent in its current state: when its hour has passed, it is EXPIRED.
   *
   * @param {string} id
   */
  find(id) {
    const row = this.rows.get(id)
    if (row?.intent.status === 'PENDING' && this.now() >= row.until) {
      row.intent = { ...row.intent, status: 'EXPIRED' }
      this.#pushEndEvent(row, { event: 'payment.expired', status: 'EXPIRED', paid_amount: null }, row.until)
    }
    return row
  }

  /**
   * @typedef {{ event: 'payment.wrong_amount', status: 'WRONG_AMOUNT', paid_amount: string }
   *   | { event: 'payment.expired', status: 'EXPIRED', paid_amount: null }
   *   | { event: 'payment.cancelled', status: 'CANCELLED', paid_amount: null }} End
   * @type {(row: Row, end: End, at: number) => void}
   */
  #pushEndEvent({ intent }, { event, status, paid_amount }, at) {
    if (!this.hasEndEvents) return
    this.events.push(
      /** @type {WebhookEvent} */ ({
        event,
        ...intentFacts(intent),
        paid_amount,
        currency: usualCurrency,
        status,
        ended_at: this.time(at),
        manual_override: intent.manual_override,
        is_test: intent.wallet.is_test,
      }),
    )
  }

  /** @returns {Row[]} */
  all() {
    return [...this.rows.keys()].map((id) => /** @type {Row} */ (this.find(id)))
  }

  /** @type {(wallet: string, key: string) => Row | undefined} */
  holder(wallet, key) {
    return this.all().find(
      ({ intent }) =>
        intent.status === 'PENDING' &&
        intent.wallet.id === wallet &&
        referenceKey(intent.reference) === key &&
        key !== '',
    )
  }

  /**
   * @param {Row} row
   * @param {string} reference
   * @returns {Refusal | undefined}
   */
  attach(row, reference) {
    const { intent } = row
    const key = referenceKey(reference)
    if (intent.status !== 'PENDING') return 'intent_not_pending'
    if (intent.reference === reference) return undefined
    const payment = this.#paymentWith(intent.wallet.id, key)
    const holder = this.holder(intent.wallet.id, key)
    if (payment?.isSpent || (holder !== undefined && holder !== row)) return 'reference_already_used'
    if (row.keys.size >= limits.references && !row.keys.has(key)) return 'reference_limit'
    row.keys.add(key)
    row.intent = { ...intent, reference }
    if (payment !== undefined && this.now() < payment.at + limits.matchable_ms) this.resolve(row, payment)
    return undefined
  }

  /** @type {(wallet: string, key: string) => Payment | undefined} */
  #paymentWith(wallet, key) {
    return this.payments.find((payment) => payment.wallet === wallet && referenceKey(payment.reference) === key)
  }

  /** @type {(wallet: string, amount: bigint, reference: string) => Payment} */
  arrive(wallet, amount, reference) {
    const payment = { id: this.newId(), wallet, amount, reference, at: this.now(), isSpent: false }
    this.payments.push(payment)
    return payment
  }

  /**
   * Money arrives. The same wallet and reference again is the same payment.
   *
   * @param {{ wallet: string, amount: bigint, reference: string }} paid
   */
  pay({ wallet, amount, reference }) {
    const key = referenceKey(reference)
    if (this.#paymentWith(wallet, key) !== undefined) return
    const payment = this.arrive(wallet, amount, reference)
    const row = this.holder(wallet, key)
    if (this.wallet(wallet)?.is_test) {
      const resolution = row === undefined ? 'UNMATCHED' : row.draft.total === amount ? 'MATCHED' : 'WRONG_AMOUNT'
      this.events.push({
        event: 'payment.received',
        event_id: payment.id,
        reference,
        amount: decimal(amount),
        currency: usualCurrency,
        resolution,
        received_at: this.time(payment.at),
        is_test: true,
      })
    }
    if (row !== undefined) this.resolve(row, payment)
  }

  /**
   * @param {Row} row
   * @param {Payment} payment
   * @param {boolean} [isBooked] A user may book another amount than was asked for.
   */
  resolve(row, payment, isBooked = false) {
    const isExact = isBooked || payment.amount === row.draft.total
    const at = this.time(this.now())
    row.intent = {
      ...row.intent,
      status: isExact ? 'VERIFIED' : 'WRONG_AMOUNT',
      paid_amount: isExact ? null : decimal(payment.amount),
      verified_at: isExact ? at : null,
      matched_event: {
        id: payment.id,
        amount: decimal(payment.amount),
        sender: row.intent.wallet.sender_name,
        reference: payment.reference,
        created_at: this.time(payment.at),
      },
      device: this.device,
    }
    if (!isExact) {
      const paid_amount = decimal(payment.amount)
      this.#pushEndEvent(row, { event: 'payment.wrong_amount', status: 'WRONG_AMOUNT', paid_amount }, this.now())
      return
    }
    payment.isSpent = true
    const { intent } = row
    this.events.push({
      event: 'payment.verified',
      ...intentFacts(intent),
      currency: usualCurrency,
      status: 'VERIFIED',
      verified_at: at,
      manual_override: intent.manual_override,
    })
  }

  /**
   * A booking by a user: onto a PENDING intent itself, otherwise onto a new intent that copies it.
   *
   * @type {(id: string, reference: string, endsBy?: number) => Intent}
   */
  book(id, reference, endsBy = Number.POSITIVE_INFINITY) {
    const row = this.find(id)
    if (row === undefined || row.intent.status === 'VERIFIED') throw new Error(`Nothing can be booked to intent ${id}.`)
    const { intent } = row
    // If another amount was paid, the copy has no lines: they would not add up to it.
    const paid = intent.paid_amount
    const draft = paid === null ? row.draft : { ...row.draft, total: BigInt(paid.replace('.', '')), items: [] }
    const isCopy = intent.status !== 'PENDING'
    const target = isCopy ? /** @type {Row} */ (this.rows.get(this.create(draft, bookingWindow_ms, endsBy).id)) : row
    target.intent = { ...target.intent, manual_override: true, collected_manually: true }
    const key = referenceKey(reference)
    // Money that has arrived is booked; otherwise it arrives now.
    const waiting = this.#paymentWith(draft.wallet, key)
    if (waiting?.isSpent) throw new Error(`The payment ${reference} is spent.`)
    const payment = waiting ?? this.arrive(draft.wallet, draft.total, reference)
    this.resolve(target, payment, true)
    return target.intent
  }

  /** @param {string} id */
  cancel(id) {
    const row = this.find(id)
    if (row?.intent.status !== 'PENDING') throw new Error(`There is no PENDING intent ${id}.`)
    row.intent = { ...row.intent, status: 'CANCELLED' }
    this.#pushEndEvent(row, { event: 'payment.cancelled', status: 'CANCELLED', paid_amount: null }, this.now())
  }
}
