/** A Vendure with the plugin, on PostgreSQL, with one product in YER, and GraphQL clients for a buyer and an administrator. */
import { bootstrap, DefaultJobQueuePlugin, DefaultLogger, DefaultSchedulerPlugin, LogLevel } from '@vendure/core'

// Switches the telemetry off: a test connects to this machine only.
process.env.VENDURE_DISABLE_TELEMETRY = 'true'

export const freePort = async () => {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  await new Promise((done) => server.close(done))
  return port
}

/** A client that keeps its session. */
const clientOf = (url) => {
  let token = ''
  return async (query, variables = {}) => {
    const headers = {
      'content-type': 'application/json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    token = answer.headers.get('vendure-auth-token') ?? token
    const { data, errors } = await answer.json()
    if (errors !== undefined) throw new Error(`${query.slice(0, 80)}: ${JSON.stringify(errors)}`)
    return data
  }
}

const fill = async (ask) => {
  await ask(`mutation { login(username: "superadmin", password: "superadmin") { __typename } }`)
  const { createCountry } = await ask(`mutation { createCountry(input: {
    code: "YE", enabled: true, translations: [{ languageCode: en, name: "Yemen" }] }) { id } }`)
  const { createZone } = await ask(
    `mutation ($ids: [ID!]) { createZone(input: { name: "Yemen", memberIds: $ids }) { id } }`,
    { ids: [createCountry.id] },
  )
  const zone = createZone.id
  const { activeChannel } = await ask('{ activeChannel { id } }')
  const updated = await ask(
    `mutation ($id: ID!, $zone: ID!) { updateChannel(input: { id: $id, defaultCurrencyCode: YER,
      availableCurrencyCodes: [YER], pricesIncludeTax: true, defaultTaxZoneId: $zone, defaultShippingZoneId: $zone })
      { __typename ... on Channel { defaultCurrencyCode } ... on ErrorResult { message } } }`,
    { id: activeChannel.id, zone },
  )
  if (updated.updateChannel.defaultCurrencyCode !== 'YER') throw new Error(JSON.stringify(updated))
  const { createTaxCategory } = await ask(
    `mutation { createTaxCategory(input: { name: "Standard", isDefault: true }) { id } }`,
  )
  await ask(
    `mutation ($zone: ID!, $category: ID!) { createTaxRate(input: { name: "None", enabled: true, value: 0,
      zoneId: $zone, categoryId: $category }) { id } }`,
    { zone, category: createTaxCategory.id },
  )
  await ask(`mutation { createShippingMethod(input: { code: "pickup", fulfillmentHandler: "manual-fulfillment",
    checker: { code: "default-shipping-eligibility-checker", arguments: [{ name: "orderMinimum", value: "0" }] },
    calculator: { code: "default-shipping-calculator", arguments: [
      { name: "rate", value: "0" }, { name: "includesTax", value: "auto" }, { name: "taxRate", value: "0" }] },
    translations: [{ languageCode: en, name: "Pickup", description: "" }] }) { id } }`)
  for (const [code, page] of [
    ['sanad', 'hosted'],
    ['sanad-own', 'own'],
  ]) {
    await ask(`mutation ($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }`, {
      input: {
        code,
        enabled: true,
        handler: {
          code: 'sanad',
          arguments: [
            { name: 'page', value: page },
            { name: 'returnUrl', value: 'http://127.0.0.1:9/orders/{code}' },
            { name: 'allowRemaining', value: 'true' },
          ],
        },
        translations: [{ languageCode: 'en', name: 'Mobile wallet', description: '' }],
      },
    })
  }
  const { createProduct } = await ask(`mutation { createProduct(input: { enabled: true,
    translations: [{ languageCode: en, name: "Coffee", slug: "coffee", description: "" }] }) { id } }`)
  const { createProductVariants } = await ask(
    `mutation ($product: ID!) { createProductVariants(input: [{ productId: $product, sku: "C1", price: 150000,
      trackInventory: FALSE, translations: [{ languageCode: en, name: "Coffee" }] }]) { id } }`,
    { product: createProduct.id },
  )
  return createProductVariants[0].id
}

/** @typedef {{ host: string, username: string, database: string }} Database */

/** @type {(plugins: any[], database: Database & { synchronize?: boolean }, port: number) => Promise<any>} */
export const startServer = async (plugins, database, port) => {
  const app = await bootstrap({
    apiOptions: { port, hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
    authOptions: {
      tokenMethod: 'bearer',
      superadminCredentials: { identifier: 'superadmin', password: 'superadmin' },
    },
    dbConnectionOptions: { type: 'postgres', ...database },
    logger: new DefaultLogger({ level: LogLevel.Warn }),
    paymentOptions: { paymentMethodHandlers: [] },
    // A shop runs tasks in its worker; the test has no worker.
    schedulerOptions: { runTasksInWorkerOnly: false },
    plugins: [DefaultJobQueuePlugin, DefaultSchedulerPlugin.init({}), ...plugins],
  })
  return { app, origin: `http://127.0.0.1:${port}` }
}

/** @param {Parameters<typeof startServer>[0]} plugins @param {Database} database */
export const openVendure = async (plugins, database) => {
  const { app, origin } = await startServer(plugins, { ...database, synchronize: true }, await freePort())
  const admin = clientOf(`${origin}/admin-api`)
  const variant = await fill(admin)

  /** A new buyer with an order of one coffee, ready to be paid. `server`: another server of the shop. */
  const newBuyer = async (server = origin) => {
    const ask = clientOf(`${server}/shop-api`)
    await ask(`mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }`, {
      id: variant,
    })
    await ask(`mutation { setCustomerForOrder(input: { firstName: "Ali", lastName: "Example",
      emailAddress: "ali@shop.example" }) { __typename } }`)
    await ask(
      `mutation { setOrderShippingAddress(input: { streetLine1: "Street 1", countryCode: "YE" }) { __typename } }`,
    )
    const { eligibleShippingMethods } = await ask('{ eligibleShippingMethods { id } }')
    await ask(`mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }`, {
      id: [eligibleShippingMethods[0].id],
    })
    const { transitionOrderToState } = await ask(`mutation { transitionOrderToState(state: "ArrangingPayment") {
      __typename ... on Order { code } ... on ErrorResult { message } } }`)
    if (transitionOrderToState.code === undefined) throw new Error(JSON.stringify(transitionOrderToState))
    /** @type {(method: string, metadata?: object) => Promise<any>} */
    const pay = async (method, metadata = {}) =>
      (
        await ask(
          `mutation ($method: String!, $metadata: JSON!) { addPaymentToOrder(input: { method: $method, metadata: $metadata }) {
            __typename ... on Order { code state payments { id state amount transactionId metadata } }
            ... on ErrorResult { errorCode message }
            ... on PaymentDeclinedError { paymentErrorMessage } } }`,
          { method, metadata },
        )
      ).addPaymentToOrder
    return { ask, pay, code: transitionOrderToState.code }
  }

  /** The order as the administration shows it. */
  const orderOf = async (code) => {
    const { orders } = await admin(
      `query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items {
        id code state totalWithTax payments { id state amount transactionId metadata errorMessage refunds { id state } }
        history { items { type data } } } } }`,
      { code },
    )
    const [order] = orders.items
    order.payments.sort((one, other) => Number(one.id) - Number(other.id))
    return order
  }
  return { app, origin, admin, newBuyer, orderOf }
}
