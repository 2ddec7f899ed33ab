/**
 * The payment module provider "sanad" of Medusa. A session waits as `pending_authorization` and is captured only after
 * Sanad's API has confirmed that the money arrived: this provider reads the API each time, whoever asks. Sanad moves no
 * money: refunds are recorded and made by hand. Everything is stored in the `data` of the session and of its payment.
 */
import {
  AbstractPaymentProvider,
  MathBN,
  MedusaError,
  ModuleProvider,
  Modules,
  PaymentActions,
  PaymentSessionStatus,
} from '@medusajs/framework/utils'
import { Sanad, SanadError, webhooks } from '@sanad/sdk'
import { collectedCurrency } from './currency.js'
import { countedAmount, isUncounted, readOutcome } from './outcome.js'

/** @import { WebhookEvent } from '@sanad/sdk' */
/** @import { Outcome, Reading } from './outcome.js' */
/** @typedef {Record<string, any>} Data */
/**
 * @typedef {{
 *   baseUrl: string,
 *   clientId: string,
 *   clientSecret: string,
 *   webhookSecret: string | readonly string[],
 *   page?: 'hosted' | 'own',
 *   returnUrl?: string,
 *   allowRemaining?: boolean,
 *   testMode?: boolean,
 * }} SanadProviderOptions `testMode`: money of the test wallet pays orders.
 */

/** A payment stores at most this many refunds. */
const mostRefunds = 50
/** The most wallets that a page can list. */
const mostWallets = 50

/** @type {Readonly<Record<Outcome, PaymentSessionStatus>>} */
const statusOf = {
  // Not yet `captured`: that is decided in authorizePayment, where Medusa makes the payment.
  paid: PaymentSessionStatus.PENDING_AUTHORIZATION,
  part: PaymentSessionStatus.PENDING_AUTHORIZATION,
  open: PaymentSessionStatus.PENDING_AUTHORIZATION,
  wrong: PaymentSessionStatus.ERROR,
  test: PaymentSessionStatus.ERROR,
  over: PaymentSessionStatus.CANCELED,
}

/** @type {(message: string) => MedusaError} */
const refusal = (message) => new MedusaError(MedusaError.Types.NOT_ALLOWED, message)

/** A fault of Sanad as an error that the storefront may show. @param {unknown} fault */
const toMedusaError = (fault) => {
  if (fault instanceof MedusaError) return fault
  const text =
    fault instanceof SanadError
      ? fault.errors.map(({ detail }) => detail).join(' ')
      : 'The payment service cannot be reached now. Please try again.'
  return new MedusaError(MedusaError.Types.INVALID_DATA, text)
}

/**
 * Medusa's amounts are in rials, with any number of decimals; a wallet takes two.
 *
 * @param {any} amount
 */
const toText = (amount) => MathBN.convert(amount).decimalPlaces(2, 4).toFixed(2)

export class SanadProviderService extends AbstractPaymentProvider {
  /** @override */
  static identifier = 'sanad'

  /** @override @param {Data} options */
  static validateOptions(options) {
    for (const name of ['baseUrl', 'clientId', 'clientSecret', 'webhookSecret']) {
      if (options?.[name] !== undefined && options[name] !== '') continue
      throw new MedusaError(MedusaError.Types.INVALID_ARGUMENT, `The provider "sanad" needs the option "${name}".`)
    }
    if (options.page !== undefined && options.page !== 'hosted' && options.page !== 'own')
      throw new MedusaError(MedusaError.Types.INVALID_ARGUMENT, 'The option "page" must be "hosted" or "own".')
    // A text from the environment, such as "0", would count as true.
    if (options.testMode !== undefined && typeof options.testMode !== 'boolean')
      throw new MedusaError(MedusaError.Types.INVALID_ARGUMENT, 'The option "testMode" must be true or false.')
  }

  /** @param {any} cradle @param {SanadProviderOptions} options */
  constructor(cradle, options) {
    super(cradle, options)
    this.options = options
    this.sanad = new Sanad(options)
    this.origin = new URL(options.baseUrl).origin
    this.testMode = options.testMode === true
  }

  /** @override @param {any} input */
  async initiatePayment({ amount, currency_code, data, context }) {
    if (String(currency_code).toUpperCase() !== collectedCurrency)
      throw new MedusaError(
        MedusaError.Types.INVALID_DATA,
        `Sanad collects ${collectedCurrency}, not ${currency_code}.`,
      )
    try {
      // Only this server fills the context: a storefront cannot pass an intent here.
      const booked = context?.sanad_booked
      const made =
        typeof booked === 'string'
          ? await this.#fromBooked(booked)
          : await this.#create(toText(amount), data ?? {}, context ?? {}, context?.idempotency_key)
      return { id: made.sanad_id, data: made, status: PaymentSessionStatus.PENDING }
    } catch (fault) {
      throw toMedusaError(fault)
    }
  }

  /**
   * Reads the session from Sanad. It can also change the session: `context.sanad_reference` attaches a reference,
   * `context.sanad_cancel` closes the page, and another amount makes a new page, while nothing has arrived.
   *
   * @override @param {any} input
   */
  async updatePayment({ amount, data, context }) {
    try {
      if (context?.sanad_reference !== undefined)
        await this.sanad.intents.attachReference(data.sanad_id, context.sanad_reference)
      if (context?.sanad_cancel === true) await this.#close(data)
      const reading = await readOutcome(this.sanad, data, this.testMode)
      const text = toText(amount)
      // A part that has arrived stays with its page: a new page would ask for it once more.
      if (text !== data.amount && reading.outcome === 'open' && reading.arrived === '0.00') {
        const made = await this.#create(text, data, context ?? {}, undefined)
        await this.#close(data)
        return { data: made, status: PaymentSessionStatus.PENDING }
      }
      return { data: { ...data, ...reading, amount: text }, ...this.#statusAfter(reading) }
    } catch (fault) {
      throw toMedusaError(fault)
    }
  }

  /** @override @param {any} input */
  async authorizePayment({ data }) {
    const { reading, isHere } = await this.#read(data)
    const status = isHere ? PaymentSessionStatus.CAPTURED : statusOf[reading.outcome]
    return { data: { ...data, ...reading }, status }
  }

  /** @override @param {any} input */
  async capturePayment({ data }) {
    const { reading, isHere } = await this.#read(data)
    if (reading.outcome === 'test')
      throw refusal('Only test money arrived: it is not captured, because the option testMode is off.')
    if (!isHere)
      throw refusal(`Sanad has not seen ${data.amount} ${collectedCurrency} for this payment: ${reading.status}.`)
    return { data: { ...data, ...reading } }
  }

  /** @override @param {any} input */
  async cancelPayment({ data }) {
    return { data: await this.#end(data) }
  }

  /** Called when a storefront changes the basket or begins a new payment. @override @param {any} input */
  async deletePayment({ data }) {
    return { data: data?.sanad_id === undefined ? (data ?? {}) : await this.#end(data) }
  }

  /** Only records the refund: a member of the shop sends the money from the wallet. @override @param {any} input */
  async refundPayment({ data, amount, context }) {
    const refund = { id: context?.idempotency_key ?? '', amount: toText(amount), by: 'hand' }
    return { data: { ...data, refunds: [...(data.refunds ?? []), refund].slice(-mostRefunds) } }
  }

  /** @override @param {any} input */
  async retrievePayment({ data }) {
    return { data: { ...data, ...(await readOutcome(this.sanad, data, this.testMode)) } }
  }

  /** @override @param {any} input */
  async getPaymentStatus({ data }) {
    const { reading, isHere } = await this.#read(data)
    return { data: { ...data, ...reading }, status: isHere ? PaymentSessionStatus.CAPTURED : statusOf[reading.outcome] }
  }

  /**
   * The wallets to choose from, for the storefront's own payment page. With `context.sanad_payments_of`: the money of that
   * session that is not its own page's or intent's; `test` marks test money, which is not counted.
   *
   * @param {any} input
   */
  async listPaymentMethods({ context }) {
    if (context?.sanad_payments_of !== undefined) {
      const intents = await this.#otherPayments(context.sanad_payments_of)
      return intents.map((intent) => ({
        id: intent.id,
        data: { amount: countedAmount(intent), test: isUncounted(intent, this.testMode) },
      }))
    }
    const wallets = await this.sanad.wallets.list({ includeTest: this.testMode })
    return wallets.map(({ id, name, account_number, provider }) => ({
      id,
      data: { name, account_number, provider: provider.display_name, color: provider.theme_color },
    }))
  }

  /**
   * Only a signed event is accepted. It says which session to read; what happened is read from the API.
   *
   * @override @param {any} payload
   * @returns {Promise<any>}
   */
  async getWebhookActionAndData({ rawData, headers }) {
    const signature = headers['x-service-signature']
    const event = /** @type {WebhookEvent & { order_id?: string }} */ (
      await webhooks.verify(rawData ?? '', String(signature ?? ''), this.options.webhookSecret)
    )
    const session_id = event.order_id ?? ''
    if (!session_id.startsWith('payses_')) return { action: PaymentActions.NOT_SUPPORTED }
    const kind = 'checkout_id' in event ? 'checkout' : 'intent'
    const sanad_id = /** @type {any} */ (event).checkout_id ?? /** @type {any} */ (event).intent_id
    const { outcome, arrived, test } = await readOutcome(this.sanad, { sanad: kind, sanad_id }, this.testMode)
    const data = { session_id, amount: arrived, test, voucher: kind === 'intent' ? this.#voucher(sanad_id) : undefined }
    // Money that a member booked is another intent of the session, and so is an intent of a page: refresh.js records both.
    const isWhole =
      kind === 'checkout' || (this.options.page === 'own' && !('manual_override' in event && event.manual_override))
    if (outcome === 'paid' && isWhole) return { action: PaymentActions.SUCCESSFUL, data }
    return { action: PaymentActions.PENDING, data }
  }

  /** @type {(text: string, data: Data, context: Data, idempotencyKey: string | undefined) => Promise<Data>} */
  async #create(text, data, context, idempotencyKey) {
    const { session_id } = data
    const key = idempotencyKey === undefined ? {} : { idempotencyKey }
    const own = { session_id, amount: text, currency: collectedCurrency, booked: false, refunds: [] }
    if (this.options.page === 'own') {
      if (typeof data.wallet !== 'string')
        throw new MedusaError(MedusaError.Types.INVALID_DATA, 'Choose a wallet: data.wallet is missing.')
      const body = { wallet: data.wallet, amount: text, external_order_id: session_id }
      const intent = await this.sanad.intents.create(body, key)
      return {
        ...own,
        sanad: 'intent',
        sanad_id: intent.id,
        voucher: this.#voucher(intent.id),
        url: '',
        wallet: data.wallet,
        wallet_name: intent.wallet.name,
        provider: intent.provider.display_name,
        account_number: intent.wallet.account_number,
        payable_amount: intent.payable_amount,
        expires_at: intent.expires_at,
      }
    }
    const { returnUrl = '', allowRemaining = true } = this.options
    const back = returnUrl.replaceAll('{session}', encodeURIComponent(session_id))
    const name = [context.customer?.first_name, context.customer?.last_name].filter(Boolean).join(' ').slice(0, 100)
    const checkout = await this.sanad.checkouts.create(
      {
        amount: text,
        external_order_id: session_id,
        allow_remaining: allowRemaining,
        // A page offers the test wallet only if it is listed.
        ...(this.testMode ? { wallets: await this.#walletsToTest() } : {}),
        ...(back === '' ? {} : { return_url: back, cancel_url: back }),
        ...(name === '' ? {} : { customer: { name } }),
        ...(data.locale === 'ar' || data.locale === 'en' ? { locale: data.locale } : {}),
      },
      key,
    )
    const { id, url, expires_at } = checkout
    // The page stays a receipt for 90 days.
    return { ...own, sanad: 'checkout', sanad_id: id, voucher: url, url, expires_at }
  }

  /** The wallets of a page in test mode, the test wallet first. */
  async #walletsToTest() {
    const wallets = await this.sanad.wallets.list({ includeTest: true })
    return wallets
      .toSorted((one, other) => Number(other.is_test) - Number(one.is_test))
      .map(({ id }) => id)
      .slice(0, mostWallets)
  }

  /**
   * Money that a member booked in Sanad's dashboard, and money for an earlier page or intent of the session: its amount has changed since,
   * and an intent cannot be cancelled.
   *
   * @param {{ id: string, data: Data }} session
   */
  async #otherPayments({ id, data }) {
    const verified = []
    const filter = { external_order_id: id, status: /** @type {const} */ ('VERIFIED'), page_size: 100 }
    for await (const intent of this.sanad.intents.list(filter)) verified.push(intent)
    if (verified.length === 0) return []
    // Read after the list: a part that was booked on the page meanwhile is found here.
    const own =
      data.sanad === 'checkout'
        ? (await this.sanad.checkouts.retrieve(data.sanad_id)).intents.map((intent) => intent.id)
        : [data.sanad_id]
    return verified.filter((intent) => !own.includes(intent.id))
  }

  /** A payment that `#otherPayments` has found. @param {string} id @returns {Promise<Data>} */
  async #fromBooked(id) {
    const intent = await this.sanad.intents.retrieve(id)
    if (intent.status !== 'VERIFIED') throw refusal(`The intent ${id} is not paid.`)
    if (isUncounted(intent, this.testMode)) throw refusal(`The intent ${id} was paid with test money.`)
    const { external_order_id: session_id, manual_override: booked } = intent
    const own = { session_id, amount: countedAmount(intent), currency: collectedCurrency, booked, refunds: [] }
    return { ...own, sanad: 'intent', sanad_id: id, voucher: this.#voucher(id), url: '' }
  }

  /** @param {Data} data */
  async #read(data) {
    try {
      const reading = await readOutcome(this.sanad, data, this.testMode)
      const hasMoney = reading.outcome === 'paid' || reading.outcome === 'part'
      return { reading, isHere: hasMoney && reading.arrived === data.amount }
    } catch (fault) {
      throw toMedusaError(fault)
    }
  }

  /** An open session keeps the status that Medusa gave it. @param {Reading} reading */
  #statusAfter({ outcome }) {
    return outcome === 'open' ? {} : { status: statusOf[outcome] }
  }

  /** Closes the page of a session. The merchant API cannot cancel an intent: it ends with its hour. @param {Data} data */
  async #close(data) {
    if (data.sanad === 'intent') return
    try {
      await this.sanad.checkouts.cancel(data.sanad_id)
    } catch (fault) {
      if (!(fault instanceof SanadError) || !fault.has('checkout_not_open')) throw fault
    }
  }

  /** Ends a session without money; refuses if money has arrived. @param {Data} data @returns {Promise<Data>} */
  async #end(data) {
    try {
      await this.#close(data)
      const reading = await readOutcome(this.sanad, data, this.testMode)
      if (reading.outcome === 'paid' || reading.outcome === 'part')
        throw refusal(
          `The money has arrived (${reading.arrived} ${collectedCurrency}): it cannot be cancelled, only refunded.`,
        )
      return { ...data, ...reading }
    } catch (fault) {
      throw toMedusaError(fault)
    }
  }

  /** @param {string} id */
  #voucher(id) {
    return `${this.origin}/intents/${id}`
  }
}

export default ModuleProvider(Modules.PAYMENT, { services: [SanadProviderService] })
