/** The HTTP routes of the plugin: webhooks, and the calls for a storefront with its own payment page. */
import { ContainerRegistrationKeys, MedusaError, Modules } from '@medusajs/framework/utils'
import { WebhookError } from '@sanad/sdk'
import { collectedCurrency } from './currency.js'
import { notifyAdmin, notifyTest, refreshSession } from './refresh.js'

/** @typedef {any} Request */
/** @typedef {any} Response */

/** The longest reference that Sanad takes. */
const mostCharacters = 128

/** @type {(message: string) => MedusaError} */
const invalid = (message) => new MedusaError(MedusaError.Types.INVALID_DATA, message)

/** @type {(request: Request, response: Response) => Promise<void>} */
export const receiveWebhook = async ({ params, body, rawBody, headers, scope }, response) => {
  const payload = { data: body ?? {}, rawData: rawBody, headers }
  let data
  try {
    const found = await scope.resolve(Modules.PAYMENT).getWebhookActionAndData({ provider: params.provider, payload })
    data = found.data
  } catch (fault) {
    if (!(fault instanceof WebhookError)) throw fault
    scope.resolve(ContainerRegistrationKeys.LOGGER).error(`A webhook was refused: ${fault.message}`)
    response.status(400).json({ type: 'invalid_data', message: fault.message })
    return
  }
  if (data?.session_id !== undefined) {
    const session = await refreshSession(scope, data.session_id)
    // The basket has changed meanwhile, or the buyer began a new payment: no session can take this money.
    const deleted = { id: data.session_id, data: { voucher: data.voucher } }
    if (session === undefined && Number(data.amount) > 0)
      await notifyAdmin(
        scope,
        'Money without a payment session',
        `${data.amount} ${collectedCurrency} arrived. Look in Sanad.`,
        deleted,
      )
    if (session === undefined && Number(data.test) > 0)
      await notifyTest(scope, data.test, `${data.session_id} ${data.voucher ?? ''} ${data.test}`, deleted)
  }
  response.sendStatus(200)
}

/** @type {(request: Request, response: Response) => Promise<void>} */
export const listWallets = async ({ query, scope }, response) => {
  const provider_id = String(query.provider_id ?? '')
  if (!provider_id.startsWith('pp_sanad_'))
    throw invalid('provider_id must be a provider of Sanad, such as pp_sanad_own.')
  const found = await scope.resolve(Modules.PAYMENT).listPaymentMethods({ provider_id, context: {} })
  response.json({ wallets: found.map((/** @type {any} */ { id, data }) => ({ id, ...data })) })
}

/** @type {(request: Request, response: Response) => Promise<void>} */
export const attachReference = async ({ body, scope }, response) => {
  const { payment_session_id, reference } = body ?? {}
  if (typeof payment_session_id !== 'string' || payment_session_id.length > 64)
    throw invalid('payment_session_id must be the id of a payment session.')
  // As Sanad counts: characters without the white space around them.
  const trimmed = typeof reference === 'string' ? reference.trim() : ''
  if (trimmed === '' || [...trimmed].length > mostCharacters)
    throw invalid(`reference must be a text of 1 to ${mostCharacters} characters.`)
  const session = await refreshSession(scope, payment_session_id, { sanad_reference: trimmed })
  if (session === undefined) throw new MedusaError(MedusaError.Types.NOT_FOUND, 'There is no such payment session.')
  const { status, outcome, arrived } = session.data
  response.json({ status, outcome, arrived })
}
