/** The descriptions of the calls of all five APIs: complete, and consistent with themselves and with the server's tables. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { listCheckouts } from '@sanad/contract/checkout/checkouts'
import type { listCheckouts as dashboardCheckouts, showIntent } from '@sanad/contract/dashboard/operations-by-name'
import type { IntentStatus } from '@sanad/contract/kinds'
import type { createIntent, listIntents, retrieveIntent } from '@sanad/contract/merchant/operations'
import type { BodyOf, Examples, Operation, PathOf, QueryOf, SentQuery } from '@sanad/contract/operation'
import { cursorPages, numberedPages, type Ordering, type QueryRule } from '@sanad/contract/query'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { permissions } from '../../src/accounts/people/permission.ts'
import { DEFAULT_RULES } from '../../src/http/limits/rule.ts'
import { everyApi } from './every-api.ts'

const operations = Object.entries(everyApi).flatMap(([base, list]) =>
  list.map((operation) => ({ operation, name: `${operation.method} ${base}${operation.path}` })),
)

test('every call has a name and a path of its own in its API, and a known access and limit', () => {
  for (const list of Object.values(everyApi)) {
    assert.ok(list.length > 0)
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length)
    assert.equal(new Set(list.map(({ method, path }) => `${method} ${path}`)).size, list.length)
  }
  const access = new Set(['open', 'key', 'phone', 'self', 'operator', ...Object.keys(permissions)])
  for (const { operation, name } of operations) {
    assert.match(operation.id, /^[a-z][A-Za-z]+$/, name)
    assert.ok(access.has(operation.access), `${name}: ${operation.access}`)
    if (operation.limit !== undefined) assert.ok(Object.hasOwn(DEFAULT_RULES, operation.limit), name)
  }
})

test('only names of the path are described as path parameters', () => {
  for (const { operation, name } of operations)
    for (const parameter of Object.keys(operation.pathParameters ?? {}))
      assert.ok(operation.path.includes(`{${parameter}}`), `${name}: ${parameter}`)
})

test('every example of a body or an answer fits its schema', () => {
  const fits = (schema: TSchema | undefined, examples: Examples | undefined, name: string): number => {
    for (const [key, [, value]] of Object.entries(examples ?? {}))
      assert.deepEqual([...Errors(schema!, value)], [], `${name} ${key}`)
    return Object.keys(examples ?? {}).length
  }
  let checked = 0
  for (const { operation, name } of operations) {
    checked += fits(operation.body, operation.bodyExamples, name)
    checked += fits(operation.answer, operation.answerExamples, name)
  }
  assert.ok(checked > 25)
})

/** Every rule that a query field can have; a new one does not compile until it is here. */
const rules: Readonly<Record<QueryRule, true>> = {
  choices: true,
  choice: true,
  flag: true,
  text: true,
  id: true,
  amount: true,
  search: true,
  words: true,
  after: true,
  before: true,
  until: true,
  ordering: true,
  page_size: true,
  page: true,
  cursor: true,
  time_cursor: true,
  needed_id: true,
  day: true,
  raw: true,
}

test('every list has one of the two sizes of pages, and every field of a query a known rule', () => {
  const sizes = [numberedPages, cursorPages].map(({ usual, largest }) => `${usual} of ${largest}`)
  let lists = 0
  for (const { operation, name } of operations)
    for (const [parameter, { schema }] of Object.entries(operation.query ?? {})) {
      const { 'x-query': rule, default: usual, maximum } = schema as TSchema & Record<string, unknown>
      if (rule !== undefined) assert.ok(String(rule) in rules, `${name} ${parameter}`)
      if (parameter !== 'page_size') continue
      lists++
      assert.equal(rule, 'page_size', name)
      assert.ok(sizes.includes(`${usual} of ${maximum}`), name)
    }
  assert.ok(lists > 20)
})

/** Fails to compile unless both are the same type. */
const same = <A, B>(..._equal: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : [never]) => {}

describe('the types that come from a call', () => {
  test('PathOf has every id of the path, and only those', () => {
    same<PathOf<typeof retrieveIntent>, { readonly id: string }>()
    same<keyof PathOf<typeof createIntent>, never>()
    // @ts-expect-error an id is missing
    const none: PathOf<typeof showIntent> = {}
    assert.deepEqual(none, {})
  })

  test('QueryOf has values as they are read, with their defaults', () => {
    type Query = QueryOf<typeof listIntents>
    same<Query['status'], readonly IntentStatus[] | undefined>()
    same<Query['created_after'], number | undefined>()
    same<Query['search'], readonly string[]>()
    same<Query['page_size'], number>()
    same<Query['page'], number | 'last'>()
    same<QueryOf<typeof listCheckouts>['ordering'], readonly Ordering<'created_at' | 'amount' | 'status'>[]>()
    same<keyof QueryOf<typeof createIntent>, never>()
  })

  test('SentQuery has every parameter, optional, and no other', () => {
    const sent: SentQuery<typeof listIntents> = { status: ['VERIFIED'], page: 'last', search: '' }
    // @ts-expect-error no status of an intent
    const wrong: SentQuery<typeof listIntents> = { status: 'PAID' }
    // @ts-expect-error no parameter of this call
    const unknown: SentQuery<typeof dashboardCheckouts> = { code: 'K7M2Q9X4TB' }
    assert.equal([sent, wrong, unknown].length, 3)
  })

  test('BodyOf is the body, and undefined where there is none', () => {
    same<BodyOf<typeof createIntent>['wallet'], string>()
    same<BodyOf<typeof retrieveIntent>, undefined>()
    same<Operation['status'], number>()
  })
})
