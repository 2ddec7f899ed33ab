/**
 * A day of 200 sales over HTTP, in two wallets: orders that match, walk-in money, bookings short of their order, wrong amounts, undone
 * sales, money that is set aside, messages that a phone sends twice; two cashiers with shifts and one without. All places that show
 * sums of the day must agree. The places are in one list (`places`): a new one is added there.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DaySums } from '@sanad/contract/dashboard/money/day-close'
import { zoneOf } from '../../src/core/zone.ts'
import { finishSales } from '../../src/matching/queue/finish-sales.ts'
import { countService, sampleService } from '../../src/work/measure-service.ts'
import { randomFrom } from '../crashes/crash-service.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { phone } from '../support/phone.ts'
import { queueStory } from '../support/queue-story.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'
import { createMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, demo, db, sql } = service
const story = await queueStory(service)
const { owner, operator, attach, newReference } = story
const shopPhone = phone(service.origin, clock.now, demo.device)
const zone = zoneOf('Asia/Aden')
const random = randomFrom(Number(process.env.SANAD_DAY_SEED ?? 7))
const hour = 3_600_000
// A phone that was connected today is a doubt. The day begins at 08:00 in Aden.
clock.advance(3 * 24 * hour)
clock.advance(24 * hour - ((clock.now() + 3 * hour) % (24 * hour)) + 8 * hour)
/** The first two have a shift, the third works without one. */
const cashiers = [
  await createMember(service, story.accountId, 'cashier'),
  await createMember(service, story.accountId, 'cashier'),
  await createMember(service, story.accountId, 'cashier'),
]
const wallets = [
  { id: demo.wallets.main, simSlot: 'SIM1' },
  { id: demo.wallets.second, simSlot: 'SIM2' },
] as const
const today = zone.format(new Date(clock.now())).slice(0, 10)

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
const decimal = (units: bigint): string => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`

/** `open`: arrived, and no order has it yet. `wrong`: ended an order of another amount. `aside` is in no sum of what arrived. */
type Sums = {
  readonly paid: bigint
  readonly count: number
  readonly arrived: bigint
  readonly forgiven: bigint
  readonly open: bigint
  readonly wrong: bigint
  readonly aside: bigint
  readonly messages: number
}
type MutableSums = { -readonly [name in keyof Sums]: Sums[name] }
const nothing: Sums = { paid: 0n, count: 0, arrived: 0n, forgiven: 0n, open: 0n, wrong: 0n, aside: 0n, messages: 0 }

/** The phone reports a message, and sometimes sends the same report, or the same message, once more. */
let reports = 0
const money = async (amount: string, reference: string, simSlot: string): Promise<string> => {
  const text = purchaseText(amount, reference)
  const report = { client_id: reference, kind: 'sms', sender: 'Jawali', text, sim_slot: simSlot }
  const send = async (clientId: string): Promise<void> => {
    const received_at = Math.floor(clock.now() / 1000)
    const answer = await shopPhone.alerts([{ ...report, client_id: clientId, received_at }])
    assert.equal(answer.status, 200, answer.text)
    reports++
  }
  await send(reference)
  if (random() < 0.1) await send(reference)
  if (random() < 0.1) await send(`${reference} again`)
  const found = await sql("select id from alerts where reference = $1 and state <> 'duplicate'", [reference])
  assert.equal(found.length, 1, reference)
  return found[0]![0]!
}

const day = async (): Promise<DaySums> => (await owner.ask('GET', '/day-close/sums/')).body
type MoneySums = DaySums['totals'][number]
const sumsOf = (one: MoneySums): Partial<Sums> => ({
  paid: minor(one.verified.amount),
  count: one.verified.count,
  arrived: minor(one.arrived.amount),
  forgiven: minor(one.forgiven_amount),
})
const add = (parts: readonly Partial<Sums>[]): Partial<Sums> => {
  const sums: Partial<Record<keyof Sums, bigint | number>> = {}
  for (const part of parts)
    for (const [name, value] of Object.entries(part) as [keyof Sums, bigint & number][])
      sums[name] = ((sums[name] as bigint & number) ?? (typeof value === 'bigint' ? 0n : 0)) + value
  return sums as Partial<Sums>
}
/** Every page of a list with a cursor. */
const pagesOf = async <Row>(path: string): Promise<Row[]> => {
  const rows: Row[] = []
  let after = ''
  do {
    const { body } = await owner.ask('GET', `${path}${after && `&after=${after}`}`)
    rows.push(...body.results)
    after = body.next ?? ''
  } while (after !== '')
  return rows
}
const linesOf = (text: string): Record<string, string>[] => {
  const [head = '', ...rows] = text.replace('\ufeff', '').trim().split('\r\n')
  const names = head.split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, n) => [names[n]!, cell])))
}

/** Each place that shows the day's money; what a place does not show is left out. */
const places: Readonly<Record<string, () => Promise<Partial<Sums>>>> = {
  'day close, all wallets': async () => {
    const { totals } = await day()
    assert.equal(totals.length, 1)
    return sumsOf(totals[0]!)
  },
  'day close, the wallets together': async () => {
    const { wallets: shown } = await day()
    assert.equal(shown.length, wallets.length)
    return add(shown.map(({ sums }) => sumsOf(sums)))
  },
  Today: async () => {
    const { arrived } = (await owner.ask('GET', '/overview/')).body
    assert.equal(arrived.length, 1)
    const [{ today, verified, unmatched, wrong_amount, dismissed }] = arrived
    return {
      ...{ paid: minor(verified.sum), count: verified.count, arrived: minor(today.sum) },
      ...{ open: minor(unmatched.sum), wrong: minor(wrong_amount.sum), aside: minor(dismissed.sum) },
    }
  },
  'Today, the last of 14 days': async () => {
    const { days, rows } = (await owner.ask('GET', '/overview/days/')).body
    const ofToday = (rows as { date: string; sum: string }[]).filter(({ date }) => date === days.at(-1))
    return { arrived: ofToday.reduce((sum, row) => sum + minor(row.sum), 0n) }
  },
  'Today, its hours': async () => {
    const { rows } = (await owner.ask('GET', '/overview/hours/')).body
    return { arrived: (rows as { sum: string }[]).reduce((sum, row) => sum + minor(row.sum), 0n) }
  },
  'day close, who took it': async () => {
    const { shifts } = await day()
    const { paid, count, forgiven } = add(shifts.map(({ sums }) => sumsOf(sums)))
    return { paid: paid!, count: count!, forgiven: forgiven! }
  },
  'day close, wallet by wallet': async () =>
    add(
      await Promise.all(
        wallets.map(async ({ id }) => {
          const { verified, unmatched, wrong_amount } = (await owner.ask('GET', `/day-close/?wallet=${id}`)).body
          return {
            paid: minor(verified.amount),
            count: verified.count,
            arrived: minor(verified.amount) + minor(unmatched.amount) + minor(wrong_amount.amount),
            open: minor(unmatched.amount),
            wrong: minor(wrong_amount.amount),
            forgiven: minor(verified.forgiven_amount),
          }
        }),
      ),
    ),
  'CSV of each wallet': async () =>
    add(
      await Promise.all(
        wallets.map(async ({ id }) => {
          const lines = linesOf((await owner.ask('GET', `/day-close/csv/?wallet=${id}`)).text)
          const verified = lines.find(({ line }) => line === 'verified')!
          const paid = lines.filter(
            ({ line, state }) => line === 'alert' && (state === 'matched' || state === 'booked'),
          )
          assert.equal(
            paid.reduce((sum, { amount }) => sum + minor(amount!), 0n),
            minor(verified.amount!),
          )
          return { paid: minor(verified.amount!), count: paid.length, forgiven: minor(verified.forgiven_amount!) }
        }),
      ),
    ),
  'counter roll': async () => {
    const sums: MutableSums = { ...nothing }
    for (const line of await pagesOf<{ state: string; amount: string; received_at: string }>(
      '/counter/roll/?page_size=200',
    )) {
      if (!line.received_at.startsWith(today)) continue
      if (line.state === 'aside') {
        sums.aside += minor(line.amount)
        continue
      }
      sums.arrived += minor(line.amount)
      if (line.state === 'paid' || line.state === 'sale') {
        sums.paid += minor(line.amount)
        sums.count++
      }
    }
    const { paid, count, arrived, aside } = sums
    return { paid, count, arrived, aside }
  },
  queue: async () => {
    const amounts = async (states: string): Promise<bigint> =>
      (await pagesOf<{ amount: string }>(`/unmatched/?state=${states}&from=${today}&page_size=100`)).reduce(
        (sum, { amount }) => sum + minor(amount),
        0n,
      )
    return {
      open: await amounts('waiting,review'),
      wrong: await amounts('wrong_amount'),
      aside: await amounts('dismissed'),
    }
  },
  'list of intents': async () => {
    let [paid, count, forgiven] = [0n, 0, 0n]
    for (let page = 1, more = true; more; page++) {
      const { body } = await owner.ask('GET', `/intents/?status=VERIFIED&page_size=100&page=${page}`)
      more = body.next !== null
      for (const intent of body.results) {
        if (!intent.verified_at.startsWith(today)) continue
        paid += minor(intent.arrived_amount)
        forgiven += minor(intent.forgiven_amount ?? '0.00')
        count++
      }
    }
    return { paid, count, forgiven }
  },
  'CSV of all intents': async () => {
    const lines = linesOf((await owner.ask('GET', '/intents/csv/')).text).filter(
      ({ status, verified_at: at }) => status === 'VERIFIED' && at!.startsWith(today),
    )
    return {
      paid: lines.reduce((sum, line) => sum + minor(line.arrived_amount!), 0n),
      forgiven: lines.reduce((sum, line) => sum + minor(line.forgiven_amount || '0.00'), 0n),
      count: lines.length,
    }
  },
  'the operator’s hours': async () => {
    // The figures of an hour are counted some minutes later. The day has no payment after this.
    clock.advance(15 * 60_000)
    await sampleService(db, clock.now())
    while (await countService(db, clock.now()));
    const { hours } = (await operator.ask('GET', '/operator/hours/')).body
    const ofToday = (hours as { hour: string; payments: number; messages: number }[]).filter(({ hour }) =>
      hour.startsWith(today),
    )
    return {
      count: ofToday.reduce((sum, { payments }) => sum + payments, 0),
      messages: ofToday.reduce((sum, { messages }) => sum + messages, 0),
    }
  },
}

test('the sums of a day of 200 sales agree in every place', async () => {
  const shifts: string[] = []
  for (const { ask } of cashiers.slice(0, 2)) shifts.push((await ask('POST', '/shifts/')).body.id)
  const expected: MutableSums = { ...nothing }
  const take = async (alert: string, amount: string, who: number) => {
    const body = { amount, not_for_order: true, looked: true, another_payment: true }
    const answer = await cashiers[who]!.ask('POST', `/unmatched/${alert}/take-sale/`, { body })
    assert.equal(answer.status, 200, answer.text)
  }
  const kinds: Record<string, number> = {}
  for (let n = 0; n < 200; n++) {
    // Each amount once: two equal ones within a minute would be asked about, which is not what this test is for.
    const amount = decimal(10_000n + BigInt(n) * 100n + BigInt(Math.floor(random() * 99)))
    const who = Math.floor(random() * cashiers.length)
    const wallet = wallets[random() < 0.7 ? 0 : 1]
    const { ask } = cashiers[who]!
    const reference = newReference()
    const draw = random()
    const pays = (arrived = amount, asked = amount): void => {
      expected.paid += minor(arrived)
      expected.count++
      expected.forgiven += minor(asked) - minor(arrived)
    }
    const kind =
      draw < 0.35
        ? 'sale'
        : draw < 0.65
          ? 'order'
          : draw < 0.75
            ? 'booked'
            : draw < 0.82
              ? 'accepted'
              : draw < 0.87
                ? 'undone'
                : draw < 0.92
                  ? 'wrong'
                  : draw < 0.96
                    ? 'aside'
                    : 'nobody'
    kinds[kind] = (kinds[kind] ?? 0) + 1
    if (kind === 'aside') {
      const alert = await money(amount, reference, wallet.simSlot)
      const answer = await owner.ask('POST', `/unmatched/${alert}/dismiss/`, { body: { reason: 'not a sale' } })
      assert.equal(answer.status, 200, answer.text)
      expected.aside += minor(amount)
    } else if (kind === 'sale' || kind === 'undone') {
      const alert = await money(amount, reference, wallet.simSlot)
      expected.arrived += minor(amount)
      await take(alert, amount, who)
      if (kind === 'undone') {
        const answer = await ask('POST', `/unmatched/${alert}/undo-sale/`)
        assert.equal(answer.status, 200, answer.text)
        expected.open += minor(amount)
      } else pays()
    } else {
      const asked =
        kind === 'booked' || kind === 'accepted' || kind === 'wrong' ? decimal(minor(amount) + 5_000n) : amount
      const { id } = (await create({ wallet: wallet.id, amount: asked, external_order_id: `D-${n}` })).body
      if (kind !== 'booked') await attach(id, reference)
      const alert = await money(amount, reference, wallet.simSlot)
      expected.arrived += minor(amount)
      if (kind === 'wrong') expected.wrong += minor(amount)
      if (kind === 'order' || kind === 'nobody') pays()
      if (kind === 'order') await ask('POST', `/intents/${id}/hand-over/`)
      if (kind === 'booked') {
        const body = { intent: id, alert_amount: amount, intent_amount: asked }
        const answer = await ask('POST', `/unmatched/${alert}/book/`, { body })
        assert.equal(answer.status, 200, answer.text)
        pays(amount, asked)
      }
      if (kind === 'accepted') {
        const answer = await ask('POST', `/intents/${id}/accept-paid/`, { body: { paid_amount: amount } })
        assert.ok(answer.status < 300, answer.text)
        pays(amount, asked)
      }
    }
    clock.advance(60_000 + Math.floor(random() * 60_000))
    await finishSales({ db, zone }, 500, clock.now())
  }
  for (const kind of ['sale', 'order', 'booked', 'accepted', 'undone', 'wrong', 'aside', 'nobody'])
    assert.ok(kinds[kind]! > 2, kind)
  assert.equal(expected.arrived, expected.paid + expected.open + expected.wrong)
  // A report that a phone sends again is one message; the same message under a new id is a duplicate, which is kept.
  expected.messages = Number((await sql('select count(*) from alerts'))[0]![0])
  assert.ok(expected.messages > 200 && reports > expected.messages, `${reports} reports, ${expected.messages} messages`)
  for (const [place, read] of Object.entries(places)) {
    const shown = await read()
    for (const [name, value] of Object.entries(shown))
      assert.equal(value, expected[name as keyof Sums], `${place}: ${name}`)
  }
  // The two shifts and what nobody took are the day, and the CSV of each shift is its report.
  let [paid, count] = [0n, 0]
  for (const id of shifts) {
    const { totals } = (await owner.ask('GET', `/shifts/${id}/`)).body
    paid += minor(totals[0].verified.amount)
    count += totals[0].verified.count
    const payments = linesOf((await owner.ask('GET', `/shifts/${id}/csv/`)).text).filter(
      ({ line }) => line === 'payment',
    )
    assert.equal(
      payments.reduce((sum, { amount }) => sum + minor(amount!), 0n),
      minor(totals[0].verified.amount),
    )
    assert.equal(payments.length, totals[0].verified.count)
  }
  const outside = add((await day()).shifts.filter(({ shift }) => shift === null).map(({ sums }) => sumsOf(sums)))
  assert.equal((await day()).shifts.filter(({ shift, by }) => shift === null && by !== '').length, 1)
  assert.equal(paid + outside.paid!, expected.paid)
  assert.equal(count + outside.count!, expected.count)
  await assertMoneyInvariants(sql)
})
