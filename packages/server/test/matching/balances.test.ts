/** The balance chain of a wallet: repetitions, other SIMs, forgeries, alerts out of order and held alerts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../../src/alerts/alert.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo, sql, create } = service
const story = await queueStory(service)
const { cashier, attach, record, report, accountId } = story

let wallets = 0
/** A new wallet with its own sender and with alerts that contain balances. An alert with `balance` has arrived already. */
const walletWith = async (balance: string) => {
  const sender = `Jaib${++wallets}`
  await sql(
    `update alert_templates set sender_names = sender_names || $2::text where provider_id = $1 and status = 'active'`,
    [shippedProviderId('jaib'), sender],
  )
  const [[id]] = (await sql(
    `insert into wallets (id, account_id, provider_id, device_id, name, account_number, sender_name, sim_slot, created_at,
                          review_broken_chains)
     values (gen_random_uuid(), $1, $2, $3, $4, '770000000', $4, 'SIM1', now(), true) returning id`,
    [accountId, shippedProviderId('jaib'), demo.device.id, sender],
  )) as [[string]]
  clock.advance(2_000)
  let number = wallets * 1000
  const textOf = (amount: string, after: string, reference: string) =>
    `أضيف ${amount}ر.ي مشتريات رص:${after}ر.ي من 1234567 م:${reference}`
  const reportOf = (amount: string, after: string, reference: string, more: Partial<Report> = {}) =>
    report(textOf(amount, after, reference), { sender, ...more })
  const newReference = () => String(30_000_000_000_000 + ++number)
  /** The chain link, the state and the reason of each alert with this reference. */
  const linkOf = async (reference: string) =>
    (
      await sql(
        `select chain || coalesce(' ' || chain_missing, '') || ' ' || state || ' ' || reason from alerts
          where reference = $1 order by id`,
        [reference],
      )
    ).map(([link]) => link!.trim())
  const storedBalance = async () =>
    (await sql('select balance from wallet_balances where wallet_id = $1', [id]))[0]?.[0] ?? null
  const pay = async (amount: string, after: string, more: Partial<Report> = {}, trusted = true) => {
    const reference = newReference()
    const intent = (await create({ wallet: id, amount: `${amount}.00` })).body
    await attach(intent.id, reference)
    await record([reportOf(amount, after, reference, more)], trusted)
    clock.advance(60_000)
    return { reference, intent: intent.id as string, amount }
  }
  await record([reportOf('1', balance, newReference())])
  clock.advance(60_000)
  return { id, sender, reportOf, pay, storedBalance, linkOf, newReference }
}
const statusOf = async (id: string): Promise<string> => (await service.ask('GET', `/intents/${id}/`)).body.status

test('a repeated alert, or a better-proved alert of the same payment, moves the balance once', async () => {
  const { reportOf, storedBalance, linkOf, newReference } = await walletWith('1000')
  const [first, second] = [newReference(), newReference()]
  for (let i = 0; i < 3; i++) {
    await record([reportOf('100', '1100', first)])
    clock.advance(60_000)
  }
  assert.deepEqual(await linkOf(first), [
    'fits waiting no_intent',
    'unknown duplicate same_reference',
    'unknown duplicate same_reference',
  ])
  await record([reportOf('50', '1150', second)], false)
  clock.advance(60_000)
  await record([reportOf('50', '1150', second)])
  assert.deepEqual(await linkOf(second), ['fits duplicate same_reference', 'fits waiting no_intent'])
  assert.equal(await storedBalance(), '115000')
})

test('an alert waits for the previous alert of its wallet, also at the wallet’s first balance', async () => {
  for (const isFirst of [true, false]) {
    const { id, reportOf, storedBalance, linkOf, newReference } = await walletWith('1000')
    if (isFirst) await sql('delete from wallet_balances where wallet_id = $1', [id])
    const [first, second] = [newReference(), newReference()]
    const untilWaiting = async (count: number): Promise<void> => {
      for (;;) {
        const [row] = await sql(
          `select count(*) from pg_locks l join pg_database d on d.oid = l.database
            where d.datname = current_database() and not l.granted`,
        )
        if (Number(row![0]) >= count) return
      }
    }
    const recorded: Promise<unknown>[] = []
    // The first alert is decided, but cannot be stored because of the lock; then the second alert arrives.
    await service.db.transaction(async (tx) => {
      await tx.run({ text: 'lock table alerts in share mode', values: [] })
      recorded.push(record([reportOf('10', '1010', first)]))
      await untilWaiting(1)
      recorded.push(record([reportOf('10', '1020', second)]))
      await untilWaiting(2)
    })
    await Promise.all(recorded)
    assert.deepEqual(
      [...(await linkOf(first)), ...(await linkOf(second))],
      [isFirst ? 'unknown waiting no_intent' : 'fits waiting no_intent', 'fits waiting no_intent'],
    )
    assert.equal(await storedBalance(), '102000')
  }
})

test('alerts of another SIM are not part of the balance chain', async () => {
  const { reportOf, pay, storedBalance, linkOf, newReference } = await walletWith('1000')
  const other = newReference()
  await record([reportOf('5', '77777', other, { simSlot: 'SIM2' })])
  assert.deepEqual(await linkOf(other), ['unknown review other_sim'])
  const { intent } = await pay('100', '1100')
  assert.equal(await statusOf(intent), 'VERIFIED')
  assert.equal(await storedBalance(), '110000')
})

test('two forged alerts that agree with each other verify nothing, and genuine alerts verify as before', async () => {
  const { pay, storedBalance, linkOf } = await walletWith('1000')
  const first = await pay('500', '90500')
  const second = await pay('600', '91100')
  assert.deepEqual(await linkOf(first.reference), ['break 8900000 review broken_chain'])
  assert.deepEqual(await linkOf(second.reference), ['fits 8900000 review broken_chain'])
  const third = await pay('100', '1100')
  assert.deepEqual(await Promise.all([first, second, third].map(({ intent }) => statusOf(intent))), [
    'PENDING',
    'PENDING',
    'VERIFIED',
  ])
  assert.equal(await storedBalance(), '110000')
})

test('after a missed alert, booking one of the later alerts decides which balance is correct', async () => {
  const { pay, storedBalance } = await walletWith('1000')
  const [first, second] = [await pay('100', '1050'), await pay('100', '1150')]
  const [[alertId]] = (await sql('select id from alerts where reference = $1', [first.reference])) as [[string]]
  const amounts = { alert_amount: '100.00', intent_amount: '100.00' }
  const booked = await cashier.ask('POST', `/unmatched/${alertId}/book/`, {
    body: { intent: first.intent, ...amounts },
  })
  assert.equal(booked.status, 200, booked.text)
  assert.equal(await storedBalance(), '115000')
  assert.equal(await statusOf(second.intent), 'PENDING')
  const third = await pay('100', '1250')
  assert.equal(await statusOf(third.intent), 'VERIFIED')
})

test('alerts of one request count in the order they were sent; of two requests the second closes the gap of the first', async () => {
  const { reportOf, pay, storedBalance, linkOf, newReference } = await walletWith('1000')
  const [a, b, c, d] = [newReference(), newReference(), newReference(), newReference()]
  const at = clock.now()
  await record([reportOf('20', '1120', b, { sentAt: at - 1000 }), reportOf('100', '1100', a, { sentAt: at - 5000 })])
  assert.deepEqual([await linkOf(a), await linkOf(b)], [['fits waiting no_intent'], ['fits waiting no_intent']])
  clock.advance(60_000)
  await record([reportOf('7', '1157', d)])
  clock.advance(1_000)
  await record([reportOf('30', '1150', c)])
  assert.deepEqual([await linkOf(c), await linkOf(d)], [['fits waiting no_intent'], ['break 3000 waiting no_intent']])
  assert.equal(await storedBalance(), '115700')
  const { intent } = await pay('3', '1160')
  assert.equal(await statusOf(intent), 'VERIFIED')
})

test('alerts that were held while the phone was off have moved the balance: the next payment continues the chain', async () => {
  const { reportOf, pay, storedBalance, linkOf, newReference } = await walletWith('1000')
  const held = newReference()
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  await record([reportOf('100', '1100', held)])
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
  clock.advance(60_000)
  assert.deepEqual(await linkOf(held), ['fits held device_off'])
  const { intent } = await pay('50', '1150')
  assert.equal(await statusOf(intent), 'VERIFIED')
  // The release does not move the balance a second time.
  const [[id]] = (await sql('select id from alerts where reference = $1', [held])) as [[string]]
  assert.equal((await cashier.ask('POST', `/unmatched/${id}/release/`)).body.state, 'waiting')
  assert.deepEqual(await linkOf(held), ['fits waiting no_intent'])
  assert.equal(await storedBalance(), '115000')
})
