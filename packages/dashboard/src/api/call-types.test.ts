/** What does not compile: a call without an id of its path, with an unknown parameter, or with a value that it does not have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Argument, CallInput, CallQuery } from './call.ts'

test('a call without an id of its path does not compile', () => {
  const right: CallInput<'showIntent'> = { path: { id: 'an id' } }
  // @ts-expect-error no path
  const none: CallInput<'showIntent'> = {}
  // @ts-expect-error another name
  const other: CallInput<'showIntent'> = { path: { intent: 'an id' } }
  // @ts-expect-error the input is left out
  const leftOut: Argument<CallInput<'showIntent'>> = []
  // @ts-expect-error a path without ids
  const unexpected: CallInput<'listWallets'> = { path: { id: 'an id' } }
  const nothing: Argument<CallInput<'listWallets'>> = []
  assert.ok([right, none, other, leftOut, unexpected, nothing].length === 6)
})

test('an unknown parameter, and an unknown value of a known one, do not compile', () => {
  const right: CallQuery<'listIntents'> = { status: ['PENDING', 'EXPIRED'], page: 1, search: '' }
  // @ts-expect-error no parameter of this call
  const unknown: CallQuery<'listIntents'> = { state: 'PENDING' }
  // @ts-expect-error no status of an intent
  const wrong: CallQuery<'listIntents'> = { status: 'PAID' }
  // @ts-expect-error a call without parameters
  const none: CallQuery<'showMe'> = { page: 1 }
  assert.ok([right, unknown, wrong, none].length === 4)
})
