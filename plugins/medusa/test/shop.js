/**
 * A Medusa with the plugin, on PostgreSQL, with one product in YER, and clients for a buyer and an administrator. Webhooks
 * pass through a small proxy, which can lose or repeat them.
 */
import './settings.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as net from 'node:net'
import { join } from 'node:path'
import * as flows from '@medusajs/core-flows'
import { Modules } from '@medusajs/framework/utils'
import express from 'express'

const directory = join(import.meta.dirname, 'app')
const cli = join(import.meta.dirname, '../node_modules/@medusajs/cli/cli.js')
/** @param {import('node:http').RequestListener} [listener] */
const listen = async (listener) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { server, origin: `http://127.0.0.1:${port}` }
}

/** Medusa's migrations connect by TCP only; the service's PostgreSQL listens on a Unix socket. @param {string} folder */
const forwardTcp = async (folder) => {
  const server = net.createServer((client) => {
    const postgres = net.connect(join(folder, '.s.PGSQL.5432'))
    const sockets = [client, postgres]
    for (const socket of sockets) socket.on('error', () => sockets.map((open) => open.destroy()))
    client.pipe(postgres).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  return { server, port }
}

/** Runs a program in the folder of the shop. @param {string[]} args */
const run = async (...args) => {
  const child = spawn(process.execPath, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${text.slice(-3000)}`)
}

/** A region, a sales channel with its key, and one product for 1500 rials that needs no shipping. */
const fill = async (container) => {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const [store] = await container.resolve(Modules.STORE).listStores()
  await run(flows.updateStoresWorkflow, {
    selector: { id: store.id },
    update: { supported_currencies: [{ currency_code: 'yer', is_default: true }] },
  })
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [
      {
        name: 'Yemen',
        currency_code: 'yer',
        countries: ['ye'],
        payment_providers: ['pp_sanad_sanad', 'pp_sanad_own', 'pp_sanad_test'],
      },
    ],
  })
  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Web' }] })
  const [publishable, secret] = await run(flows.createApiKeysWorkflow, {
    api_keys: [
      { title: 'Web', type: 'publishable', created_by: '' },
      { title: 'Test', type: 'secret', created_by: '' },
    ],
  })
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: publishable.id, add: [channel.id] })
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        title: 'Coffee',
        status: 'published',
        options: [{ title: 'Size', values: ['One'] }],
        variants: [
          {
            title: 'One',
            sku: 'C1',
            manage_inventory: false,
            options: { Size: 'One' },
            prices: [{ amount: 1500, currency_code: 'yer' }],
          },
        ],
        sales_channels: [{ id: channel.id }],
      },
    ],
  })
  return { region: region.id, variant: product.variants[0].id, publishable: publishable.token, secret: secret.token }
}

/**
 * @typedef {{ host: string, username: string, database: string }} Database
 * @param {{ database: Database, sanad: object, addEndpoint: (url: string) => Promise<string> }} options
 */
export const openMedusa = async ({ database: { host, username, database }, sanad, addEndpoint }) => {
  const postgres = await forwardTcp(host)
  const databaseUrl = `postgres://${username}@127.0.0.1:${postgres.port}/${database}`
  const app = express()
  const medusa = await listen(app)
  /** @type {{ lost: boolean, last: { body: Buffer, headers: Record<string, string> } | undefined }} */
  const webhooks = { lost: false, last: undefined }
  const send = ({ body, headers }, path = '/hooks/sanad/sanad_sanad') =>
    fetch(`${medusa.origin}${path}`, { method: 'POST', body, headers })
  const proxy = await listen(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _h, connection: _c, 'content-length': _l, ...headers } = request.headers
    webhooks.last = { body: Buffer.concat(chunks), headers }
    response.statusCode = webhooks.lost ? 200 : (await send(webhooks.last)).status
    response.setHeader('connection', 'close')
    response.end()
  })
  const webhookSecret = await addEndpoint(proxy.origin)
  process.env.MEDUSA_TEST = JSON.stringify({ databaseUrl, sanad: { ...sanad, webhookSecret } })
  const times = { build_ms: 0, migrate_ms: 0, start_ms: 0 }
  const timed = async (name, work) => {
    const before = performance.now()
    const result = await work()
    times[name] = performance.now() - before
    return result
  }
  await timed('build_ms', () => run(join(import.meta.dirname, 'build-admin.js')))
  await timed('migrate_ms', () => run(cli, 'db:migrate', '--skip-scripts', '--execute-all-links'))
  // Medusa looks for its modules in the working directory.
  process.chdir(directory)
  const { default: loaded } = await import('@medusajs/medusa/loaders/index')
  const load = loaded.default ?? loaded
  const { container, shutdown } = await timed('start_ms', () => load({ directory, expressApp: app }))
  const { region, variant, publishable, secret } = await fill(container)

  const call = async (method, path, body, headers) => {
    const answer = await fetch(`${medusa.origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 1000)}`)
    return JSON.parse(text)
  }
  const store = (method, path, body) => call(method, `/store${path}`, body, { 'x-publishable-api-key': publishable })
  const admin = (method, path, body) =>
    call(method, `/admin${path}`, body, { authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}` })

  /** A new buyer with a cart of one coffee. */
  const newBuyer = async () => {
    const email = 'ali@shop.example'
    const { cart } = await store('POST', '/carts', {
      region_id: region,
      email,
      items: [{ variant_id: variant, quantity: 1 }],
    })
    const { payment_collection } = await store('POST', '/payment-collections', { cart_id: cart.id })
    return {
      cart: cart.id,
      collection: payment_collection.id,
      /** Begins a payment. Returns its session. */
      async begin(provider = 'pp_sanad_sanad', data = {}) {
        const path = `/payment-collections/${payment_collection.id}/payment-sessions`
        const answer = await store('POST', path, { provider_id: provider, data })
        return answer.payment_collection.payment_sessions.at(-1)
      },
      /** Places the order. Returns its id. */
      async complete() {
        const answer = await store('POST', `/carts/${cart.id}/complete`)
        if (answer.type !== 'order') throw new Error(JSON.stringify(answer))
        return answer.order.id
      },
    }
  }

  /** The order as the administration shows it. */
  const orderOf = async (id) =>
    (
      await admin(
        'GET',
        `/orders/${id}?fields=id,status,payment_status,*summary,*payment_collections,*payment_collections.payment_sessions,*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds`,
      )
    ).order
  const orderOfCart = async (cart) => {
    const { data } = await container
      .resolve('query')
      .graph({ entity: 'order_cart', fields: ['order_id'], filters: { cart_id: cart } })
    return data[0]?.order_id
  }
  /** An administrator who can sign in. */
  const newAdministrator = async () => {
    const body = { email: 'owner@shop.example', password: 'a long password' }
    const { authIdentity } = await container.resolve(Modules.AUTH).register('emailpass', { body })
    const input = { authIdentityId: authIdentity.id, userData: { email: body.email } }
    await flows.createUserAccountWorkflow(container).run({ input })
    return body
  }
  const messages = async () =>
    (await container.resolve(Modules.NOTIFICATION).listNotifications({ channel: 'feed' })).map(
      ({ data }) => `${data.title}: ${data.description}`,
    )
  return {
    container,
    origin: medusa.origin,
    times,
    newAdministrator,
    webhooks,
    send,
    store,
    admin,
    newBuyer,
    orderOf,
    orderOfCart,
    messages,
    /** Waits for webhooks that are being sent, then stops Medusa, then its database. */
    async close() {
      for (const { server } of [proxy, medusa]) {
        const closed = once(server, 'close')
        server.close()
        server.closeIdleConnections()
        await closed
      }
      await shutdown()
      postgres.server.close()
    },
  }
}
