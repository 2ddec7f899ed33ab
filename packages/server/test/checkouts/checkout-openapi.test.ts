/** The OpenAPI document of the checkout API: complete, and consistent with itself and with the service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as schemas from '@sanad/contract/checkout'
import { checkoutOpenApi } from '@sanad/contract/checkout/document'
import * as examples from '@sanad/contract/checkout/examples'
import { ErrorAnswer } from '@sanad/contract/errors'
import Fastify from 'fastify'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { urlFault } from '../../src/checkouts/return-url.ts'
import { parseJson } from '../../src/http/body/json.ts'
import { checkoutReader } from '../../src/http/checkout/create-checkout-body.ts'
import { docs } from '../../src/http/docs.ts'

const document = checkoutOpenApi({ version: '1.0.0', serverUrl: 'https://pay.example.com/api/v1/checkout' })

type Part = { readonly [key: string]: unknown }
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((part, key) => (isPart(part) ? part[key] : undefined), document)

function* parts(part: unknown): Generator<Part> {
  if (!isPart(part)) return
  yield part
  for (const [key, inner] of Object.entries(part)) if (key !== 'value') yield* parts(inner)
}

test('the document has exactly these operations and the two events', () => {
  assert.deepEqual(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    ),
    [
      'post /sessions/',
      'get /sessions/',
      'get /sessions/{id}/',
      'post /sessions/{id}/cancel/',
      'post /links/',
      'get /links/',
      'get /links/{id}/',
      'patch /links/{id}/',
    ],
  )
  assert.deepEqual(Object.keys(document.webhooks!), ['checkout.completed', 'checkout.expired'])
})

test('every $ref of the document resolves, and every component is used', () => {
  const references = new Set([...parts(document)].map((part) => part.$ref).filter((ref) => ref !== undefined))
  for (const ref of references) assert.ok(isPart(at(String(ref))), String(ref))
  for (const kind of ['schemas', 'responses'] as const)
    for (const name of Object.keys(document.components[kind]!))
      assert.ok(references.has(`#/components/${kind}/${name}`), `nothing refers to ${name}`)
})

test('every example fits its schema', () => {
  const all: Readonly<Record<string, unknown>> = { ...schemas, ErrorAnswer }
  let checked = 0
  for (const part of parts(document)) {
    const media = part['application/json']
    if (!isPart(media)) continue
    const name = String((media.schema as Part).$ref)
      .split('/')
      .at(-1)!
    for (const [example, { value }] of Object.entries(media.examples as Record<string, Part>)) {
      checked++
      const schema = all[name] as TSchema
      assert.ok(Check(schema, value), `${name} ${example}: ${JSON.stringify([...Errors(schema, value)])}`)
    }
  }
  assert.ok(checked > 15)
})

test('the service reads the examples of requests', () => {
  const read = checkoutReader(false)
  for (const body of [examples.createByAmount, examples.createByItems]) {
    const json = parseJson(Buffer.from(JSON.stringify(body)))
    assert.equal(json.kind, 'ok')
    if (json.kind === 'ok') assert.equal(read(json.value).kind, 'ok')
  }
  assert.equal(urlFault(examples.open.return_url, false), undefined)
})

test('the document is served as a file and as a page', async () => {
  const app = Fastify()
  await app.register((scope) =>
    docs(scope, {
      page: '/docs/checkout',
      file: '/openapi/checkout.json',
      title: 'Checkouts',
      document: () => document,
    }),
  )
  assert.deepEqual((await app.inject('/openapi/checkout.json')).json(), JSON.parse(JSON.stringify(document)))
  assert.equal((await app.inject('/docs/checkout/')).statusCode, 200)
  await app.close()
})
