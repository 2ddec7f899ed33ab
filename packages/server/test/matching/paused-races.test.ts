/** Races whose order is fixed: a transaction is paused while another one waits for a row or a lock of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertId, timeOrderedId } from '../../src/core/ids.ts'
import { referenceKey } from '../../src/core/reference-key.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { doubtCredits, lockCredits } from '../../src/matching/resolve/amounts-sql.ts'
import { attach as attachAll } from '../../src/matching/resolve/attach-references.ts'
import type { Tx } from '../../src/postgres/connection/database.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'

const story = await openAttacks()
const { accountId, alerts, attach, book, clock, db, manager, newShop, ok, order, reference, sql, statusOf } = story
const zone = zoneOf('Asia/Aden')

/** A transaction that does `work`, and then waits until `end` is called. */
const paused = async (work: (tx: Tx) => Promise<unknown>) => {
  const working = Promise.withResolvers<unknown>()
  const resume = Promise.withResolvers<void>()
  let held: Tx | undefined
  const done = db.transaction(async (tx) => {
    held = tx
    working.resolve(await work(tx))
    await resume.promise
  })
  done.catch(working.reject)
  await working.promise
  const end = (): Promise<void> => {
    resume.resolve()
    return done
  }
  return { tx: held!, end }
}

/** Waits until this many statements of the service wait for a lock. */
const untilWaiting = async (count = 1): Promise<void> => {
  for (let tries = 0; tries < 400; tries++) {
    const [row] = await sql(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (Number(row![0]) >= count) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail(`no ${count} statements wait for a lock`)
}

test('a booking that marks a WRONG_AMOUNT credit while its reference is attached: the reference verifies nothing', async () => {
  const shop = await newShop()
  await shop.sms(transferText('2500', '3510.00', '770000123'))
  const [plain] = await alerts('wallet_id = $1', [shop.wallet])
  const number = reference()
  const wrong = await order(shop.wallet, '9000.00')
  await attach(wrong.id, number)
  await shop.sms(purchaseText('2500', number, 'علي صالح المثال'))
  assert.equal(await statusOf(wrong.id), 'WRONG_AMOUNT')
  const [credit] = await alerts('wallet_id = $1 and reference_key is not null', [shop.wallet])
  const [first, second] = [await order(shop.wallet, '2500.00'), await order(shop.wallet, '2500.00')]
  // What a booking does that did not know the credit when it took its locks: it has no lock of the reference.
  const booking = await paused(async (tx) => {
    await lockCredits(tx, wholeAccount(accountId), [credit!.id as AlertId])
    await doubtCredits(tx, wholeAccount(accountId), [credit!.id as AlertId], plain!.id as AlertId)
  })
  const attaching = attach(second.id, number)
  await untilWaiting()
  await booking.end()
  assert.equal((await attaching).status, 200)
  assert.equal(await statusOf(second.id), 'PENDING')
  const amounts = { alert_amount: '2500.00', intent_amount: '2500.00' }
  ok(await book(plain!.id, first.id, amounts))
  assert.deepEqual([await statusOf(first.id), await statusOf(second.id)], ['VERIFIED', 'PENDING'])
  await assertMoneyInvariants(sql)
})

test('references are attached in the order of the intents, so that two transactions cannot wait for each other', async () => {
  const shop = await newShop()
  const intents = [await order(shop.wallet, '2500.00'), await order(shop.wallet, '2500.00')]
  const [low, high] = intents.map(({ id }) => id).toSorted() as [string, string]
  const lockRow = (tx: Tx, id: string, wait = '') =>
    tx.run({
      text: `select id from intents where account_id = $1 and id = $2 for update ${wait}`,
      values: [accountId, id],
    })
  const holding = await paused((tx) => lockRow(tx, low))
  const now = clock.now()
  const attaching = db.transaction((tx) =>
    attachAll(
      tx,
      [high, low].map((id, i) => {
        const number = reference()
        return {
          accountId,
          id,
          reference: number,
          referenceKey: referenceKey(number),
          entryId: timeOrderedId<string>(now + i),
          by: 'test',
          now,
        }
      }),
      zone,
    ),
  )
  await untilWaiting()
  await db.transaction((tx) => lockRow(tx, high, 'nowait'))
  await holding.end()
  const attached = await attaching
  assert.deepEqual(
    attached.map((intent) => (typeof intent === 'object' ? (intent.id as string) : intent)),
    [high, low],
  )
})

test('a member moves a reference although the first try ends in a deadlock', async () => {
  const shop = await newShop()
  const number = reference()
  const lockRow = (tx: Tx, id: string) =>
    tx.run({ text: 'select id from intents where account_id = $1 and id = $2 for update', values: [accountId, id] })
  /** Moves the reference beside a transaction that wants the same rows. False if PostgreSQL ended that transaction instead. */
  const moveInDeadlock = async (holder: string, claimer: string): Promise<boolean> => {
    assert.equal((await attach(claimer, number)).status, 400)
    const [low, high] = [holder, claimer].toSorted() as [string, string]
    const other = await paused((tx) => lockRow(tx, high))
    const taking = manager.ask('POST', `/intents/${claimer}/take-reference/`, {
      body: { reference: number, from: holder },
    })
    await untilWaiting()
    // PostgreSQL ends the transaction whose wait reaches a second first. On a busy machine it can be this one.
    const isMemberEnded = await lockRow(other.tx, low).then(
      () => true,
      (fault: { code?: string }) => {
        assert.equal(fault.code, '40P01')
        return false
      },
    )
    await other.end().catch((fault) => assert.ok(!isMemberEnded, fault))
    const answer = await taking
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await story.ask('GET', `/intents/${claimer}/`)).body.reference, number)
    return isMemberEnded
  }
  let [holder, claimer] = [(await order(shop.wallet, '2500.00')).id, (await order(shop.wallet, '2500.00')).id]
  ok(await attach(holder, number))
  let tries = 0
  while (!(await moveInDeadlock(holder, claimer))) {
    assert.ok(++tries < 10, 'PostgreSQL never ended the transaction of the member')
    ;[holder, claimer] = [claimer, holder]
  }
})
