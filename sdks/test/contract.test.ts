/**
 * Every SDK has the whole contract: a method for each documented operation, which sends just that, and the check of signatures, compared
 * with signatures that openssl made.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { after, test } from 'node:test'
import { type Driver, type Language, languages, openDriver } from './behaviours/driver.ts'

type Vector = {
  readonly name: string
  readonly body: unknown
  readonly hex?: string
  readonly as?: string
  readonly header: unknown
  readonly secret: unknown
  readonly now: number
  readonly toleranceS?: number
  readonly takes?: string
  readonly refuses?: string
}
// The vectors are JavaScript for any runtime: this compiler does not read their types.
const { usual, vectors } = (await import(new URL('../../packages/sdk/test/vectors.js', import.meta.url).href)) as {
  usual: Pick<Vector, 'body' | 'header' | 'secret' | 'now'>
  vectors: readonly (Partial<Vector> & { name: string })[]
}

const drivers = new Map<Language, Driver>()
for (const language of Object.keys(languages) as Language[]) drivers.set(language, openDriver(language))
after(() => Promise.all([...drivers.values()].map((driver) => driver.close())))

const id = '00000000-0000-4000-8000-000000000001'
const amount = '1500.00'

/** The methods that make a call of each operation. A new operation needs its line here and a method in each SDK. */
const operations: Record<string, { method: string; args?: unknown[] }[]> = {
  // Every other call needs it first.
  createToken: [],
  listWallets: [{ method: 'wallets.list' }],
  createIntent: [{ method: 'intents.create', args: [{ wallet: id, amount }] }],
  listIntents: [{ method: 'intents.list' }, { method: 'intents.page' }],
  retrieveIntent: [
    { method: 'intents.retrieve', args: [id] },
    { method: 'intents.wait', args: [id] },
  ],
  attachReference: [{ method: 'intents.attachReference', args: [id, '650700000001'] }],
  createCheckout: [{ method: 'checkouts.create', args: [{ amount }] }],
  listCheckouts: [{ method: 'checkouts.list' }, { method: 'checkouts.page' }],
  retrieveCheckout: [{ method: 'checkouts.retrieve', args: [id] }],
  cancelCheckout: [{ method: 'checkouts.cancel', args: [id] }],
  createLink: [{ method: 'links.create', args: [{ amount }] }],
  listLinks: [{ method: 'links.list' }, { method: 'links.page' }],
  retrieveLink: [{ method: 'links.retrieve', args: [id] }],
  changeLink: [{ method: 'links.update', args: [id, { active: false }] }],
}
/** Methods that make several calls. */
const composed = ['checkout.start']

type Documented = { operationId: string; method: string; path: RegExp }
const documented = ['merchant', 'checkout'].flatMap((api): Documented[] => {
  const file = resolve(import.meta.dirname, `../../openapi/${api}.json`)
  const { paths, servers } = JSON.parse(readFileSync(file, 'utf8'))
  const base = new URL(servers[0].url, 'http://service').pathname.replace(/\/$/, '')
  return Object.entries<Record<string, { operationId?: string }>>(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]) =>
      operationId === undefined
        ? []
        : [
            {
              operationId,
              method: method.toUpperCase(),
              path: new RegExp(`^${base}${path.replace(/\{\w+\}/g, '[\\w-]+')}$`),
            },
          ],
    ),
  )
})

test('every documented operation has a line in the table, and the table has no other', () => {
  assert.deepEqual(Object.keys(operations).toSorted(), documented.map(({ operationId }) => operationId).toSorted())
})

test('every SDK has the methods of the table and no other', async () => {
  const expected = Object.values(operations).flatMap((calls) => calls.map(({ method }) => method))
  for (const [language, driver] of drivers) {
    await driver.ask({ open: { url: 'http://127.0.0.1:9', clientId: 'made-up', clientSecret: 'made-up' } })
    const { value } = await driver.ask({ methods: true })
    assert.deepEqual(value.toSorted(), [...expected, ...composed].toSorted(), language)
  }
})

test('each method sends the operation that it is for, and nothing else', async () => {
  const seen: string[] = []
  const service = createServer((request, response) => {
    const path = request.url!.replace(/\?.*$/, '')
    seen.push(`${request.method} ${path}`)
    const isList = request.method === 'GET' && /\/(intents|sessions|links)\/$/.test(path)
    const answer = path.endsWith('/token')
      ? { access_token: 'made-up', token_type: 'Bearer', expires_in: 3600 }
      : isList
        ? { count: 0, next: null, previous: null, results: [] }
        : path.endsWith('/wallets/')
          ? []
          : { id, status: 'VERIFIED' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => service.once('listening', listening))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  try {
    for (const [language, driver] of drivers) {
      await driver.ask({ open: { url, clientId: 'made-up', clientSecret: 'made-up' } })
      await driver.ask({ call: 'wallets.list' })
      assert.deepEqual(seen.splice(0), ['POST /api/v1/merchant/token', 'GET /api/v1/merchant/wallets/'], language)
      for (const { operationId, method, path } of documented)
        for (const call of operations[operationId]!) {
          const done = await driver.ask({ call: call.method, args: call.args ?? [] })
          assert.equal(done.fault, undefined, `${language} ${call.method}: ${done.sentence}`)
          const [sent, ...more] = seen.splice(0)
          assert.deepEqual(more, [], `${language} ${call.method}`)
          const [sentMethod, sentPath] = sent!.split(' ') as [string, string]
          assert.equal(sentMethod, method, `${language} ${call.method}`)
          assert.match(sentPath, path, `${language} ${call.method}`)
        }
    }
  } finally {
    service.close()
    service.closeAllConnections()
  }
})

test('every SDK takes and refuses the same signatures', async () => {
  for (const [language, driver] of drivers)
    for (const vector of vectors) {
      const {
        name,
        body,
        hex,
        as = 'text',
        header,
        secret,
        now,
        toleranceS,
        takes,
        refuses,
      }: Vector = { ...usual, ...vector }
      const isText = typeof body === 'string'
      const bytes = hex === undefined ? Buffer.from(isText ? body : JSON.stringify(body)) : Buffer.from(hex, 'hex')
      const done = await driver.ask({
        verify: {
          body: bytes.toString('base64'),
          as: hex !== undefined ? 'bytes' : isText ? as : 'parsed',
          header,
          secret,
          now: now / 1000,
          ...(toleranceS === undefined ? {} : { tolerance: toleranceOf(toleranceS) }),
        },
      })
      const expected = takes ?? (refuses === undefined ? 'argument' : `webhook ${refuses}`)
      assert.equal(done.fault ?? done.value.event, expected, `${language}, ${name}: ${done.sentence}`)
    }
})

/** JSON has no infinity. */
const toleranceOf = (seconds: number): number | string =>
  Number.isNaN(seconds) ? 'nan' : seconds === Number.POSITIVE_INFINITY ? 'inf' : seconds
