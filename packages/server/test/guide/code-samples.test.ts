/**
 * Runs the samples of the API reference unchanged, in their order: the curl commands in a shell, and the SDK programs as one
 * module for each API. The `sanad` commands are not run.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { checkoutOperations } from '@sanad/contract/checkout/operations'
import { CallFeed, EventFeed, TriggeredEvent } from '@sanad/contract/developer'
import * as shown from '@sanad/contract/developer/examples'
import { developerOperations } from '@sanad/contract/developer/operations'
import { merchantOperations } from '@sanad/contract/merchant/operations'
import type { Operation } from '@sanad/contract/operation'
import { Errors } from 'typebox/value'
import { openTestService } from '../support/story.ts'

const service = await openTestService()
const { demo } = service
const run = promisify(execFile)
const all: readonly Operation[] = [...merchantOperations, ...checkoutOperations, ...developerOperations]
const sourceOf = (call: string, label: string): string =>
  all.find(({ id }) => id === call)!.samples!.find((sample) => sample.label === label)!.source

const env = {
  PATH: process.env.PATH ?? '',
  SANAD_URL: service.origin,
  SANAD_CLIENT_ID: demo.client_id,
  SANAD_CLIENT_SECRET: demo.client_secret,
}

const variables: Record<string, string> = {
  BASE_URL: service.base,
  CHECKOUT_URL: `${service.origin}/api/v1/checkout`,
  DEVELOPER_URL: `${service.origin}/api/v1/developer`,
  KEY: randomUUID(),
  WALLET: demo.wallets.main,
  TOKEN: service.token,
}

/** Runs the curl command of a call and returns its answer. */
const answerTo = async (call: string) => {
  const command = ['-euo', 'pipefail', '-c', sourceOf(call, 'curl')]
  const { stdout } = await run('bash', command, { env: { ...env, ...variables } })
  const answer = JSON.parse(stdout)
  assert.equal(answer.errors, undefined, `${call}: ${stdout}`)
  return answer
}

/** Runs the programs of these calls as one module and returns the lines that it prints. */
const printed = async (calls: readonly string[], last: string): Promise<string[]> => {
  const program = ['createToken', ...calls].map((call) => sourceOf(call, '@sanad/sdk')).join('\n')
  // In this folder the program imports the SDK by its name, as a merchant's program does.
  const cwd = join(import.meta.dirname, '../../../sdk')
  const args = ['--input-type=module', '--eval', `${program}\n${last}`]
  return (await run(process.execPath, args, { cwd, env })).stdout.trim().split('\n')
}

test('the curl samples of the merchant API work, from the token to the reference', async () => {
  variables.TOKEN = (await answerTo('createToken')).access_token
  assert.ok((await answerTo('listWallets')).some((wallet: { is_test: boolean }) => wallet.is_test))
  const intent = await answerTo('createIntent')
  variables.INTENT = intent.id
  assert.equal(intent.external_order_id, 'ORDER-1042')
  assert.equal((await answerTo('attachReference')).reference, '220700001234')
  assert.equal((await answerTo('retrieveIntent')).id, intent.id)
  assert.equal((await answerTo('listIntents')).count, 0)
})

test('the SDK samples of the merchant API work as one program', async () => {
  // The reference is taken by the intent of the curl commands until that expires.
  service.clock.advance(3_600_000)
  const calls = ['listWallets', 'createIntent', 'retrieveIntent', 'attachReference', 'listIntents']
  assert.deepEqual(await printed(calls, 'console.log(status, paid_amount)'), [
    'ORDER-1042 EXPIRED',
    'ORDER-1042 PENDING',
    'PENDING null',
  ])
})

test('the curl samples of checkouts and payment links work', async () => {
  const checkout = await answerTo('createCheckout')
  variables.CHECKOUT = checkout.id
  assert.match(checkout.url, /\/pay\//)
  assert.equal((await answerTo('listCheckouts')).count, 1)
  assert.equal((await answerTo('retrieveCheckout')).status, 'OPEN')
  assert.equal((await answerTo('cancelCheckout')).status, 'CANCELLED')
  const link = await answerTo('createLink')
  variables.LINK = link.id
  assert.equal((await answerTo('listLinks')).count, 1)
  assert.equal((await answerTo('retrieveLink')).active, true)
  assert.equal((await answerTo('changeLink')).active, false)
})

test('the SDK samples of checkouts and payment links work as one program', async () => {
  const lines = await printed(
    checkoutOperations.map(({ id }) => id),
    'console.log(status, paid, cancelled.status, active, off.active)',
  )
  assert.match(lines[0]!, /\/pay\//)
  assert.deepEqual(lines.slice(1), [
    'ORDER-1042 OPEN',
    'Delivery true',
    'Delivery false',
    'OPEN 0.00 CANCELLED true false',
  ])
})

test('the curl samples of the developer API work, and answers and examples fit their schemas', async () => {
  const triggered = await answerTo('triggerEvent')
  assert.equal(triggered.event, 'payment.verified')
  const events = await answerTo('listEvents')
  assert.ok(events.results.some(({ id }: { id: string }) => id === triggered.id))
  for (const [schema, ...answers] of [
    [TriggeredEvent, triggered, shown.triggered],
    [EventFeed, events, shown.events],
    [CallFeed, await answerTo('listCalls'), shown.calls],
  ] as const)
    for (const answer of answers) assert.deepEqual([...Errors(schema, answer)], [])
})

test('every call has a curl sample, and one with the SDK or a command', () => {
  for (const { id, samples = [] } of all)
    assert.match(samples.map(({ label }) => label).join(' '), /^curl (@sanad\/sdk|sanad)$/, id)
})
