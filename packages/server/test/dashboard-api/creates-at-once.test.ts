/**
 * Limits of how many phones, keys, providers, links and endpoints an account may have are exact: whoever adds one locks the
 * account first, so that two requests at once cannot both add the last one that is allowed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const { db, sql } = service
const members = await createMembers(service)

const creates: readonly (readonly [path: string, body: unknown])[] = [
  ['/phones/', { name: 'Counter' }],
  ['/keys/', { name: 'Shop' }],
  ['/providers/', { name: 'Corner bank', sender_name: 'CornerBank' }],
  ['/payment-links/', { amount: '500.00', description: 'Tea' }],
  ['/webhooks/', { url: 'http://127.0.0.1:9/' }],
]

const waitsForLock = async (): Promise<boolean> =>
  (
    await sql(
      `select count(*) > 0 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  )[0]![0] === 't'

for (const [path, body] of creates)
  test(`POST ${path} waits while the account is locked, and then succeeds`, async () => {
    const mayEnd = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const holder = db.transaction(async (tx) => {
      await tx.run({ text: 'select 1 from accounts where id = $1 for no key update', values: [members.accountId] })
      isLocked.resolve()
      await mayEnd.promise
    })
    await isLocked.promise
    const created = members.owner.ask('POST', path, { body })
    const first = await Promise.race([created, waitUntil(waitsForLock)])
    assert.equal(first, 'waits', JSON.stringify(first))
    mayEnd.resolve()
    await holder
    const { status, text } = await created
    assert.equal(status, 201, text)
  })

const waitUntil = async (check: () => Promise<boolean>): Promise<'waits'> => {
  while (!(await check())) await new Promise((done) => setTimeout(done, 5))
  return 'waits'
}
