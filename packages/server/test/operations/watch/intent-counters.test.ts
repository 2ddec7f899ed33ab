/**
 * The counter of what becomes of intents: whichever way an intent is created or ended, it is counted once, by the node that did it, and
 * only if it was committed. The database is the witness.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { changesAnIntent, intentChanges } from '../../../src/intents/intent-changes.ts'
import { countCommitted } from '../../../src/postgres/connection/count-committed.ts'
import { allStatements } from '../../../src/postgres/query/statement.ts'
import { phone } from '../../support/phone.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { askAt, openTestService } from '../../support/story.ts'
import { createMembers } from '../../support/users.ts'

const src = join(import.meta.dirname, '../../../src')
for (const file of globSync('**/*-sql.ts', { cwd: src })) await import(join(src, file))

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { ask, clock, create, demo, origin, sql } = service
const { cashier } = await createMembers(service)
const second = await service.startNode()

test('every statement that creates an intent or changes the status of one is counted', () => {
  const changing = allStatements
    .filter(({ sql: text }) => /insert into intents\b|update intents i\s+set status\b/.test(text))
    .map(({ statementName }) => statementName)
  assert.ok(changing.length >= 8, changing.join())
  assert.deepEqual(
    changing.filter((name) => !changesAnIntent(name)),
    [],
  )
})

const countersOf = (text: string): number[] =>
  intentChanges.map((change) =>
    Number(new RegExp(`^sanad_intents_total\\{change="${change}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN),
  )
/** Of both nodes together. */
const counted = async (): Promise<number[]> => {
  const [one, two] = [await service.figures(), (await second.service.operatorsApp.inject('/metrics')).body].map(
    countersOf,
  )
  return one!.map((value, i) => value + two![i]!)
}
const stored = async (): Promise<number[]> => {
  const [row] = await sql(
    `select (select count(*) from intents), ${intentChanges
      .slice(1)
      .map((change) => `(select count(*) from intent_moves where kind = '${change}')`)
      .join(', ')}`,
  )
  return row!.map(Number)
}

test('intents of every path are counted once each, by whichever node: created, verified, wrong amount, expired, cancelled', async () => {
  const before = { stored: await stored(), counted: await counted() }
  assert.deepEqual(before.counted, [0, 0, 0, 0, 0])
  // Many at once share a statement; half of them go to the second node. A repeated key creates none.
  const key = randomUUID()
  const body = { wallet: demo.wallets.main, amount: '700.00' }
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      askAt(`${i % 2 === 0 ? origin : second.origin}/api/v1/merchant/intents/`, 'POST', {
        token: service.token,
        body,
        headers: i < 4 ? { 'idempotency-key': key } : {},
      }),
    ),
  )
  const reporter = phone(origin, clock.now, demo.device)
  const pay = async (amount: string, paid: string, reference: string): Promise<string> => {
    const intent = (await create({ amount })).body
    await ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
    const text = purchaseText(paid, reference, 'علي صالح المثال')
    const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' }
    const report = { ...alert, received_at: new Date(clock.now()).toISOString() }
    for (let i = 0; i < 2; i++) assert.equal((await reporter.alerts([report])).status, 200)
    return (await ask('GET', `/intents/${intent.id}/`)).body.status
  }
  assert.equal(await pay('1500.00', '1500', '220700055601'), 'VERIFIED')
  assert.equal(await pay('1600.00', '900', '220700055602'), 'WRONG_AMOUNT')
  const cancelled = (await create()).body.id
  for (let i = 0; i < 2; i++) await cashier.ask('POST', `/intents/${cancelled}/cancel/`)
  // One that is cancelled in a transaction that fails is not counted: the intent of another account is not found.
  await cashier.ask('POST', `/intents/${randomUUID()}/cancel/`)
  clock.advance(3_700_000)
  second.service.work()
  for (;;) {
    const [open] = (await sql(`select count(*) from intents where status = 'PENDING'`))[0]!
    if (open === '0') break
    await new Promise((done) => setTimeout(done, 50))
  }
  const now = await stored()
  const grown = now.map((value, i) => value - before.stored[i]!)
  assert.deepEqual(grown.slice(1, 3), [1, 1])
  assert.ok(grown[3]! >= 17 && grown[4] === 1, grown.join())
  // The loop counts after its commit, which is seen here first.
  for (let tries = 0; tries < 200 && (await counted())[3] !== grown[3]; tries++)
    await new Promise((done) => setTimeout(done, 50))
  assert.deepEqual(await counted(), grown)
})

test('a statement is not counted if its transaction fails, or if it is undone to a savepoint', async () => {
  const names: string[] = []
  const db = countCommitted(
    service.db as never,
    (name) => name.startsWith('t_'),
    ({ query }) => names.push(query.name!),
  )
  const one = (name: string) => ({ name, text: 'select 1', values: [] })
  const fails = { name: 't_fails', text: `select 'x'::int`, values: [] }
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.run(one('t_lost'))
      throw new Error('ends it')
    }),
  )
  await assert.rejects(db.run(fails))
  await db.transaction(async (tx) => {
    await tx.run(one('t_kept'))
    await assert.rejects(
      tx.attempt(async () => {
        await tx.run(one('t_undone'))
        await tx.run(fails)
      }),
    )
    tx.atEnd(one('t_end'))
    await tx.run({ ...one('other'), name: 'other' })
  })
  await db.run(one('t_alone'))
  await db.pipelined().run(one('t_piped'))
  assert.deepEqual(names, ['t_kept', 't_end', 't_alone', 't_piped'])
})
