/**
 * The fake's checkouts and payment links, by the rules of the service: a checkout is paid by ordinary intents of the
 * ledger, one after another. When it is paid or expired, it sends one event; when it is cancelled, none. There is no page:
 * `pay` does what a buyer does on the page.
 */
import { decimal } from '../amounts.js'
import { limits, usualCurrency } from './described.js'
import { linesOf, minorOf } from './ledger.js'

/** @import { Checkout, PaymentLink } from '../../types/sdk.d.ts' */
/** @import { Ledger, Line, Row } from './ledger.js' */
/**
 * @typedef {{
 *   external_order_id: string,
 *   description: string,
 *   wallets: string[],
 *   return_url: string,
 *   metadata: Record<string, string>,
 *   locale: '' | 'ar' | 'en',
 *   expires_in: number,
 *   allow_remaining: boolean,
 * }} SharedDraft
 * @typedef {{ total: bigint, items: Line[], cancel_url: string, customer: { name: string, phone: string } }} Order
 * @typedef {{ amount: bigint | null, min_amount: bigint | null, max_amount: bigint | null, once: boolean }} Price
 * @typedef {SharedDraft & Order} CheckoutDraft
 * @typedef {SharedDraft & Price} LinkDraft
 */
/**
 * @typedef {{
 *   id: string,
 *   draft: CheckoutDraft,
 *   link: string | null,
 *   at: number,
 *   until: number,
 *   status: Checkout['status'],
 *   endedAt: number | null,
 *   intents: string[],
 *   token: string,
 * }} CheckoutRow
 * @typedef {{ id: string, draft: LinkDraft, at: number, active: boolean, token: string }} LinkRow
 * @typedef {{ wallet?: string | undefined, amount?: string | undefined, reference?: string | undefined }} BuyerPayment
 */

const newToken = () => crypto.randomUUID().replaceAll('-', '')

export class Checkouts {
  /** @type {Map<string, CheckoutRow>} */
  rows = new Map()
  /** @type {Map<string, LinkRow>} */
  links = new Map()

  /**
   * @param {Ledger} ledger
   * @param {string} origin
   */
  constructor(ledger, origin) {
    this.ledger = ledger
    this.origin = origin
  }

  /** @type {(draft: CheckoutDraft, link?: string | null) => CheckoutRow} */
  create(draft, link = null) {
    const at = this.ledger.now()
    /** @type {CheckoutRow} */
    const row = {
      id: this.ledger.newId(),
      draft,
      link,
      at,
      until: at + draft.expires_in * 1000,
      status: 'OPEN',
      endedAt: null,
      intents: [],
      token: newToken(),
    }
    this.rows.set(row.id, row)
    return row
  }

  /** @param {CheckoutRow} row */
  intentsOf(row) {
    return row.intents.map((id) => /** @type {Row} */ (this.ledger.find(id)))
  }

  /** @param {CheckoutRow} row */
  paid(row) {
    return this.intentsOf(row)
      .filter(({ intent }) => intent.status === 'VERIFIED')
      .reduce((sum, { draft }) => sum + draft.total, 0n)
  }

  /**
   * Whether it is test money: paid in part into the test wallet, or that wallet was chosen last, or no other can be chosen.
   *
   * @param {CheckoutRow} row
   */
  isTest(row) {
    const isTestWallet = (/** @type {string} */ id) => this.ledger.wallet(id)?.is_test === true
    const intents = this.intentsOf(row).map(({ intent }) => intent)
    return (
      (row.draft.wallets.length > 0 && row.draft.wallets.every(isTestWallet)) ||
      intents.at(-1)?.wallet.is_test === true ||
      intents.some(({ status, wallet }) => status === 'VERIFIED' && wallet.is_test)
    )
  }

  /** Ends every checkout that is paid or expired by now, each with its event. */
  sweep() {
    for (const row of this.rows.values()) {
      if (row.status !== 'OPEN') continue
      const intents = this.intentsOf(row)
      const paid = this.paid(row)
      if (paid >= row.draft.total) {
        const times = intents.map(({ intent }) => Date.parse(intent.verified_at ?? '') || 0)
        this.#end(row, 'COMPLETE', Math.max(...times))
      } else {
        if (this.ledger.now() >= row.until) this.#end(row, 'EXPIRED', row.until)
      }
    }
  }

  /** @type {(row: CheckoutRow, status: 'COMPLETE' | 'EXPIRED', endedAt: number) => void} */
  #end(row, status, endedAt) {
    row.status = status
    row.endedAt = endedAt
    const paidIntents = this.intentsOf(row).filter(({ intent }) => intent.status === 'VERIFIED')
    const shared = {
      checkout_id: row.id,
      order_id: row.draft.external_order_id,
      amount: decimal(row.draft.total),
      paid: decimal(this.paid(row)),
      currency: usualCurrency,
    }
    const rest = { intents: paidIntents.map(({ intent }) => intent.id), metadata: row.draft.metadata }
    const at = this.ledger.time(endedAt)
    const is_test = this.isTest(row)
    this.ledger.events.push(
      status === 'COMPLETE'
        ? { event: 'checkout.completed', ...shared, status, ...rest, completed_at: at, is_test }
        : { event: 'checkout.expired', ...shared, status, ...rest, expired_at: at, is_test },
    )
  }

  /**
   * @param {CheckoutRow} row
   * @returns {Checkout}
   */
  show(row) {
    const { draft } = row
    const time = (/** @type {number} */ at) => this.ledger.time(at)
    return {
      id: row.id,
      url: `${this.origin}/pay/${row.token}`,
      status: row.status,
      amount: decimal(draft.total),
      paid: decimal(this.paid(row)),
      currency: usualCurrency,
      external_order_id: draft.external_order_id,
      description: draft.description,
      items: linesOf(draft.items),
      wallets: draft.wallets,
      return_url: draft.return_url,
      cancel_url: draft.cancel_url,
      metadata: draft.metadata,
      customer: draft.customer,
      locale: draft.locale,
      allow_remaining: draft.allow_remaining,
      link: row.link,
      is_test: this.isTest(row),
      intents: this.intentsOf(row).map(({ intent }) => ({
        id: intent.id,
        code: intent.code,
        status: intent.status,
        wallet: { id: intent.wallet.id, name: intent.wallet.name },
        payable_amount: intent.payable_amount,
        paid_amount: intent.paid_amount,
        reference: intent.reference,
        created_at: intent.created_at,
        expires_at: intent.expires_at,
        verified_at: intent.verified_at,
      })),
      expires_at: time(row.until),
      created_at: time(row.at),
      ended_at: row.endedAt === null ? null : time(row.endedAt),
    }
  }

  /**
   * A buyer chooses a wallet, pays and sends the reference.
   *
   * @param {string} id
   * @param {BuyerPayment} payment
   */
  pay(id, { wallet, amount, reference = String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(12, '7') }) {
    this.sweep()
    const row = this.rows.get(id)
    if (row === undefined) throw new Error(`There is no checkout ${id}.`)
    if (row.status !== 'OPEN') throw new Error(`The checkout ${id} is ${row.status}: nobody can pay it.`)
    const chosen = wallet ?? row.draft.wallets[0] ?? this.ledger.wallets.find((offered) => this.#isOffered(offered))?.id
    if (chosen === undefined || !this.#mayPayInto(row, chosen))
      throw new Error(`The checkout ${id} does not offer the wallet ${chosen}.`)
    const open = this.#openIntent(row, chosen)
    const refusal = this.ledger.attach(open, reference)
    if (refusal !== undefined) throw new Error(`The reference ${reference} was refused: ${refusal}.`)
    const paid = amount === undefined ? open.draft.total : minorOf(amount)
    this.ledger.pay({ wallet: open.draft.wallet, amount: paid, reference })
    this.sweep()
  }

  /**
   * The intent that the buyer pays: the open one, if it is for this wallet or has a reference already; otherwise a new one.
   *
   * @param {CheckoutRow} row
   * @param {string} wallet
   * @returns {Row}
   */
  #openIntent(row, wallet) {
    const { id, draft } = row
    const last = this.intentsOf(row).at(-1)
    if (last?.intent.status === 'PENDING') {
      if (last.draft.wallet === wallet || last.intent.reference !== '') return last
      this.ledger.cancel(last.intent.id)
    }
    const { status, paid_amount, base_amount, reference } = last?.intent ?? {}
    const isShort = status === 'WRONG_AMOUNT' && minorOf(paid_amount ?? '0.00') < minorOf(base_amount ?? '0.00')
    if (draft.allow_remaining && isShort && row.intents.length + 2 <= limits.checkoutIntents) {
      // What arrived is booked to this checkout; the buyer pays the rest.
      row.intents.push(this.ledger.book(/** @type {Row} */ (last).intent.id, reference ?? '', row.until).id)
    }
    if (row.intents.length >= limits.checkoutIntents)
      throw new Error(`The checkout ${id} has ${limits.checkoutIntents} intents already.`)
    const total = draft.total - this.paid(row)
    const items = total === draft.total ? draft.items : []
    const { external_order_id, description: notes } = draft
    const intent = this.ledger.create({ wallet, total, items, external_order_id, notes }, undefined, row.until)
    row.intents.push(intent.id)
    return /** @type {Row} */ (this.ledger.find(intent.id))
  }

  /** @param {Ledger['wallets'][number]} wallet */
  #isOffered(wallet) {
    return wallet.state === undefined && !wallet.is_test
  }

  /** @type {(row: CheckoutRow, wallet: string) => boolean} */
  #mayPayInto(row, wallet) {
    const found = this.ledger.wallet(wallet)
    if (found === undefined || found.state !== undefined) return false
    return row.draft.wallets.length === 0 ? !found.is_test : row.draft.wallets.includes(wallet)
  }

  /**
   * False: it is not OPEN.
   *
   * @param {CheckoutRow} row
   */
  cancel(row) {
    this.sweep()
    if (row.status !== 'OPEN') return false
    for (const { intent } of this.intentsOf(row)) if (intent.status === 'PENDING') this.ledger.cancel(intent.id)
    row.status = 'CANCELLED'
    row.endedAt = this.ledger.now()
    return true
  }

  /**
   * Undefined: there are too many.
   *
   * @param {LinkDraft} draft
   */
  createLink(draft) {
    if (this.links.size >= limits.links) return undefined
    const row = { id: this.ledger.newId(), draft, at: this.ledger.now(), active: true, token: newToken() }
    this.links.set(row.id, row)
    return row
  }

  /**
   * @param {LinkRow} row
   * @returns {PaymentLink}
   */
  showLink({ id, draft, at, active, token }) {
    const { amount, min_amount, max_amount, ...others } = draft
    const decimalOrNull = (/** @type {bigint | null} */ value) => (value === null ? null : decimal(value))
    return {
      id,
      url: `${this.origin}/pay/link/${token}`,
      active,
      amount: decimalOrNull(amount),
      min_amount: decimalOrNull(min_amount),
      max_amount: decimalOrNull(max_amount),
      currency: usualCurrency,
      ...others,
      created_at: this.ledger.time(at),
    }
  }

  /**
   * A buyer opens the link and pays. Returns the id of the checkout.
   *
   * @param {string} id
   * @param {BuyerPayment} payment
   */
  payLink(id, payment) {
    this.sweep()
    const link = this.links.get(id)
    if (link === undefined || !link.active) throw new Error(`There is no active payment link ${id}.`)
    const { draft } = link
    const checkouts = [...this.rows.values()].filter((row) => row.link === id)
    if (draft.once && checkouts.some((row) => row.status === 'COMPLETE')) throw new Error(`The link ${id} is paid.`)
    const sent = payment.amount === undefined ? undefined : minorOf(payment.amount)
    const total = draft.amount ?? sent
    if (
      total === undefined ||
      (draft.min_amount !== null && total < draft.min_amount) ||
      (draft.max_amount !== null && total > draft.max_amount)
    )
      throw new Error(`The link ${id} does not allow this amount.`)
    const open = draft.once ? checkouts.find((row) => row.status === 'OPEN') : undefined
    if (open !== undefined && open.draft.total !== total)
      throw new Error(`The link ${id} is in use: a payment of ${decimal(open.draft.total)} was started.`)
    const customer = { name: '', phone: '' }
    const row = open ?? this.create({ ...draft, total, items: [], cancel_url: '', customer }, id)
    this.pay(row.id, payment)
    return row.id
  }
}
