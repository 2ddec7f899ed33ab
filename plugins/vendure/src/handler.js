/**
 * The payment method "Sanad". A payment begins as AwaitingTransfer and is settled only after Sanad has confirmed that the
 * money arrived: this handler reads Sanad's API each time, whoever settles the payment. Money that a member has booked in
 * Sanad is confirmed at once, so its payment begins as Settled. Refunds are made by hand and recorded.
 */
import { SanadError } from '@sanad/sdk'
import { LanguageCode, Payment, PaymentMethodHandler, TransactionalConnection } from '@vendure/core'
import { collectedCurrency } from './currency.js'
import { lockOrder, lockPayment } from './locks.js'
import { toMinor, toText } from './money.js'
import { isUncounted, readOutcome } from './outcome.js'
import { awaiting } from './process.js'

/** @import { Sanad } from '@sanad/sdk' */
/** @import { Order, RequestContext } from '@vendure/core' */

export const handlerCode = 'sanad'

/** @type {(en: string, ar: string) => { languageCode: LanguageCode, value: string }[]} */
const inBoth = (en, ar) => [
  { languageCode: LanguageCode.en, value: en },
  { languageCode: LanguageCode.ar, value: ar },
]

/** The message for the buyer when Sanad refuses or cannot be reached. @param {unknown} fault */
const sentence = (fault) =>
  fault instanceof SanadError ? fault.message : 'The payment service cannot be reached now. Please try again.'

/**
 * The payment stays as it is.
 *
 * @type {(payment: Payment, errorMessage: string) => { success: false, state: any, errorMessage: string }}
 */
const unchanged = (payment, errorMessage) => ({ success: false, state: payment.state, errorMessage })

/** @type {(errorMessage: string, amount: number) => { amount: number, state: 'Declined', errorMessage: string }} */
const declined = (errorMessage, amount) => ({ amount, state: 'Declined', errorMessage })

/** The most wallets that a page can list. */
const mostWallets = 50

/** The wallets of a page in test mode, the test wallet first. @param {Sanad} sanad */
const walletsToTest = async (sanad) => {
  const wallets = await sanad.wallets.list({ includeTest: true })
  return wallets
    .toSorted((one, other) => Number(other.is_test) - Number(one.is_test))
    .map(({ id }) => id)
    .slice(0, mostWallets)
}

/**
 * Sanad's own page: the buyer is sent to `metadata.public.url`.
 *
 * @type {(sanad: Sanad, ctx: RequestContext, order: Order, amount: number, args: Record<string, any>, testMode: boolean) => Promise<any>}
 */
const createHosted = async (sanad, ctx, order, amount, args, testMode) => {
  const { code, customer } = order
  const returnUrl = String(args.returnUrl ?? '').replaceAll('{code}', encodeURIComponent(code))
  const name = [customer?.firstName, customer?.lastName].filter(Boolean).join(' ').slice(0, 100)
  const language = ctx.languageCode === 'ar' || ctx.languageCode === 'en' ? { locale: ctx.languageCode } : {}
  const checkout = await sanad.checkouts.create({
    amount: toText(amount),
    external_order_id: code,
    ...(returnUrl === '' ? {} : { return_url: returnUrl, cancel_url: returnUrl }),
    ...(name === '' ? {} : { customer: { name } }),
    ...language,
    allow_remaining: args.allowRemaining === true,
    // A page offers the test wallet only if it is listed.
    ...(testMode ? { wallets: await walletsToTest(sanad) } : {}),
  })
  return {
    amount,
    state: awaiting,
    transactionId: checkout.id,
    metadata: {
      sanad: 'checkout',
      // The page stays a receipt for 90 days.
      voucher: checkout.url,
      public: { url: checkout.url, expiresAt: checkout.expires_at },
    },
  }
}

/**
 * The storefront's own page: it shows the wallet and the amount, and sends the reference with `attachSanadReference`.
 *
 * @type {(sanad: Sanad, order: Order, amount: number, wallet: unknown, voucher: (id: string) => string) => Promise<any>}
 */
const createOwn = async (sanad, order, amount, wallet, voucher) => {
  if (typeof wallet !== 'string') return declined('Choose a wallet: metadata.wallet is missing.', amount)
  const intent = await sanad.intents.create({ wallet, amount: toText(amount), external_order_id: order.code })
  const { payable_amount, currency, expires_at } = intent
  const target = { wallet: intent.wallet.name, provider: intent.provider.display_name }
  return {
    amount,
    state: awaiting,
    transactionId: intent.id,
    metadata: {
      sanad: 'intent',
      voucher: voucher(intent.id),
      public: {
        ...target,
        accountNumber: intent.wallet.account_number,
        amount: payable_amount,
        currency,
        expiresAt: expires_at,
      },
    },
  }
}

/**
 * Whether the intent belongs to the page of one of these payments: then its money counts for that payment.
 *
 * @type {(sanad: Sanad, payments: readonly Payment[], intentId: string) => Promise<boolean>}
 */
export const isOnPage = async (sanad, payments, intentId) => {
  for (const { transactionId } of payments.filter(({ metadata }) => metadata.sanad === 'checkout')) {
    const checkout = await sanad.checkouts.retrieve(transactionId)
    if (checkout.intents.some(({ id }) => id === intentId)) return true
  }
  return false
}

/**
 * Money that a member of the shop has booked to this order in Sanad's dashboard, late or with another amount. Anybody may
 * send an id here: it counts only once, and only if Sanad confirms that it paid this order. Test money counts in test mode only.
 *
 * @type {(sanad: Sanad, order: Order, id: string, voucher: (id: string) => string, testMode: boolean, isKnown: () => Promise<boolean>) => Promise<any>}
 */
const createBooked = async (sanad, order, id, voucher, testMode, isKnown) => {
  const intent = await sanad.intents.retrieve(id)
  if (isUncounted(intent, testMode)) return declined('This is test money: it pays no order.', 0)
  const isOurs = intent.status === 'VERIFIED' && intent.manual_override && intent.external_order_id === order.code
  if (!isOurs || (await isKnown())) return declined('This payment is not one that was booked to this order.', 0)
  return {
    amount: toMinor(intent.payable_amount),
    state: 'Settled',
    transactionId: id,
    metadata: { sanad: 'intent', booked: true, voucher: voucher(id) },
  }
}

/**
 * The intents by which a member has booked money to this order.
 *
 * @type {(sanad: Sanad, code: string, testMode: boolean) => Promise<string[]>}
 */
const bookedIntents = async (sanad, code, testMode) => {
  const ids = []
  const filter = { external_order_id: code, status: /** @type {const} */ ('VERIFIED'), page_size: 100 }
  for await (const intent of sanad.intents.list(filter))
    if (intent.manual_override && !isUncounted(intent, testMode)) ids.push(intent.id)
  return ids
}

/**
 * @param {{ sanad: Sanad, origin: string, testMode: boolean }} deps
 * @returns {PaymentMethodHandler<any>}
 */
export const sanadHandler = ({ sanad, origin, testMode }) => {
  /** @param {string} id */
  const voucher = (id) => `${origin}/intents/${id}`
  /** @type {TransactionalConnection} */
  let connection
  /**
   * Whether another process has changed the payment since Vendure read it. Locks it until the end of the transaction.
   *
   * @type {(ctx: RequestContext, order: Order, payment: Payment) => Promise<boolean>}
   */
  const hasMoved = async (ctx, order, payment) => {
    await lockOrder(connection, ctx, order.id)
    return (await lockPayment(connection, ctx, { id: payment.id }))?.state !== payment.state
  }
  return new PaymentMethodHandler({
    code: handlerCode,
    init: (injector) => {
      connection = injector.get(TransactionalConnection)
    },
    description: inBoth('Sanad: payments into mobile wallets', 'سند: الدفع إلى المحافظ الإلكترونية'),
    args: {
      page: {
        type: 'string',
        defaultValue: 'hosted',
        label: inBoth('Page', 'صفحة الدفع'),
        description: inBoth(
          "Sanad's page, or the storefront's own: then it shows the wallet and takes the reference.",
          'صفحة سند، أو صفحة المتجر نفسه: يعرض المتجر المحفظة ويستلم رقم العملية.',
        ),
        ui: {
          component: 'select-form-input',
          options: [
            { value: 'hosted', label: inBoth("Sanad's page", 'صفحة سند') },
            { value: 'own', label: inBoth("The storefront's own page", 'صفحة المتجر') },
          ],
        },
      },
      returnUrl: {
        type: 'string',
        required: false,
        label: inBoth('Return address', 'عنوان العودة'),
        description: inBoth(
          'Where the buyer goes after paying; {code} is the order code. https only in production.',
          'إلى أين يذهب المشتري بعد الدفع؛ {code} هو رقم الطلبية. في التشغيل الفعلي يبدأ بـ https فقط.',
        ),
      },
      allowRemaining: {
        type: 'boolean',
        defaultValue: true,
        label: inBoth('Pay the rest', 'دفع الباقي'),
        description: inBoth(
          'After too small a payment the buyer may pay what is missing.',
          'إذا دفع المشتري أقل من المطلوب يمكنه دفع الباقي.',
        ),
      },
    },

    async createPayment(ctx, order, amount, args, metadata) {
      if (order.currencyCode !== collectedCurrency)
        return declined(`Sanad collects ${collectedCurrency}; this order is in ${order.currencyCode}.`, amount)
      try {
        const paymentsOf = () => connection.getRepository(ctx, Payment).find({ where: { order: { id: order.id } } })
        /** @param {string} id */
        const booked = (id) =>
          createBooked(sanad, order, id, voucher, testMode, async () => {
            await lockOrder(connection, ctx, order.id)
            if ((await lockPayment(connection, ctx, { transactionId: id })) !== null) return true
            return isOnPage(sanad, await paymentsOf(), id)
          })
        const { sanadIntent } = metadata
        if (typeof sanadIntent === 'string') return await booked(sanadIntent)
        if (amount <= 0) return declined('A payment of this order is already under way.', 0)
        const isLater = (await paymentsOf()).some((payment) => payment.metadata.sanad !== undefined)
        // Its event may have been lost, or be on the way: the buyer is not asked for it again.
        for (const id of isLater ? await bookedIntents(sanad, order.code, testMode) : []) {
          const payment = await booked(id)
          if (payment.state === 'Settled') return payment
        }
        if (args.page === 'own') return await createOwn(sanad, order, amount, metadata.wallet, voucher)
        return await createHosted(sanad, ctx, order, amount, args, testMode)
      } catch (fault) {
        return declined(sentence(fault), amount)
      }
    },

    async settlePayment(ctx, order, payment) {
      if (await hasMoved(ctx, order, payment)) return unchanged(payment, 'Another process has just moved this payment.')
      const { outcome, arrived, facts } = await readOutcome(sanad, payment, testMode)
      const isHere = (outcome === 'paid' || outcome === 'part') && arrived === payment.amount
      if (isHere) return { success: true, metadata: facts }
      if (outcome === 'test')
        return unchanged(payment, 'Only test money arrived: it settles nothing outside of test mode.')
      return {
        ...unchanged(
          payment,
          `Sanad has not seen ${toText(payment.amount)} ${collectedCurrency} for this payment: ${facts.status}.`,
        ),
        metadata: facts,
      }
    },

    async cancelPayment(ctx, order, payment) {
      if (await hasMoved(ctx, order, payment)) return unchanged(payment, 'Another process has just moved this payment.')
      if (payment.metadata.sanad === 'checkout') {
        try {
          await sanad.checkouts.cancel(payment.transactionId)
        } catch (fault) {
          if (!(fault instanceof SanadError) || !fault.has('checkout_not_open')) throw fault
        }
      }
      const { outcome } = await readOutcome(sanad, payment, testMode)
      if (outcome === 'paid' || outcome === 'part')
        return unchanged(payment, 'The money has arrived: it cannot be cancelled.')
      // `refresh` declines the payment, with a note. A payment that was declined before may be cancelled.
      if (outcome === 'wrong' && /** @type {string} */ (payment.state) === awaiting)
        return unchanged(payment, 'Another amount has arrived: it cannot be cancelled.')
      // The merchant API cannot cancel an intent: it stays open until its window closes. If money still arrives, the webhook
      // calls `refresh`, which writes a note to the order.
      return { success: true }
    },

    // Without createRefund a refund stays Pending: Sanad moves no money. An administrator sends it from the wallet and settles
    // the refund with the reference of the transfer.
  })
}
