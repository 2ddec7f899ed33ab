/**
 * A shop in one file: a buyer orders, pays on Sanad's page, and the order is paid. Run it beside `npm start`:
 *
 *     npm run example
 *
 * Without settings it makes a demo account on this machine. For another service set SANAD_URL, SANAD_CLIENT_ID,
 * SANAD_CLIENT_SECRET, and SANAD_WEBHOOK_SECRET of an endpoint that gets `checkout.completed`. SANAD_TEST_MODE=1 delivers for
 * money of the test wallet too.
 */
import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Sanad, webhooks } from '@sanad/sdk'

const coffee = { name: 'بن يمني · Yemeni coffee, 1 kg', price: '4500.00' }

/** The shop. In a real shop `orders` is a table; its rows: id, amount, key, checkout, paidBy. */
export const openShop = ({ sanad, secret, origin, testMode = false, now = Date.now }) => {
  const orders = new Map()

  /** Every report of a payment calls this function, so an order is delivered once, only for its own amount, and never for test
   *  money. */
  const markPaid = (orderId, checkoutId, { amount, currency }, isTest) => {
    const order = orders.get(orderId)
    if (order === undefined || order.paidBy !== null) return
    if (isTest && !testMode) return console.log(`Order ${orderId}: test money, nothing is delivered.`)
    if (amount !== order.amount || currency !== 'YER') {
      console.log(`Order ${orderId}: ${amount} ${currency} was paid for ${order.amount} YER. Ask a user.`)
      return
    }
    order.paidBy = checkoutId
    console.log(`Order ${orderId} is paid: deliver it.`)
  }

  const buy = async () => {
    // The order is stored first, with its key: a repeated request gets the same checkout.
    const id = `A-${1001 + orders.size}`
    const order = { id, amount: coffee.price, key: crypto.randomUUID(), checkout: null, paidBy: null }
    orders.set(order.id, order)
    const checkout = await sanad.checkouts.create(
      {
        items: [{ ...coffee, quantity: 1 }],
        external_order_id: order.id,
        return_url: `${origin()}/orders/${order.id}`,
        cancel_url: `${origin()}/`,
      },
      { idempotencyKey: order.key },
    )
    order.checkout = checkout.id
    return checkout.url
  }

  /** The buyer has come back. That proves nothing, so the API is asked. */
  const checkPayment = async (order) => {
    if (order.paidBy !== null || order.checkout === null) return
    const checkout = await sanad.checkouts.retrieve(order.checkout)
    if (checkout.status === 'COMPLETE') markPaid(order.id, order.checkout, checkout, checkout.is_test)
  }

  const receive = webhooks.express({
    secret,
    now,
    onEvent: (event, { isTest }) => {
      if (event.event === 'checkout.completed') markPaid(event.order_id, event.checkout_id, event, isTest)
    },
  })

  return async (request, response) => {
    const { pathname } = new URL(request.url, 'http://shop')
    const route = `${request.method} ${pathname}`
    const order = orders.get(decodeURIComponent(/^GET \/orders\/([^/]+)$/.exec(route)?.[1] ?? ''))
    try {
      if (route === 'POST /webhooks/sanad') return await receive(request, response)
      if (route === 'POST /buy') return response.writeHead(303, { location: await buy() }).end()
      if (route === 'GET /') return show(response, 200, shelf())
      if (order === undefined) return show(response, 404, '<h1>Not found</h1>')
      await checkPayment(order)
      return show(response, 200, receipt(order))
    } catch (fault) {
      console.error(fault)
      return show(response, 502, '<h1>The payment page cannot be opened now. Please try again.</h1>')
    }
  }
}

const style = `
  body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem;
         color: #1f2933; background: #fbfaf7 }
  button { font: inherit; padding: .6rem 1.4rem; border: 0; border-radius: .5rem; color: #fff; background: #146c43 }
  .paid { color: #146c43 } .price { font-size: 1.4rem }
  @media (prefers-color-scheme: dark) { body { color: #e4e7eb; background: #16191d } .paid { color: #6fcf97 } }`

const show = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Example shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><main>${body}</main></body></html>`)
}

const shelf = () => `<h1>Example shop</h1><p>${coffee.name}</p><p class="price">${coffee.price} YER</p>
<form method="post" action="/buy"><button>Buy</button></form>`

const receipt = ({ id, paidBy }) =>
  paidBy === null
    ? `<h1>Order ${id}</h1><p>Waiting for the payment.</p><meta http-equiv="refresh" content="3">`
    : `<h1>Order ${id}</h1><p class="paid"><strong>Paid.</strong> Thank you!</p><p><a href="/">Back to the shop</a></p>`

const command = (...args) => [
  process.execPath,
  ['--no-warnings', fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url)), ...args],
]

// PORT is the shop's: the commands find the service by themselves.
const { PORT: _, ...commandEnvironment } = process.env

/** The simulated phone of the demo account, which says each minute that it is there, as long as the shop is open. */
const keepPhoneOn = (wallet) => {
  const phone = spawn(...command('phone', '--wallet', wallet, '--stay'), { stdio: 'ignore', env: commandEnvironment })
  phone.on('error', () => {})
  process.once('exit', () => phone.kill())
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit())
}

/** Why there are no webhooks, or their secret. */
const addEndpoint = async (demo, hook) => {
  const answer = await fetch(`${demo.dashboard.url}api/v1/dashboard/webhooks/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.dashboard.user_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: hook, kinds: ['checkout.completed', 'checkout.expired'] }),
  })
  const { secret, errors } = await answer.json()
  return { secret, why: errors?.[0]?.detail ?? answer.status }
}

/** A demo account on this machine, and an endpoint for this shop. Real shops get both from the dashboard. */
const openDemo = async (hook) => {
  const { stdout } = await promisify(execFile)(...command('demo', '--json'), { env: commandEnvironment })
  const demo = JSON.parse(stdout)
  const { client_id: clientId, client_secret: clientSecret, base_url: baseUrl } = demo
  const { secret, why } = await addEndpoint(demo, hook).catch((fault) => {
    if (fault?.cause?.code !== 'ECONNREFUSED') throw fault
    console.error(
      `Sanad does not run at ${new URL(baseUrl).origin}: start it with npm start in another terminal, then try again.`,
    )
    return process.exit(1)
  })
  keepPhoneOn(demo.wallets.main)
  console.log(`Pay as a buyer: choose "Main wallet", send the number 220700012345, and then run
  npx --no sanad phone --wallet ${demo.wallets.main} --amount ${coffee.price} --reference 220700012345`)
  if (secret === undefined)
    console.log(`(The shop asks the API for payments. For webhooks too, start Sanad with
  SANAD_WEBHOOK_ALLOW_CIDRS=127.0.0.0/8 npm start
because without it: ${why})`)
  // Without an endpoint no event comes: a random secret refuses everything.
  return { baseUrl, clientId, clientSecret, secret: secret ?? crypto.randomUUID() }
}

const main = async () => {
  const port = Number(process.env.PORT ?? 3000)
  const origin = `http://127.0.0.1:${port}`
  const { SANAD_URL, SANAD_CLIENT_ID, SANAD_CLIENT_SECRET, SANAD_WEBHOOK_SECRET, SANAD_TEST_MODE } = process.env
  const { secret, ...key } =
    SANAD_CLIENT_ID === undefined
      ? await openDemo(`${origin}/webhooks/sanad`)
      : {
          baseUrl: SANAD_URL ?? 'http://127.0.0.1:8080',
          clientId: SANAD_CLIENT_ID,
          clientSecret: SANAD_CLIENT_SECRET,
          secret: SANAD_WEBHOOK_SECRET,
        }
  const shop = openShop({ sanad: new Sanad(key), secret, origin: () => origin, testMode: SANAD_TEST_MODE === '1' })
  createServer(shop).listen(port, '127.0.0.1', () => console.log(`The shop is open at ${origin}`))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
