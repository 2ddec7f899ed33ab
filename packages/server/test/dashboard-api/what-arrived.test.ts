/**
 * Decision 91: money that is shown or summed as received is what arrived; what was asked and did not arrive is shown beside it as
 * forgiven. A day at the counter with every kind of payment; then the same sums on every screen, from the stored alerts.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { takeNotices } from '../../src/accounts/notices/owner-notices.ts'
import { hour_ms } from '../../src/core/duration.ts'
import { tallyIntents } from '../../src/intents/totals/tally-intents.ts'
import { twinFacts } from '../../src/views/wallets/twin-facts-sql.ts'
import { noticeEmail } from '../../src/work/notice-email.ts'
import { openCheckouts, textOf } from '../checkouts/checkout-story.ts'
import { openMerchantServer } from '../support/merchant-server.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { transferText } from '../support/sms-texts.ts'
import { okBody } from '../support/story.ts'

const service = await openCheckouts({ SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const { clock, demo, sql, create, newCheckout, open, send, read, sweep, db } = service
const story = await queueStory(service)
const { owner, manager, cashier, viewer, money, newReference, attach, record, report, paid } = story
const { main, second, test: testWallet } = demo.wallets

const receiver = await openMerchantServer((_, response) => response.end())
const endpoint = (
  await owner.ask('POST', '/webhooks/', { body: { url: receiver.at('/'), kinds: ['payment.verified'] } })
).body.webhook.id

type Row = Record<string, string | null>
const minor = (amount: string | null): bigint => BigInt((amount ?? '0.00').replace('.', ''))
const sumOf = (rows: readonly Row[], field: string): bigint =>
  rows.reduce((total, row) => total + minor(row[field] ?? null), 0n)
const get = async (path: string) => okBody(await viewer.ask('GET', path))
const newest = async (): Promise<string> => (await sql('select id from alerts order by id desc limit 1'))[0]![0]!
/** A message of the second wallet. */
const toSecond = async (text: string): Promise<string> => {
  await record([report(text, { simSlot: 'SIM2' })])
  return newest()
}
const book = async (alert: string, intent: { id: string; payable_amount: string }, action = 'book') => {
  const [[amount]] = (await sql('select amount from alerts where id = $1', [alert])) as [[string]]
  const alertAmount = `${amount.slice(0, -2)}.${amount.slice(-2)}`
  const body = { intent: intent.id, alert_amount: alertAmount, intent_amount: intent.payable_amount }
  return okBody(await cashier.ask('POST', `/unmatched/${alert}/${action}/`, { body })).intent
}
/** The intent's reference arrives with another amount. */
const wrong = async (asked: string, arrived: string, order: string): Promise<string> => {
  const { id } = okBody(await create({ amount: asked, external_order_id: order }))
  const reference = newReference()
  okBody(await attach(id, reference))
  await money(arrived, reference)
  return id
}
const accept = async (id: string, arrived: string) =>
  okBody(await manager.ask('POST', `/intents/${id}/accept-paid/`, { body: { paid_amount: arrived } }))
const parts = (intent: Row) => [intent.arrived_amount, intent.forgiven_amount, intent.excess_amount]

/** What each payment of the day is, as arrived, forgiven, excess. */
const expected = new Map<string, readonly (string | null | undefined)[]>()
const expectParts = (intent: Row, arrived: string, forgiven: string, excess: string) => {
  expected.set(intent.id!, [arrived, forgiven, excess])
  assert.deepEqual(parts(intent), [arrived, forgiven, excess])
}

const link = okBody(
  await owner.ask('POST', '/payment-links/', { body: { amount: '2000.00', description: 'A link', wallets: [main] } }),
)
let shortCheckout = ''
let restCheckout = ''
let shortPage = ''

test('91: a booking says at once what arrived, what was forgiven, and how much more arrived', async () => {
  // Exactly what was asked.
  const exact = okBody(await create({ amount: '1500.00', external_order_id: 'EXACT' }))
  assert.deepEqual(parts(await get(`/intents/${exact.id}/`)), [null, null, null])
  const reference = newReference()
  okBody(await attach(exact.id, reference))
  await money('1500.00', reference)
  expectParts(await get(`/intents/${exact.id}/`), '1500.00', '0.00', '0.00')
  // 200 of 4,200.
  const short = okBody(await create({ amount: '4200.00', external_order_id: 'SHORT' }))
  expectParts(await book(await money('200.00', newReference()), short), '200.00', '4000.00', '0.00')
  // More than was asked.
  const over = okBody(await create({ amount: '1000.00', external_order_id: 'OVER' }))
  expectParts(await book(await money('1250.00', newReference()), over), '1250.00', '0.00', '250.00')
  // Accepted: the intent that ended stays as it was, the new one says what its order asked for.
  const little = await wrong('1600.00', '1450.00', 'ACCEPTED')
  assert.deepEqual(parts(await get(`/intents/${little}/`)), [null, null, null])
  expectParts(await accept(little, '1450.00'), '1450.00', '150.00', '0.00')
  assert.deepEqual(parts(await get(`/intents/${little}/`)), [null, null, null])
  expectParts(await accept(await wrong('900.00', '950.00', 'ACCEPTED-OVER'), '950.00'), '950.00', '0.00', '50.00')
  // Booked late, to a copy of an expired intent.
  const late = okBody(await create({ amount: '700.00', external_order_id: 'LATE' }))
  clock.advance(hour_ms + 1_000)
  await sweep()
  expectParts(await book(await money('500.00', newReference()), late, 'book-copy'), '500.00', '200.00', '0.00')
})

test('91: the addition of a unique amount is neither forgiven nor in excess', async () => {
  const body = { unique_amounts: 'more', unique_amounts_most: 99 }
  okBody(await owner.ask('PUT', `/wallets/${second}/unique-amounts/`, { body }))
  clock.advance(2_000)
  const unique = async (order: string) =>
    okBody(await create({ wallet: second, amount: '3000.00', external_order_id: order }))
  const matched = await unique('UNIQUE')
  assert.notEqual(matched.payable_amount, '3000.00')
  await toSecond(transferText(matched.payable_amount, '90000.00'))
  expectParts(await get(`/intents/${matched.id}/`), matched.payable_amount, '0.00', '0.00')
  const round = await unique('UNIQUE-ROUND')
  expectParts(await book(await toSecond(paid('3000.00', newReference())), round), '3000.00', '0.00', '0.00')
  const short = await unique('UNIQUE-SHORT')
  expectParts(await book(await toSecond(paid('1000.00', newReference())), short), '1000.00', '2000.00', '0.00')
  okBody(await owner.ask('PUT', `/wallets/${second}/unique-amounts/`, { body: { unique_amounts: 'off' } }))
  clock.advance(2_000)
})

test('91: test money is shown with what arrived, and is in no sum', async () => {
  const intent = okBody(await create({ wallet: testWallet, amount: '1000.00', external_order_id: 'TEST' }))
  const pay = { wallet: testWallet, amount: '300.00', reference: newReference() }
  const { alert } = okBody(await manager.ask('POST', '/test-payment/', { body: pay }))
  expectParts(await book(alert, intent), '300.00', '700.00', '0.00')
})

test('91: a buyer who pays the rest is forgiven nothing; a checkout that was booked short says what arrived', async () => {
  // 1,400 of 1,500 arrives; the buyer pays the remaining 100.
  const rest = await newCheckout({ external_order_id: 'REST', allow_remaining: true })
  restCheckout = rest.id
  await send(`${rest.page}/wallet/`, { wallet: main })
  const first = newReference()
  await send(`${rest.page}/reference/`, { reference: first })
  await money('1400.00', first)
  await send(`${rest.page}/rest/`, { wallet: main })
  const [part] = (await read(rest.id)).intents.filter(({ status }: Row) => status === 'VERIFIED')
  expectParts(await get(`/intents/${part.id}/`), '1400.00', '0.00', '0.00')
  const last = newReference()
  await send(`${rest.page}/reference/`, { reference: last })
  await money('100.00', last)
  const open100 = (await read(rest.id)).intents.at(-1)
  expectParts(await get(`/intents/${open100.id}/`), '100.00', '0.00', '0.00')
  // A checkout of a payment link: 1,200 of 2,000 is booked.
  const started = await send(new URL(link.url).pathname, { started: '1' })
  shortPage = new URL(String(started.headers.location), service.origin).pathname
  await send(`${shortPage}/wallet/`, { wallet: main })
  const { results } = await get(`/checkouts/?link=${link.id}`)
  shortCheckout = results[0].id
  const [intent] = (await read(shortCheckout)).intents
  expectParts(await book(await money('1200.00', newReference()), intent), '1200.00', '800.00', '0.00')
  await sweep()
})

/** From the alerts themselves: what arrived on each wallet, and what the tests above expect to be forgiven. */
const truth = async () => {
  const rows = await sql(
    `select i.id, a.wallet_id, a.amount, w.is_test::text from alerts a
       join intents i on i.account_id = a.account_id and i.alert_id = a.id and i.status = 'VERIFIED'
       join wallets w on w.id = a.wallet_id
      where a.state in ('matched', 'booked')`,
  )
  const payments = rows.map(([id, wallet, amount, isTest]) => ({
    id: id!,
    wallet: wallet!,
    arrived: BigInt(amount!),
    forgiven: minor(expected.get(id!)![1]!),
    isTest: isTest === 'true',
  }))
  assert.equal(payments.length, expected.size)
  const of = (wallet?: string) => {
    const chosen = payments.filter((one) => (wallet === undefined ? !one.isTest : one.wallet === wallet))
    return {
      count: chosen.length,
      arrived: chosen.reduce((sum, one) => sum + one.arrived, 0n),
      forgiven: chosen.reduce((sum, one) => sum + one.forgiven, 0n),
    }
  }
  return { payments, of }
}

const received = (figure: Row & { count: number }) => ({
  count: figure.count,
  arrived: minor(figure.sum!),
  forgiven: minor(figure.forgiven_amount!),
})

const csvRows = (text: string): Row[] => {
  const [head, ...lines] = text
    .replace('\uFEFF', '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','))
  return lines.map((cells) => Object.fromEntries(head!.map((name, i) => [name, cells[i] || null])))
}

test('91: Today, charts, day close, counter, lists, CSV, links, search, webhook log and operator agree on what arrived', async () => {
  const { payments, of } = await truth()
  const all = of()
  assert.ok(all.forgiven > 0n && payments.some(({ isTest }) => isTest))
  const notTest = (rows: (Row & { wallet?: unknown })[]) =>
    rows.filter(({ id, intent }) => payments.find((one) => one.id === (intent ?? id))?.isTest === false)

  const today = await get('/overview/')
  assert.deepEqual(received(today.verified_today), all)
  assert.deepEqual(received(today.days.at(-1).verified), all)

  const chart = async () => {
    const { rows } = await get('/overview/charts/?days=7')
    const verified = rows.filter(({ status }: Row) => status === 'VERIFIED')
    for (const row of rows)
      if (row.status !== 'VERIFIED') assert.equal(row.forgiven_amount, '0.00', JSON.stringify(row))
    assert.deepEqual(new Set(verified.map(({ wallet }: Row) => wallet)), new Set([main, second]))
    for (const row of verified) assert.deepEqual(received(row), of(row.wallet))
  }
  await chart()

  for (const wallet of [main, second, testWallet]) {
    const own = of(wallet)
    const { verified, credits } = await get(`/day-close/?wallet=${wallet}`)
    assert.deepEqual(
      [verified.count, minor(verified.amount), minor(verified.forgiven_amount)],
      [own.count, own.arrived, own.forgiven],
    )
    // Everything that came was booked, and so nothing of the day's credits is left over.
    assert.equal(minor(credits.amount), own.arrived)
    const { results } = await get(`/day-close/lines/?wallet=${wallet}&page_size=200`)
    assert.deepEqual([sumOf(results, 'amount'), sumOf(results, 'forgiven_amount')], [own.arrived, own.forgiven])
    const lines = csvRows((await viewer.ask('GET', `/day-close/csv/?wallet=${wallet}`)).text)
    const ofAlerts = lines.filter(({ line }) => line === 'alert')
    assert.deepEqual([sumOf(ofAlerts, 'amount'), sumOf(ofAlerts, 'forgiven_amount')], [own.arrived, own.forgiven])
    const [total] = lines.filter(({ line }) => line === 'verified')
    assert.deepEqual([minor(total!.amount!), minor(total!.forgiven_amount!)], [own.arrived, own.forgiven])
  }

  // The counter shows the money of real wallets.
  const { roll } = await get('/counter/')
  const paidEntries = roll.results.filter((entry: { state: string }) => entry.state === 'paid')
  assert.equal(paidEntries.length, payments.filter(({ isTest }) => !isTest).length)
  for (const { intent } of paidEntries) assert.deepEqual(parts(intent), expected.get(intent.id))
  const ofPaid = paidEntries.map(({ intent }: { intent: Row }) => intent)
  assert.deepEqual([sumOf(paidEntries, 'amount'), sumOf(ofPaid, 'forgiven_amount')], [all.arrived, all.forgiven])

  const { results: listed } = await get('/intents/?page_size=100')
  for (const one of listed) assert.deepEqual(parts(one), expected.get(one.id) ?? [null, null, null])
  assert.deepEqual(
    [sumOf(notTest(listed), 'arrived_amount'), sumOf(notTest(listed), 'forgiven_amount')],
    [all.arrived, all.forgiven],
  )
  const table = csvRows((await viewer.ask('GET', '/intents/csv/')).text)
  assert.deepEqual(
    [sumOf(notTest(table), 'arrived_amount'), sumOf(notTest(table), 'forgiven_amount')],
    [all.arrived, all.forgiven],
  )

  const { results: checkouts } = await get('/checkouts/')
  for (const [id, arrived, forgiven] of [
    [restCheckout, '1500.00', '0.00'],
    [shortCheckout, '1200.00', '800.00'],
  ] as const) {
    const one = checkouts.find((checkout: Row) => checkout.id === id)
    const whole = await get(`/checkouts/${id}/`)
    for (const shown of [one, whole])
      assert.deepEqual(
        [shown.status, shown.paid, shown.arrived_amount, shown.forgiven_amount],
        ['COMPLETE', arrived, arrived, forgiven],
      )
    for (const intent of whole.intents) assert.deepEqual(parts(intent), expected.get(intent.id) ?? [null, null, null])
    assert.equal((await read(id)).paid, arrived)
  }
  const events = await service.events()
  const ended = events.find(({ body }) => body.checkout_id === shortCheckout)
  assert.deepEqual([ended?.kind, ended?.body.amount, ended?.body.paid], ['checkout.completed', '2000.00', '1200.00'])
  assert.equal((await get(`/payment-links/${link.id}/`)).funnel.paid, 1)
  assert.match(textOf((await open(shortPage)).text), /The money has arrived.*1,200 YER.*2,000 YER.*800 YER/)

  const found = await get('/search/?q=SHORT')
  const [shortIntent] = found.intents.filter((intent: Row) => intent.external_order_id === 'SHORT')
  assert.deepEqual(parts(shortIntent), ['200.00', '4000.00', '0.00'])
  const [shortAlert] = found.alerts.filter(({ intent }: { intent: Row | null }) => intent?.id === shortIntent.id)
  assert.deepEqual([shortAlert.amount, ...parts(shortAlert.intent)], ['200.00', '200.00', '4000.00', '0.00'])

  const { results: deliveries } = okBody(await owner.ask('GET', `/webhooks/${endpoint}/deliveries/?page_size=100`))
  assert.deepEqual(
    [sumOf(notTest(deliveries), 'arrived_amount'), sumOf(notTest(deliveries), 'forgiven_amount')],
    [all.arrived, all.forgiven],
  )
  const ofShort = deliveries.find(({ intent }: Row) => intent === shortIntent.id)
  const delivery = okBody(await owner.ask('GET', `/webhooks/${endpoint}/deliveries/${ofShort.id}/`))
  assert.deepEqual([delivery.arrived_amount, delivery.forgiven_amount], ['200.00', '4000.00'])

  const twins = await twinFacts(db, [main, second])
  for (const row of twins)
    assert.deepEqual([row.verified, row.verified_sum, row.forgiven_sum], Object.values(of(row.id)))

  // The charts say the same when the hours are read from their tallies.
  clock.advance(4 * hour_ms)
  await sweep()
  while (await tallyIntents(db, hour_ms, clock.now()));
  clock.advance(61_000)
  await chart()
  assert.deepEqual(received((await get('/overview/')).verified_today), all)
  await assertMoneyInvariants(sql)
})

test('the merchant API and payment.verified say what they always said: paid_amount is null, amount is what was asked', async () => {
  for (const id of expected.keys()) {
    const intent = okBody(await service.ask('GET', `/intents/${id}/`))
    assert.deepEqual([intent.status, intent.paid_amount], ['VERIFIED', null])
    assert.ok(!('arrived_amount' in intent) && !('forgiven_amount' in intent))
    const [[body]] = (await sql(`select body from events where intent_id = $1 and kind = 'payment.verified'`, [
      id,
    ])) as [[string]]
    const event = JSON.parse(body)
    assert.equal(event.amount, intent.payable_amount)
    assert.deepEqual(Object.keys(event), [
      'event',
      'payment_id',
      'intent_id',
      'order_id',
      'reference',
      'base_amount',
      'amount',
      'currency',
      'status',
      'verified_at',
      'manual_override',
    ])
  }
})

test('91: owners get a notice of each booking that falls short, and of no other; it is in the audit log', async () => {
  const { results } = okBody(await owner.ask('GET', '/notices/?page_size=100'))
  const notices = results.filter(({ kind }: Row) => kind === 'booked_short')
  const short = [...expected].filter(([, [, forgiven]]) => forgiven !== '0.00')
  assert.deepEqual(
    notices.map(({ object }: { object: Row }) => `${object.kind} ${object.id}`).sort(),
    short.map(([id]) => `intent ${id}`).sort(),
  )
  const of = (order: string) => notices.find(({ facts }: { facts: Row }) => facts.order === order)
  const { by, facts } = of('SHORT')
  assert.equal(by, `A cashier <${cashier.email}>`)
  const amounts = { asked_amount: '4200.00', arrived_amount: '200.00', forgiven_amount: '4000.00', currency: 'YER' }
  assert.deepEqual(facts, { payment: facts.payment, order: 'SHORT', ...amounts })
  assert.deepEqual([of('ACCEPTED').facts.asked_amount, of('ACCEPTED').by], ['1600.00', `A manager <${manager.email}>`])
  assert.deepEqual([of('UNIQUE-SHORT').facts.asked_amount, of('TEST').facts.test], ['3000.00', true])
  const unsent = await takeNotices(db, 100, clock.now())
  const { text, subject } = noticeEmail(
    unsent.find((one) => one.facts.order === 'SHORT')!,
    'Demo shop',
    service.zone,
    'https://pay.example.com',
  )
  assert.match(subject, /Less than the order was booked: Demo shop/)
  for (const line of [
    'الواصل: \u2068200.00 YER\u2069',
    'المتجاوز عنه: \u20684000.00 YER\u2069',
    'Order: SHORT',
    'Asked: 4200.00 YER',
    'Arrived: 200.00 YER',
    'Forgiven: 4000.00 YER',
    'By: A cashier',
    `https://pay.example.com/intents/${of('SHORT').object.id}`,
  ])
    assert.ok(text.includes(line), `${line} in ${text}`)
  const [[after]] = (await sql(
    `select after from audit_log where action = 'intent.book' and after->>'forgiven_amount' = '4000.00'`,
  )) as [[string]]
  assert.equal(JSON.parse(after).amount, '200.00')
})

/** The statement of the migration that fills in bookings of before. */
const backfill = async (): Promise<string> => {
  const folder = new URL('../../../../migrations/', import.meta.url)
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('_what_arrived.sql'))
  const text = await readFile(new URL(name!, folder), 'utf8')
  return /^update intents i$[^;]*;/m.exec(text)![0]
}
const stored = () => sql('select id, arrived, forgiven, excess from intents where arrived is not null order by id')

test('bookings of before the columns are filled in by the migration as they would be stored today', async () => {
  const before = await stored()
  assert.equal(
    before.length,
    [...expected.values()].filter(([, forgiven, excess]) => forgiven !== '0.00' || excess !== '0.00').length + 1,
  )
  await sql('update intents set arrived = null, forgiven = null, excess = null')
  assert.equal((await stored()).length, 0)
  await sql(await backfill())
  assert.deepEqual(await stored(), before)
  // A second time it changes nothing.
  await sql(await backfill())
  assert.deepEqual(await stored(), before)
})

test('a booking by a node of the version before, which writes none of the columns, is stored with what arrived', async () => {
  const asOldNode = async (intent: { id: string }, alert: string) => {
    await sql(
      `update intents set status = 'VERIFIED', verified_at = created_at, manual = true, alert_id = $2 where id = $1`,
      [intent.id, alert],
    )
    return parts(await get(`/intents/${intent.id}/`))
  }
  const short = okBody(await create({ amount: '4200.00' }))
  assert.deepEqual(await asOldNode(short, await money('300.00', newReference())), ['300.00', '3900.00', '0.00'])
  const exact = okBody(await create({ amount: '310.00' }))
  assert.deepEqual(await asOldNode(exact, await money('310.00', newReference())), ['310.00', '0.00', '0.00'])
})
