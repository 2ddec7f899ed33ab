/**
 * Public tools work with the OpenAPI documents. The clients of two generators compile under strict rules and make real calls
 * to the service, and Spectral has no finding. (For Redocly see lint-api.ts.) The tools are those of acceptance/public-tools.
 * All tests are in one file, because two processes that install the tools at once would disturb each other.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { documents } from '../guide/lint-api.ts'
import { installTools } from '../support/programs/install-tools.ts'
import { openTestService } from '../support/story.ts'
import { openSpectral } from './spectral.ts'

const root = resolve(import.meta.dirname, '../../../..')
const tools = installTools('public-tools')
const testFolder = mkdtempSync(join(tmpdir(), 'sanad-generated-'))
after(() => rmSync(testFolder, { recursive: true, force: true }))
symlinkSync(join(tools, 'node_modules'), join(testFolder, 'node_modules'))
writeFileSync(join(testFolder, 'package.json'), '{ "type": "module" }')
writeFileSync(
  join(testFolder, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      rootDir: '.',
      outDir: 'built',
    },
    include: ['generated', '*.ts'],
  }),
)
mkdirSync(join(testFolder, 'generated'))

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo } = service
const key = JSON.stringify({
  origin: service.origin,
  wallet: demo.wallets.main,
  clientId: demo.client_id,
  clientSecret: demo.client_secret,
  userToken: demo.dashboard.user_token,
})

const run = (command: string, args: readonly string[]): void => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: testFolder, encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
}
const tool = (name: string): string => join(tools, 'node_modules/.bin', name)

/** Both programs make the same calls and print their results. */
const expected = {
  wallets: true,
  created: 'PENDING',
  replayed: true,
  invalid: ['wallet required'],
  missing: 'not_found',
  attached: 'R-1',
  // Two statuses in one parameter: a client that repeats the parameter would get one of them.
  listed: ['EXPIRED', 'PENDING'],
  checkouts: ['CANCELLED', 'OPEN'],
  dashboard: ['EXPIRED', 'PENDING'],
  refused: 'not_authenticated',
  triggered: 'payment.verified',
  feed: [true],
  calls: true,
}

const openapiFetch = `
import createClient from 'openapi-fetch'
import type { paths as Checkout } from './generated/checkout.js'
import type { paths as Dashboard } from './generated/dashboard.js'
import type { paths as Developer } from './generated/developer.js'
import type { components, paths as Merchant, webhooks } from './generated/merchant.js'

const key: Record<'origin' | 'wallet' | 'clientId' | 'clientSecret' | 'userToken' | 'order', string> = JSON.parse(KEY)
const base = key.origin + '/api/v1'
const need = <T>(answer: { data?: T; error?: unknown }): T => {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error))
  return answer.data
}
const codes = (error: components['schemas']['ErrorAnswer'] | undefined) =>
  (error?.errors ?? []).map(({ code, attr }) => attr === null ? code : attr + ' ' + code).sort()

const { access_token } = need(await createClient<Merchant>({ baseUrl: base + '/merchant' }).POST('/token', {
  headers: { 'SERVICE-CLIENT-ID': key.clientId, 'SERVICE-CLIENT-SECRET': key.clientSecret },
}))
const headers = { authorization: 'Bearer ' + access_token }
// openapi-fetch has only the types, so the format of lists must be set here (see docs/developers.md).
const querySerializer = { array: { style: 'form', explode: false } } as const
const merchant = createClient<Merchant>({ baseUrl: base + '/merchant', headers, querySerializer })
const checkout = createClient<Checkout>({ baseUrl: base + '/checkout', headers, querySerializer })
const developer = createClient<Developer>({ baseUrl: base + '/developer', headers })
const dashboard = createClient<Dashboard>({
  baseUrl: base + '/dashboard',
  querySerializer,
  headers: { authorization: 'Bearer ' + key.userToken },
})

const wallets = need(await merchant.GET('/wallets/', { params: { query: { include_test: '1' } } }))
const body = { wallet: key.wallet, amount: '1500.00', external_order_id: key.order }
const header = { 'SERVICE-IDEMPOTENCY-KEY': crypto.randomUUID() }
const made = need(await merchant.POST('/intents/', { params: { header }, body }))
const again = need(await merchant.POST('/intents/', { params: { header }, body }))
// @ts-expect-error A body is needed.
const invalid = await merchant.POST('/intents/', { body: {} })
const id = '00000000-0000-4000-8000-000000000000'
const missing = await merchant.GET('/intents/{id}/', { params: { path: { id } } })
const attached = need(await merchant.PATCH('/intents/{id}/', { params: { path: { id: made.id } }, body: { reference: 'R-1' } }))
const two: components['schemas']['IntentStatus'][] = ['PENDING', 'EXPIRED']
const listed = need(await merchant.GET('/intents/', { params: { query: { status: two, external_order_id: key.order } } }))

const session = { amount: '20.00', external_order_id: key.order }
const first = need(await checkout.POST('/sessions/', { body: session }))
need(await checkout.POST('/sessions/', { body: session }))
need(await checkout.POST('/sessions/{id}/cancel/', { params: { path: { id: first.id } } }))
const checkouts = need(await checkout.GET('/sessions/', {
  params: { query: { status: ['OPEN', 'CANCELLED'], external_order_id: key.order } },
}))

const shown = need(await dashboard.GET('/intents/', { params: { query: { status: two, external_order_id: key.order } } }))
const refused = await createClient<Dashboard>({ baseUrl: base + '/dashboard' }).GET('/keys/')

const triggered = need(await developer.POST('/events/trigger/', { body: { event: 'payment.verified' } }))
const feed = need(await developer.GET('/events/', { params: { query: { page_size: 1 } } }))
const calls = need(await developer.GET('/calls/', { params: { query: { failed: '1' } } }))
type Ended = webhooks['payment.expired']['post']['requestBody']['content']['application/json']
const status: Ended['status'] = 'EXPIRED'

console.log(JSON.stringify({
  wallets: wallets.some((one) => one.is_test),
  created: made.status,
  replayed: again.id === made.id,
  invalid: codes(invalid.error),
  missing: missing.error?.errors[0]?.code,
  attached: attached.reference,
  listed: listed.results.map((one) => one.status).sort(),
  checkouts: checkouts.results.map((one) => one.status).sort(),
  dashboard: shown.results.map((one) => one.status).sort(),
  refused: refused.error?.errors[0]?.code,
  triggered: triggered.event,
  feed: feed.results.map((one) => one.is_sample),
  calls: Array.isArray(calls.results) && status === 'EXPIRED',
}))
`

const heyApi = `
import * as checkout from './generated/checkout/index.js'
import { client as checkoutClient } from './generated/checkout/client.gen.js'
import * as dashboard from './generated/dashboard/index.js'
import { client as dashboardClient } from './generated/dashboard/client.gen.js'
import * as developer from './generated/developer/index.js'
import { client as developerClient } from './generated/developer/client.gen.js'
import * as merchant from './generated/merchant/index.js'
import { client as merchantClient } from './generated/merchant/client.gen.js'

const key: Record<'origin' | 'wallet' | 'clientId' | 'clientSecret' | 'userToken' | 'order', string> = JSON.parse(KEY)
const base = key.origin + '/api/v1'
const need = <T>(answer: { data?: T; error?: unknown }): T => {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error))
  return answer.data
}
const codes = (error: merchant.ErrorAnswer | undefined) =>
  (error?.errors ?? []).map(({ code, attr }) => attr === null ? code : attr + ' ' + code).sort()

// The generated client knows from the document which header belongs to which credential.
let token = ''
const auth = ({ name }: { name?: string }) =>
  name === 'SERVICE-CLIENT-ID' ? key.clientId : name === 'SERVICE-CLIENT-SECRET' ? key.clientSecret : token
merchantClient.setConfig({ baseUrl: base + '/merchant', auth })
token = need(await merchant.createToken()).access_token
checkoutClient.setConfig({ baseUrl: base + '/checkout', auth: () => token })
developerClient.setConfig({ baseUrl: base + '/developer', auth: () => token })
dashboardClient.setConfig({
  baseUrl: base + '/dashboard',
  auth: ({ scheme }) => (scheme === 'bearer' ? key.userToken : undefined),
})

const wallets = need(await merchant.listWallets({ query: { include_test: '1' } }))
const body = { wallet: key.wallet, amount: '1500.00', external_order_id: key.order }
const headers = { 'SERVICE-IDEMPOTENCY-KEY': crypto.randomUUID() }
const made = need(await merchant.createIntent({ headers, body }))
const again = need(await merchant.createIntent({ headers, body }))
// @ts-expect-error A wallet is needed.
const invalid = await merchant.createIntent({ body: {} })
const id = '00000000-0000-4000-8000-000000000000'
const missing = await merchant.retrieveIntent({ path: { id } })
const attached = need(await merchant.attachReference({ path: { id: made.id }, body: { reference: 'R-1' } }))
const two: merchant.IntentStatus[] = ['PENDING', 'EXPIRED']
const listed = need(await merchant.listIntents({ query: { status: two, external_order_id: key.order } }))

const session = { amount: '20.00', external_order_id: key.order }
const first = need(await checkout.createCheckout({ body: session }))
need(await checkout.createCheckout({ body: session }))
need(await checkout.cancelCheckout({ path: { id: first.id } }))
const checkouts = need(await checkout.listCheckouts({
  query: { status: ['OPEN', 'CANCELLED'], external_order_id: key.order },
}))

const shown = need(await dashboard.listIntents({ query: { status: two, external_order_id: key.order } }))
// @ts-expect-error A body is needed.
void (() => dashboard.createIntent())
const refused = await dashboard.listKeys({ auth: () => undefined })

const triggered = need(await developer.triggerEvent({ body: { event: 'payment.verified' } }))
const feed = need(await developer.listEvents({ query: { page_size: 1 } }))
const calls = need(await developer.listCalls({ query: { failed: '1' } }))
const status: merchant.PaymentExpired['status'] = 'EXPIRED'

console.log(JSON.stringify({
  wallets: wallets.some((one) => one.is_test),
  created: made.status,
  replayed: again.id === made.id,
  invalid: codes(invalid.error),
  missing: missing.error?.errors[0]?.code,
  attached: attached.reference,
  listed: listed.results.map((one) => one.status).sort(),
  checkouts: checkouts.results.map((one) => one.status).sort(),
  dashboard: shown.results.map((one) => one.status).sort(),
  refused: refused.error?.errors[0]?.code,
  triggered: triggered.event,
  feed: feed.results.map((one) => one.is_sample),
  calls: Array.isArray(calls.results) && status === 'EXPIRED',
}))
`

/** Compiles and runs the program. Its order already has an expired intent. */
const runProgram = async (order: string, program: string): Promise<unknown> => {
  writeFileSync(
    join(testFolder, 'program.ts'),
    program.replace('KEY', JSON.stringify(`${key.slice(0, -1)},"order":"${order}"}`)),
  )
  run(join(root, 'node_modules/.bin/tsc'), ['-p', testFolder])
  await service.create({ external_order_id: order })
  service.clock.advance(3_600_001)
  const { stdout } = await promisify(execFile)(process.execPath, [join(testFolder, 'built/program.js')], {
    cwd: testFolder,
  })
  return JSON.parse(stdout)
}

test('a client of openapi-typescript with openapi-fetch compiles and works', async () => {
  for (const name of documents)
    run(tool('openapi-typescript'), [
      join(root, `openapi/${name}.json`),
      '-o',
      join(testFolder, `generated/${name}.ts`),
    ])
  // The types have names: they are not anonymous objects.
  const types = readFileSync(join(testFolder, 'generated/dashboard.ts'), 'utf8')
  assert.match(types, /\bDashboardWallet: \{/)
  assert.deepEqual(await runProgram('openapi-fetch', openapiFetch), expected)
})

test('a client of @hey-api/openapi-ts compiles and works', async () => {
  rmSync(join(testFolder, 'generated'), { recursive: true })
  rmSync(join(testFolder, 'built'), { recursive: true })
  for (const name of documents)
    run(tool('openapi-ts'), [
      '--input',
      join(root, `openapi/${name}.json`),
      '--output',
      join(testFolder, `generated/${name}`),
      '--no-log-file',
    ])
  assert.deepEqual(await runProgram('hey-api', heyApi), expected)
})

const findings = openSpectral(tools)
const read = (name: string) => JSON.parse(readFileSync(join(root, `openapi/${name}.json`), 'utf8'))

for (const name of documents)
  test(`Spectral has no finding in ${name}.json`, async () => {
    assert.deepEqual(await findings(read(name)), [])
  })

/** The objects inside a schema that have no name of their own: generators make anonymous types of them. */
const unnamed = (schema: Schema, path: string): string[] => {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const at = `${path}.${name}`
    return one.properties === undefined ? unnamed(one, at) : [at]
  })
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((one) => one !== undefined)
  return [...inner, ...parts.flatMap((one) => (one.properties === undefined ? unnamed(one, path) : [path]))]
}
type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; oneOf?: Schema[] }

for (const name of documents)
  test(`bodies and answers of ${name}.json have named schemas`, () => {
    const { paths, components } = read(name)
    const calls: Call[] = Object.values(paths).flatMap((path) => Object.values(path as Record<string, Call>))
    const contents = calls.flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
    for (const part of contents) {
      const schema = part?.content?.['application/json']?.schema
      assert.equal(schema?.properties, undefined, JSON.stringify(schema))
    }
    // The dashboard's document has many small objects that are used once.
    if (name === 'dashboard') return
    const schemas = Object.entries(components.schemas as Record<string, Schema>)
    assert.deepEqual(
      schemas.flatMap(([own, schema]) => unnamed(schema, own)),
      [],
    )
  })
type Content = { content?: { 'application/json'?: { schema?: Schema } } }
type Call = { requestBody?: Content; responses: Record<string, Content> }

test('Spectral finds an example that does not fit its schema', async () => {
  const document = read('merchant')
  const { examples } = document.paths['/token'].post.responses['200'].content['application/json']
  ;(Object.values(examples)[0] as { value: { expires_in: unknown } }).value.expires_in = 'soon'
  assert.match((await findings(document)).join('\n'), /oas3-valid-media-example/)
})
