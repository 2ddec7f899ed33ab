/**
 * A payment from the checkout to its webhook, against the fake, in any runtime: no test framework, nothing of Node. Throws
 * when a result is wrong.
 */

/**
 * @param {typeof import('../types/sdk.d.ts')} sdk
 * @param {typeof import('../types/testing.d.ts')} testing
 */
export const checkClient = async ({ memoryStore, Sanad, SanadError, webhooks }, { createFakeSanad }) => {
  /** @type {(holds: boolean, expectation: string) => void} */
  const need = (holds, expectation) => {
    if (!holds) throw new Error(`the client: ${expectation}`)
  }
  const fake = createFakeSanad()
  const sanad = new Sanad(fake.options)
  const wallet = fake.wallets[0]?.id ?? ''
  const store = memoryStore()
  fake.fail({ on: '/intents/', lose: 'answer' })
  const { intent, state } = await sanad.checkout.start({ orderId: 'A-1', wallet, amount: '1500.00', store })
  need(state === 'pay' && (await sanad.intents.page()).count === 1, 'one intent after a lost answer')
  fake.pay({ wallet, amount: '1500.00', reference: '٢٢٠٧' })
  fake.revokeTokens()
  need((await sanad.intents.attachReference(intent.id, '2207')).status === 'VERIFIED', 'verified after a renewal')
  for await (const listed of sanad.intents.list({ status: ['VERIFIED'] })) need(listed.id === intent.id, 'the list')
  /** @type {unknown} */
  const fault = await sanad.intents.retrieve('unknown').catch((thrown) => thrown)
  need(fault instanceof SanadError && fault.has('not_found', null), 'an error with its code')

  const checkout = await sanad.checkouts.create({ amount: '20.00', external_order_id: 'A-2' })
  fake.pay({ checkout: checkout.id })
  need((await sanad.checkouts.retrieve(checkout.id)).status === 'COMPLETE', 'a checkout')

  /** @type {string[]} */
  const orders = []
  const receive = webhooks.next({
    secret: fake.signingSecret,
    now: fake.now,
    onEvent: (event) => 'order_id' in event && orders.push(`${event.event} ${event.order_id}`),
  })
  for (const webhook of await fake.webhooks()) need((await receive(webhook.request())).status === 204, 'the webhook')
  need(
    orders.join() === 'payment.verified A-1,payment.verified A-2,checkout.completed A-2',
    'the orders of the webhooks',
  )
}
