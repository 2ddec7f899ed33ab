/** The OpenAPI document of the dashboard API is fit for client generators: named types, and lists as the service reads them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkoutOpenApi } from '@sanad/contract/checkout/document'
import { dashboardOpenApi } from '@sanad/contract/dashboard/document'
import { merchantOpenApi } from '@sanad/contract/merchant/document'
import type { OpenIntentRefusal } from '../../../src/checkouts/open-intent.ts'
import type { SaleRefusal } from '../../../src/matching/queue/take-sale.ts'
import type { UndoRefusal } from '../../../src/matching/queue/undo-sale.ts'

type Part = { readonly [key: string]: unknown }
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null

type Call = { readonly operationId: string; readonly parameters?: readonly Part[]; readonly [more: string]: unknown }
type Document = { readonly paths: Record<string, Record<string, Call>>; readonly components: Record<string, Part> }

const options = { version: '1.0.0', serverUrl: 'https://pay.example.com/api/v1' }
const documents = {
  merchant: merchantOpenApi(options),
  checkout: checkoutOpenApi(options),
  dashboard: dashboardOpenApi(options),
} as unknown as Readonly<Record<string, Document>>
const { dashboard } = documents as { dashboard: Document }
const callsOf = (document: Document): Call[] => Object.values(document.paths).flatMap((path) => Object.values(path))

/** Every object of a document, examples left out. */
function* parts(part: unknown): Generator<Part> {
  if (!isPart(part)) return
  yield part
  for (const [key, inner] of Object.entries(part)) if (key !== 'value' && key !== 'examples') yield* parts(inner)
}

test('every body and every JSON answer of a call has a named type', () => {
  for (const call of callsOf(dashboard)) {
    const bodies = [call.requestBody, ...Object.values(call.responses as Part)].filter(isPart)
    for (const body of bodies) {
      const media = (body.content as Part | undefined)?.['application/json'] as Part | undefined
      if (media === undefined) continue
      assert.match(String((media.schema as Part).$ref), /^#\/components\/schemas\/[A-Z]\w+$/, call.operationId)
    }
  }
})

test('the document refers only to schemas that it contains, and contains no other', () => {
  const prefix = '#/components/schemas/'
  const referred = [...parts(dashboard)].map((part) => part.$ref).filter((ref) => String(ref).startsWith(prefix))
  const names = new Set(referred.map((ref) => String(ref).slice(prefix.length)))
  assert.deepEqual([...names].sort(), Object.keys(dashboard.components.schemas!).sort())
})

test('a list in a query is sent as one text with commas, in all three documents', () => {
  const lists = Object.values(documents)
    .flatMap(callsOf)
    .flatMap(({ operationId, parameters = [] }) => parameters.map((parameter) => ({ operationId, parameter })))
    .filter(({ parameter }) => (parameter.schema as Part | undefined)?.type === 'array')
  for (const { operationId, parameter } of lists)
    assert.deepEqual([parameter.style, parameter.explode], ['form', false], `${operationId}: ${parameter.name}`)
  const found = new Set(lists.map(({ operationId, parameter }) => `${operationId} ${parameter.name}`))
  for (const name of ['listIntents status', 'listIntents ordering', 'listCheckouts status', 'listUnmatched state'])
    assert.ok(found.has(name), name)
})

test('a parameter whose description mentions commas is described as a list', () => {
  for (const call of Object.values(documents).flatMap(callsOf))
    for (const { name, description, schema } of call.parameters ?? [])
      if (/comma/.test(String(description)) && name !== 'search')
        assert.equal((schema as Part).type, 'array', `${call.operationId}: ${name}`)
})

/** Every code of these types: a new one does not compile until it is here, and then must be described. */
const refusedSales: Readonly<Record<SaleRefusal['refused'], true>> = {
  alert_unknown: true,
  alert_not_open: true,
  reference_taken: true,
  may_be_same_payment: true,
  sale_of_test_money: true,
  sale_amount: true,
  sale_amount_changed: true,
  sale_needs_look: true,
  sale_order_waits: true,
  over_limit: true,
}
const undoneSales: Readonly<Record<UndoRefusal['refused'], true>> = {
  alert_unknown: true,
  alert_not_open: true,
  sale_unknown: true,
  sale_final: true,
}
const chosenWallets: Readonly<Record<OpenIntentRefusal['refused'], true>> = {
  checkout_unknown: true,
  checkout_not_open: true,
  checkout_wallet_refused: true,
  checkout_intent_limit: true,
  quota_exceeded: true,
}

test('the calls of sales at the counter describe every code that refuses them', () => {
  const described = (id: string): string =>
    JSON.stringify(callsOf(dashboard).find(({ operationId }) => operationId === id)!.responses)
  const expected: Readonly<Record<string, readonly string[]>> = {
    takeSale: Object.keys(refusedSales),
    undoSale: Object.keys(undoneSales),
    handOver: ['intent_not_paid'],
    // A new checkout is open, and its wallet is chosen for the first time: the other codes cannot come.
    startSale: [
      ...['required', 'does_not_exist', 'wallet_not_monitored', 'quota_exceeded'],
      ...['idempotency_key_reused', 'idempotency_in_progress'],
    ],
    chooseSaleWallet: [...Object.keys(chosenWallets), 'does_not_exist', 'wallet_not_monitored'],
  }
  // An object that is not there is answered 404, without a code of its own.
  for (const [id, codes] of Object.entries(expected))
    for (const code of codes)
      if (!/^(alert|checkout)_unknown$/.test(code))
        assert.ok(described(id).includes(`\`${code}\``), `${id} does not describe ${code}`)
})
