/** Unique amounts over HTTP: which amount a new intent gets, after any history and with any number of simultaneous requests. */
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import type { AccountId } from '../../src/core/ids.ts'
import { formatMinor, minor } from '../../src/core/money.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { insertUniqueIntents, type NewIntent } from '../../src/intents/create/create-intents-sql.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { newIntent } from '../../src/intents/intent.ts'
import { OpenAmounts } from '../../src/intents/payable/open-amounts.ts'
import {
  LONGEST_REST,
  REST_PAID_MS,
  REST_UNPAID_MS,
  RESTS,
  type Rest,
  uniqueAmounts,
} from '../../src/intents/payable/unique-amounts.ts'
import { faultCode } from '../../src/postgres/connection/database.ts'
import { walletLookup } from '../../src/views/wallets/find-wallet.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { runs } from '../support/runs.ts'
import { transferText } from '../support/sms-texts.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'

const zone = zoneOf('Asia/Aden')
const service = await openTestService({ SANAD_LIMITS: 'off' })
const { create, clock, demo, sql, ask } = service
const { owner, manager, cashier, record, report } = await queueStory(service)
const { main } = demo.wallets
const window_ms = 3_600_000

const set = (unique_amounts: string, unique_amounts_most = 99, wallet = main) =>
  owner.ask('PUT', `/wallets/${wallet}/unique-amounts/`, { body: { unique_amounts, unique_amounts_most } })

/**
 * A test that starts with unique amounts switched on and without open intents, because an amount near an open one would be
 * skipped. Not a hook: other files in the same process would share it.
 */
const testOn = (title: string, run: () => Promise<void>): void => {
  test(title, async () => {
    assert.equal((await set('more')).status, 200)
    await passTime(window_ms)
    await run()
  })
}

/** Every test uses its own order amounts, far from those of other tests. */
let used = 100_000
const newAmount = (): string => {
  used += 1_000
  return `${used}.00`
}
const plus = (amount: string, units: number): string => `${Number.parseInt(amount, 10) + units}.00`
const payableOf = async (amount: string): Promise<string> => (await create({ amount })).body.payable_amount

let balance = 0
const pay = async (amount: string, trusted = true): Promise<void> => {
  balance += Number(amount)
  await record([report(transferText(amount, balance.toFixed(2)))], trusted)
}
const statusOf = async (id: string): Promise<string> => (await ask('GET', `/intents/${id}/`)).body.status
const cancel = (id: string) => cashier.ask('POST', `/intents/${id}/cancel/`)
const passTime = async (time_ms: number): Promise<void> => {
  clock.advance(time_ms)
  while ((await expireIntents(service.db, 500, clock.now(), zone)) === 500);
}

testOn('an intent gets the smallest free addition, and its base amount stays that of the order', async () => {
  const amount = newAmount()
  const first = await create({ items: [{ name: 'A', price: amount }], external_order_id: 'unique' })
  assert.equal(first.status, 201)
  assert.equal(first.body.base_amount, amount)
  assert.equal(first.body.payable_amount, plus(amount, 1))
  assert.equal(first.body.items[0].total_price, amount)
  assert.deepEqual((await ask('GET', `/intents/${first.body.id}/`)).body, first.body)
  assert.equal(await payableOf(amount), plus(amount, 2))
  // For another order amount, reserved amounts are skipped.
  assert.equal(await payableOf(plus(amount, 1)), plus(amount, 3))
  const shown = (await owner.ask('GET', `/intents/${first.body.id}/`)).body
  assert.equal(shown.amount_unique, true)
  assert.deepEqual(shown.why.at(-1), { code: 'amount_awaited', facts: { amount: plus(amount, 1), currency: 'YER' } })
  assert.equal(shown.timeline[0].facts.base, amount)
  const ordered = (await ask('GET', '/intents/?ordering=-payable_amount&page_size=3')).body.results
  assert.deepEqual(
    ordered.map(({ payable_amount }: { payable_amount: string }) => payable_amount),
    [3, 2, 1].map((units) => plus(amount, units)),
  )
})

testOn('a unique amount is never a multiple of 10, and with "less" it is below the order amount', async () => {
  const amount = newAmount()
  assert.equal(await payableOf(plus(amount, 49)), plus(amount, 51))
  assert.equal(await payableOf(plus(amount, 9)), plus(amount, 11))
  await set('less', 5)
  assert.equal(await payableOf(amount), plus(amount, -1))
})

testOn('an amount rests for 24 hours after its intent was cancelled or has expired', async () => {
  const [cancelled, expired] = [newAmount(), newAmount()]
  await set('more', 3)
  const first = (await create({ amount: cancelled })).body
  await create({ amount: expired })
  await cancel(first.id)
  assert.equal(await payableOf(cancelled), plus(cancelled, 2))
  await passTime(REST_UNPAID_MS - 1)
  assert.equal(await payableOf(cancelled), plus(cancelled, 3))
  await passTime(1)
  assert.equal(await payableOf(cancelled), plus(cancelled, 1))
  await set('more', 2)
  await passTime(window_ms - 1)
  assert.equal(await payableOf(expired), plus(expired, 2))
  await passTime(1)
  assert.equal(await payableOf(expired), plus(expired, 1))
  await assertMoneyInvariants(sql)
})

testOn('an amount rests for 6 hours after it was paid', async () => {
  const amount = newAmount()
  await set('more', 2)
  const { id } = (await create({ amount })).body
  await pay(plus(amount, 1))
  assert.equal(await statusOf(id), 'VERIFIED')
  await passTime(REST_PAID_MS - 1)
  assert.equal(await payableOf(amount), plus(amount, 2))
  await passTime(1)
  assert.equal(await payableOf(amount), plus(amount, 1))
})

testOn('an amount that has rested long is preferred to a smaller amount that has rested for a short time', async () => {
  const amount = newAmount()
  const { id } = (await create({ amount })).body
  await pay(plus(amount, 1))
  assert.equal(await statusOf(id), 'VERIFIED')
  await passTime(REST_PAID_MS)
  const second = (await create({ amount })).body
  assert.equal(second.payable_amount, plus(amount, 2))
  await passTime(LONGEST_REST.paid_ms - REST_PAID_MS - 1)
  assert.equal(await payableOf(amount), plus(amount, 3))
  await passTime(1)
  assert.equal(await payableOf(amount), plus(amount, 1))
  await assertMoneyInvariants(sql)
})

testOn(
  'while several intents are open, the remainder after a round partial payment is the amount of no other intent',
  async () => {
    const amount = newAmount()
    assert.equal(await payableOf(amount), plus(amount, 1))
    for (let n = 0; n < 4; n++) await payableOf(newAmount())
    // If a buyer pays a round part first, the remainder ends with 01, and so do the amounts of all five open intents.
    const other = newAmount()
    assert.equal(await payableOf(other), plus(other, 2))
    // The first order amount again: 01 is reserved, and 02 could be a remainder of the other intent. Intents with the same
    // order amount are never near each other.
    assert.equal(await payableOf(amount), plus(amount, 3))
    assert.equal(await payableOf(amount), plus(amount, 4))
    await passTime(window_ms)
    assert.equal(await payableOf(newAmount()), plus(`${used}.00`, 1))
  },
)

testOn('the amount of an open intent without a unique amount is not given to another intent either', async () => {
  const amount = newAmount()
  await set('off')
  const plain = (await create({ amount: plus(amount, 1) })).body
  assert.equal(plain.payable_amount, plain.base_amount)
  await set('more')
  assert.equal(await payableOf(amount), plus(amount, 2))
})

testOn('if no amount is free, the intent has the order’s own amount, and only a reference verifies it', async () => {
  const amount = newAmount()
  await set('more', 2)
  assert.equal(await payableOf(amount), plus(amount, 1))
  assert.equal(await payableOf(amount), plus(amount, 2))
  const last = (await create({ amount })).body
  assert.equal(last.payable_amount, amount)
  const shown = (await owner.ask('GET', `/intents/${last.id}/`)).body
  assert.equal(shown.amount_unique, false)
  assert.deepEqual(shown.why.at(-1), { code: 'amount_not_unique', facts: {} })
  await pay(amount)
  assert.equal(await statusOf(last.id), 'PENDING')
})

testOn('a repeated idempotency key gets the same amount, and no second amount is reserved', async () => {
  const amount = newAmount()
  const key = { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }
  const all = await Promise.all(Array.from({ length: 5 }, () => create({ amount }, key)))
  assert.deepEqual(new Set(all.map(({ status, text }) => `${status} ${text}`)).size, 1)
  assert.equal(all[0]!.body.payable_amount, plus(amount, 1))
  await cancel(all[0]!.body.id)
  assert.equal((await create({ amount }, key)).text, all[0]!.text)
  assert.equal(await payableOf(amount), plus(amount, 2))
})

testOn('with a quota the amounts are unique too, and a refused create reserves none', async () => {
  const amount = newAmount()
  const [[accountId]] = (await sql('select account_id from wallets where id = $1', [main])) as [[string]]
  const [[count]] = (await sql('select count(*) from intents where account_id = $1', [accountId])) as [[string]]
  await sql('update accounts set monthly_intent_quota = $2 where id = $1', [accountId, Number(count) + 1_000])
  await passTime(3_000)
  assert.deepEqual(
    (await Promise.all([payableOf(amount), payableOf(amount), payableOf(amount)])).sort(),
    [1, 2, 3].map((units) => plus(amount, units)),
  )
  await sql('update accounts set monthly_intent_quota = 0 where id = $1', [accountId])
  await passTime(3_000)
  assert.equal((await create({ amount })).body.errors[0].code, 'quota_exceeded')
  await sql('update accounts set monthly_intent_quota = null where id = $1', [accountId])
  await passTime(3_000)
  assert.equal(await payableOf(amount), plus(amount, 4))
})

testOn('an intent that a member creates has a unique amount, and the audit log has the amount', async () => {
  const amount = newAmount()
  const created = await cashier.ask('POST', '/intents/', { body: { wallet: main, amount } })
  assert.equal(created.status, 201)
  assert.equal(created.body.payable_amount, plus(amount, 1))
  const [[after]] = (await sql('select after from audit_log where object_id = $1', [created.body.id])) as [[string]]
  assert.equal(JSON.parse(after).payable_amount, plus(amount, 1))
})

testOn('only an owner changes the setting; a change is in the audit log; bad values change nothing', async () => {
  const path = `/wallets/${main}/unique-amounts/`
  for (const member of [manager, cashier])
    assert.equal((await member.ask('PUT', path, { body: { unique_amounts: 'off' } })).status, 403)
  for (const body of [
    {},
    { unique_amounts: 'sideways' },
    { unique_amounts: 'more', unique_amounts_most: 0 },
    { unique_amounts: 'more', unique_amounts_most: 100 },
    { unique_amounts: 'more', unique_amounts_most: 1.5 },
  ])
    assert.equal((await owner.ask('PUT', path, { body })).status, 400)
  const shown = (await owner.ask('GET', `/wallets/${main}/`)).body
  assert.equal(`${shown.unique_amounts} ${shown.unique_amounts_most}`, 'more 99')
  assert.equal((await set('less', 7)).body.unique_amounts_most, 7)
  const [[before, after]] = (await sql(
    `select before, after from audit_log where object_id = $1 and action = 'wallet.update' order by id desc limit 1`,
    [main],
  )) as [[string, string]]
  assert.equal(JSON.parse(before).unique_amounts_most, 99)
  assert.equal(JSON.parse(after).unique_amounts, 'less')
})

testOn('the figures of a wallet say how many payments had no reference, and suggest unique amounts', async () => {
  await set('off')
  const facts = (await manager.ask('GET', `/wallets/${main}/unique-amounts/`)).body
  assert.ok(facts.credits >= facts.without_reference && facts.without_reference > 0)
  assert.ok(facts.templates > facts.templates_without_reference && facts.templates_without_reference > 0)
  assert.equal(facts.days, 30)
  assert.equal(facts.suggested, facts.credits < 5 || facts.without_reference * 2 >= facts.credits)
  await set('more')
  assert.equal((await manager.ask('GET', `/wallets/${main}/unique-amounts/`)).body.suggested, false)
})

testOn('very many simultaneous creates of one order amount, over two nodes: no amount is given twice', async () => {
  const amount = newAmount()
  const second = await service.startNode()
  const count = runs(1_000, 200)
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      askAt(`${[service.origin, second.origin][i % 2]}/api/v1/merchant/intents/`, 'POST', {
        token: service.token,
        body: { wallet: main, amount },
      }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }: Answer) => status))], [201])
  const amounts = answers.map(({ body }) => body.payable_amount as string)
  const unique = amounts.filter((payable) => payable !== amount)
  const candidates = uniqueAmounts(minor(BigInt(amount.replace('.', ''))), { direction: 'more', most: 99 })
  assert.deepEqual(unique.sort(), candidates.map(formatMinor).sort())
  assert.equal(amounts.length - unique.length, count - candidates.length)
  await assertMoneyInvariants(sql)
  await second.close()
})

testOn('cancelling and creating at once on two nodes: no intent gets an amount that rests', async () => {
  const amount = newAmount()
  const second = await service.startNode()
  const first = await Promise.all(Array.from({ length: 10 }, () => create({ amount })))
  const [, ...again] = await Promise.all([
    Promise.all(first.map(({ body }) => cancel(body.id))),
    ...Array.from({ length: 10 }, () =>
      askAt(`${second.origin}/api/v1/merchant/intents/`, 'POST', {
        token: service.token,
        body: { wallet: main, amount },
      }),
    ),
  ])
  const amounts = [...first, ...again].map(({ body }) => body.payable_amount)
  assert.equal(new Set(amounts).size, 20)
  assert.ok(!amounts.includes(amount))
  await second.close()
  await assertMoneyInvariants(sql)
})

testOn('the statement itself refuses an amount that another intent has, and writes nothing', async () => {
  const amount = newAmount()
  await create({ amount })
  const [[accountId]] = (await sql('select account_id from wallets where id = $1', [main])) as [[AccountId]]
  const now = clock.now()
  const wallet = (await walletLookup(service.db).get(wholeAccount(accountId), main, now))!
  const base = minor(BigInt(amount.replace('.', '')))
  const draftIntent = (payable: bigint): NewIntent => {
    const draft = {
      walletId: wallet.id,
      total: base,
      currency: 'YER',
      externalOrderId: 'statement',
      notes: '',
      items: '[]',
    }
    const intent = { ...newIntent(accountId, draft, window_ms, now), payable: minor(payable) }
    return { intent, wallet, createdBy: 'test', idempotency: undefined }
  }
  const withTaken = [draftIntent(base + 500n), draftIntent(base + 100n)]
  await assert.rejects(insertUniqueIntents(service.db, withTaken, now, now), (fault: Error) => {
    assert.match(fault.message, /another intent holds a unique amount: 1 of 2 were given/)
    return faultCode(fault) === 'SN001'
  })
  const stored = () => sql(`select payable from intents where external_order_id = 'statement' order by 1`)
  assert.deepEqual(await stored(), [])
  const free = [draftIntent(base + 500n), draftIntent(base)]
  assert.equal((await insertUniqueIntents(service.db, free, now, now)).length, 2)
  assert.equal((await stored()).length, 2)
  assert.deepEqual(await insertUniqueIntents(service.db, [], now, now), [])
})

testOn('if connections break, an amount and its intent are either both stored or neither', async () => {
  const amount = newAmount()
  const client = new pg.Client({ connectionString: service.databaseUrl, application_name: 'breaker' })
  await client.connect()
  const requests = Array.from({ length: 40 }, async (_, i) => {
    for (let turns = i * 3; turns > 0; turns--) await new Promise(setImmediate)
    if (i % 10 === 5)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'test' and state = 'active'`,
      )
    return create({ amount })
  })
  const answers = await Promise.all(requests)
  await client.end()
  const created = answers.filter(({ status }) => status === 201)
  const stored = new Map(
    (await sql('select id, payable from intents where base = $1', [amount.replace('.', '')])) as [string, string][],
  )
  for (const { body } of created) assert.equal(stored.get(body.id), body.payable_amount.replace('.', ''))
  assert.deepEqual(
    await sql('select 1 from unique_amounts u join intents i on i.id = u.intent_id where u.payable <> i.payable'),
    [],
  )
  await assertMoneyInvariants(sql)
})

type ModelIntent = { id: string; payable: string; base: string; status: string; endedAt: number; expiresAt: number }

testOn(
  'create, cancel, expire and pay in random order: every amount and status equals that of a reference model',
  async () => {
    const seed = Number(process.env.SANAD_AMOUNTS_SEED ?? randomInt(2 ** 31))
    process.stdout.write(`unique amounts: SANAD_AMOUNTS_SEED=${seed}\n`)
    let state = seed
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return (state >>> 8) % limit
    }
    const setting = { direction: 'more', most: 3 } as const
    await set('more', 3)
    // Sessions and tokens of a test end after thirty days.
    const last = clock.now() + 14 * 24 * 3_600_000
    for (let story = 0; story < runs(25, 3) && clock.now() < last; story++) {
      const amount = newAmount()
      await passTime(window_ms)
      const intents: ModelIntent[] = []
      const holds = (intent: ModelIntent, { unpaid_ms, paid_ms }: Rest): boolean => {
        if (intent.status === 'PENDING') return true
        return clock.now() < intent.endedAt + (intent.status === 'VERIFIED' ? paid_ms : unpaid_ms)
      }
      const holdersOf = (payable: string, rest = RESTS.at(-1)!) =>
        intents.filter((intent) => intent.payable === payable && holds(intent, rest))
      for (let step = 0; step < 30; step++) {
        const open = intents.filter(({ status }) => status === 'PENDING')
        const chosen = open[below(Math.max(open.length, 1))]
        const kind = below(10)
        if (kind < 4 || chosen === undefined) {
          const base = plus(amount, below(3))
          const answer = (await create({ amount: base })).body
          const candidates = uniqueAmounts(minor(BigInt(base.replace('.', ''))), setting).map(formatMinor)
          const inMinor = (text: string) => minor(BigInt(text.replace('.', '')))
          const others = new OpenAmounts(
            open.map((intent) => ({ base: inMinor(intent.base), payable: inMinor(intent.payable) })),
          )
          const isNear = (payable: string) => others.isNear({ base: inMinor(base), payable: inMinor(payable) })
          const free = (rest: Rest) => candidates.filter((payable) => holdersOf(payable, rest).length === 0)
          const rested = RESTS.flatMap(free)
          const expected = rested.find((payable) => !isNear(payable)) ?? rested[0] ?? base
          assert.equal(answer.payable_amount, expected)
          intents.push({
            id: answer.id,
            base,
            payable: expected,
            status: 'PENDING',
            endedAt: 0,
            expiresAt: clock.now() + window_ms,
          })
        } else if (kind < 6) {
          await cancel(chosen.id)
          Object.assign(chosen, { status: 'CANCELLED', endedAt: clock.now() })
        } else if (kind < 8) {
          await pay(chosen.payable)
          const alone = holdersOf(chosen.payable).length === 1 && chosen.payable !== chosen.base
          if (alone) Object.assign(chosen, { status: 'VERIFIED', endedAt: clock.now() })
          assert.equal(await statusOf(chosen.id), chosen.status)
        } else {
          await passTime([60_000, window_ms / 2, REST_PAID_MS, REST_UNPAID_MS][below(4)]!)
          for (const intent of open)
            if (intent.expiresAt <= clock.now()) Object.assign(intent, { status: 'EXPIRED', endedAt: intent.expiresAt })
        }
      }
      for (const intent of intents) assert.equal(await statusOf(intent.id), intent.status)
    }
    await assertMoneyInvariants(sql)
  },
)
