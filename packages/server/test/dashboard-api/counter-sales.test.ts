/** Walk-in money at the counter over HTTP: taken as a sale, undone within ten seconds, finished by the service, and handed over. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRoll, type RollEntry } from '@sanad/contract/dashboard/money/counter'
import { zoneOf } from '../../src/core/zone.ts'
import { finishSales } from '../../src/matching/queue/finish-sales.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { phone } from '../support/phone.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'
import { askWith, createMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, demo, sql, db } = service
const story = await queueStory(service)
const { cashier, manager, owner, viewer, stranger, money, attach, newReference, stateOf, audited } = story
const huda = await createMember(service, story.accountId, 'cashier')
const zone = zoneOf('Asia/Aden')

type Asks = typeof cashier.ask
const take = (id: string, body: Record<string, unknown> = {}, ask: Asks = cashier.ask): Promise<Answer> =>
  ask('POST', `/unmatched/${id}/take-sale/`, { body: { amount: '1500.00', not_for_order: true, ...body } })
const undo = (id: string, ask: Asks = cashier.ask) => ask('POST', `/unmatched/${id}/undo-sale/`)
const roll = async (ask: Asks = cashier.ask): Promise<RollEntry[]> => {
  const answer = await ask('GET', '/counter/roll/')
  fits(listRoll.answer, answer)
  return answer.body.results
}
const entryOf = async (id: string) => (await roll()).find((entry) => entry.id === id)!
/** Moves the clock past the time to undo, and finishes what is due as the background loop does. */
const finish = async (): Promise<void> => {
  clock.advance(10_000)
  await finishSales({ db, zone }, 100, clock.now())
}
const intentsOf = async (alert: string) =>
  sql(`select i.id, i.status, i.payable, i.external_order_id, i.notes from intents i where i.alert_id = $1`, [alert])
const eventsOf = async (alert: string) =>
  (await sql('select kind from events where alert_id = $1 order by id', [alert])).map(([kind]) => kind)

// A phone that was connected today is a doubt.
clock.advance(2 * 24 * 3_600_000)

test('walk-in money becomes a sale by one touch: nothing is sent for ten seconds, then it is a paid intent, handed over', async () => {
  const id = await money('1500.00', newReference())
  assert.equal((await entryOf(id)).state, 'unmatched')
  const before = await eventsOf(id)
  const taken = await take(id, { external_order_id: 'B-7', note: 'blue shirt' }, huda.ask)
  assert.equal(taken.status, 200, taken.text)
  assert.equal(taken.body.sale.external_order_id, 'B-7')
  const reserved = await entryOf(id)
  assert.deepEqual([reserved.state, reserved.intent, reserved.handed_over], ['sale', null, null])
  assert.equal(reserved.sale!.by, `A cashier <${huda.email}>`)
  assert.equal(Date.parse(reserved.sale!.undo_until) - Date.parse(reserved.sale!.at), 10_000)
  clock.advance(9_999)
  await finishSales({ db, zone }, 100, clock.now())
  assert.deepEqual(await intentsOf(id), [])
  assert.deepEqual(await eventsOf(id), before)
  clock.advance(1)
  await finishSales({ db, zone }, 100, clock.now())
  await finishSales({ db, zone }, 100, clock.now())
  const [intent, ...more] = await intentsOf(id)
  assert.deepEqual([intent!.slice(1), more], [['VERIFIED', '150000', 'B-7', 'blue shirt'], []])
  assert.deepEqual(await eventsOf(id), [...before, 'payment.verified'])
  const sold = await entryOf(id)
  assert.deepEqual([sold.state, sold.intent!.external_order_id], ['sale', 'B-7'])
  assert.equal(sold.handed_over!.by, sold.sale!.by)
  const shown = (await cashier.ask('GET', `/intents/${intent![0]}/`)).body
  assert.equal(shown.timeline.at(-1).kind, 'booked')
  assert.equal(shown.manual_override, true)
  await assertMoneyInvariants(sql)
})

test('a sale is undone within ten seconds by any cashier, and then it never was; the history keeps who did both', async () => {
  const id = await money('1500.00', newReference())
  await take(id)
  clock.advance(9_000)
  const undone = await undo(id, huda.ask)
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual([undone.body.state, undone.body.reason.code, undone.body.sale], ['waiting', 'no_intent', null])
  await finish()
  assert.deepEqual(await intentsOf(id), [])
  const actions = (await audited(id)).map((line) => line.split(' ')[0])
  assert.deepEqual(actions, ['alert.take_sale', 'alert.undo_sale'])
  const history = (await cashier.ask('GET', `/unmatched/${id}/`)).body.history
  assert.deepEqual(
    history.map(({ action }: { action: string }) => action),
    ['alert.undo_sale', 'alert.take_sale'],
  )
  // It can be taken again.
  assert.equal((await take(id)).status, 200)
  await finish()
  assert.equal((await intentsOf(id)).length, 1)
})

test('a sale of money that is not on the first page of the roll is named as long as it can be undone, to who sees its wallet', async () => {
  const id = await money('1500.00', newReference())
  for (let n = 0; n < 31; n++) await money('10.00', newReference())
  const counter = async (ask: Asks = cashier.ask) => (await ask('GET', '/counter/')).body
  assert.ok(!(await counter()).roll.results.some((entry: RollEntry) => entry.id === id))
  const undoable = async (ask?: Asks) => (await counter(ask)).undoable.map((entry: RollEntry) => entry.id)
  assert.deepEqual(await undoable(), [])
  assert.equal((await take(id)).status, 200)
  const newer = await money('1500.00', newReference())
  clock.advance(1_000)
  assert.equal((await take(newer, {}, huda.ask)).status, 200)
  assert.deepEqual(await undoable(viewer.ask), [newer, id], 'the last taken first')
  assert.deepEqual(await undoable(stranger.ask), [])
  const elsewhere = await createMember(service, story.accountId, 'cashier')
  const given = await owner.ask('PATCH', `/members/${elsewhere.userId}/`, { body: { wallets: [demo.wallets.second] } })
  assert.equal(given.status, 200, given.text)
  assert.deepEqual(await undoable(elsewhere.ask), [])
  assert.equal((await undo(id)).status, 200)
  assert.deepEqual(await undoable(), [newer])
  clock.advance(9_999)
  assert.deepEqual(await undoable(), [newer])
  clock.advance(1)
  assert.deepEqual(await undoable(), [], 'its time is over, also before its intent is made')
  await finish()
  await owner.ask('DELETE', `/members/${elsewhere.userId}/`)
})

test('after ten seconds undoing is refused, before and after the intent is made; unknown sales too', async () => {
  const id = await money('1500.00', newReference())
  assert.deepEqual(errorsOf(await undo(id)), ['sale_unknown@non_field_errors'])
  await take(id)
  clock.advance(10_000)
  const late = await undo(id)
  assert.deepEqual([late.status, errorsOf(late)], [400, ['sale_final@non_field_errors']])
  assert.equal(await stateOf(id), 'booked')
  await finishSales({ db, zone }, 100, clock.now())
  const made = await undo(id)
  assert.deepEqual(errorsOf(made), ['sale_final@non_field_errors'])
  assert.notEqual(made.body.facts.payment, '')
  assert.equal((await intentsOf(id)).length, 1)
})

test('of two cashiers who touch at once one wins, and the other is told who', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await money('1500.00', newReference())
    const answers = await Promise.all([take(id), take(id, {}, huda.ask), take(id, {}, manager.ask)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
    const winner = answers.find(({ status }) => status === 200)!
    for (const loser of answers.filter(({ status }) => status === 400)) {
      assert.deepEqual(errorsOf(loser), ['alert_not_open@non_field_errors'])
      assert.deepEqual([loser.body.facts.state, loser.body.facts.by], ['taken', winner.body.sale.by])
    }
    await finish()
    assert.equal((await intentsOf(id)).length, 1)
    const late = await take(id)
    assert.equal(late.body.facts.by, winner.body.sale.by)
  }
  await assertMoneyInvariants(sql)
})

test('undoing against the end of the time: either the sale is undone or its intent is made, never both', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await money('1500.00', newReference())
    await take(id)
    clock.advance(9_999)
    const now = clock.now()
    const [undone] = await Promise.all([
      undo(id),
      finishSales({ db, zone }, 100, now + 1),
      finishSales({ db, zone }, 100, now + 1),
    ])
    const made = await intentsOf(id)
    assert.equal(made.length, undone.status === 200 ? 0 : 1)
    assert.equal(await stateOf(id), undone.status === 200 ? 'waiting' : 'booked')
    if (undone.status === 200) await take(id)
    await finish()
    assert.equal((await intentsOf(id)).length, 1)
  }
  await assertMoneyInvariants(sql)
})

test('a reference that is attached while its money is taken is refused, and gets the money if the sale is undone', async () => {
  const reference = newReference()
  const id = await money('1500.00', reference)
  await take(id)
  const { body: order } = await create({ amount: '1500.00' })
  const { body: second } = await create({ amount: '1500.00' })
  const refused = await attach(order.id, reference)
  assert.equal(refused.status, 400, refused.text)
  clock.advance(1)
  await attach(second.id, reference)
  assert.equal((await undo(id)).status, 200)
  assert.equal((await service.ask('GET', `/intents/${order.id}/`)).body.status, 'VERIFIED')
  assert.equal((await service.ask('GET', `/intents/${second.id}/`)).body.status, 'PENDING')
  assert.equal(await stateOf(id), 'matched')
  await assertMoneyInvariants(sql)
})

test('a reference that is attached while its money is taken stays without it when the sale is finished', async () => {
  const reference = newReference()
  const id = await money('1500.00', reference)
  const { body: order } = await create({ amount: '1500.00' })
  const [taken, patched] = await Promise.all([take(id), attach(order.id, reference)])
  await finish()
  const { body: shown } = await service.ask('GET', `/intents/${order.id}/`)
  if (taken.status === 200) {
    assert.equal(patched.status, 400)
    assert.equal(shown.status, 'PENDING')
  } else assert.equal(shown.status, 'VERIFIED')
  await assertMoneyInvariants(sql)
})

test('doubtful money goes back to review when its sale is undone, although an order has its reference', async () => {
  const reference = newReference()
  const { body: order } = await create({ amount: '1500.00' })
  await attach(order.id, reference)
  // Unsigned money above the limit waits for a member, although the order has its reference.
  const id = await money('1500.00', reference, false)
  assert.equal(await stateOf(id), 'review')
  assert.deepEqual(errorsOf(await take(id)), ['sale_needs_look@looked'])
  assert.equal((await take(id, { looked: true })).status, 200)
  assert.equal((await undo(id)).body.state, 'review')
  assert.equal((await service.ask('GET', `/intents/${order.id}/`)).body.status, 'PENDING')
})

test('a message that is reported again while its money is taken is a duplicate, also after the sale is undone', async () => {
  const reference = newReference()
  const id = await money('1500.00', reference)
  await take(id)
  await story.record([story.report(story.paid('1500.00', reference))])
  await story.record([story.report(story.paid('1500.00', reference))], false)
  await undo(id)
  const rows = await sql('select state from alerts where reference = $1 order by id', [reference])
  assert.deepEqual(rows.flat(), ['waiting', 'duplicate', 'duplicate'])
  assert.equal((await entryOf(id)).repeats.length, 2)
  assert.equal((await roll()).filter((entry) => entry.reference === reference).length, 1)
})

test('a message that denies the payment while its money is taken or dismissed stops it when that is undone', async () => {
  for (const [act, back] of [
    [(id: string) => take(id), (id: string) => undo(id)],
    [
      (id: string) => cashier.ask('POST', `/unmatched/${id}/dismiss/`, { body: { reason: 'a story' } }),
      (id: string) => cashier.ask('POST', `/unmatched/${id}/undo-dismiss/`),
    ],
  ] as const) {
    const reference = newReference()
    const id = await money('1500.00', reference)
    assert.equal((await act(id)).status, 200)
    await story.record([story.report(story.paid('1500.00', reference, 'علي المثال ملغاة'))])
    const undone = await back(id)
    assert.deepEqual([undone.body.state, undone.body.reason.code], ['review', 'denied'], undone.text)
    const { body: order } = await create({ amount: '1500.00' })
    await attach(order.id, reference)
    assert.equal((await service.ask('GET', `/intents/${order.id}/`)).body.status, 'PENDING')
  }
})

test('a second wording of a payment that was taken is asked about, and free again when the sale is undone', async () => {
  clock.advance(3 * 24 * 3_600_000)
  const told = newReference()
  const wording = async (text: string): Promise<string> => {
    await story.record([story.report(text)])
    return (await sql('select id from alerts order by id desc limit 1'))[0]![0]!
  }
  const first = await wording(transferText('1730.00', '91730.00'))
  const second = await money('1730.00', told)
  const taken = await take(first, { amount: '1730.00', looked: true })
  assert.equal(taken.status, 200, taken.text)
  // The other wording verifies no order meanwhile.
  const { body: order } = await create({ amount: '1730.00' })
  await attach(order.id, told)
  assert.equal((await service.ask('GET', `/intents/${order.id}/`)).body.status, 'PENDING')
  assert.equal((await entryOf(second)).state, 'look')
  assert.ok((await entryOf(second)).doubts.some(({ code }) => code === 'same_payment'))
  const again = await take(second, { amount: '1730.00', looked: true })
  assert.deepEqual(errorsOf(again), ['may_be_same_payment@non_field_errors'])
  await undo(first)
  assert.equal((await service.ask('GET', `/intents/${order.id}/`)).body.status, 'VERIFIED')
  const after = await take(first, { amount: '1730.00', looked: true })
  assert.deepEqual(errorsOf(after), ['may_be_same_payment@non_field_errors'])
  assert.equal((await take(first, { amount: '1730.00', looked: true, another_payment: true })).status, 200)
  await finish()
  assert.equal((await intentsOf(first)).length, 1)
  await assertMoneyInvariants(sql)
})

test('a sale is finished although its wallet is closed, its phone switched off or its account suspended meanwhile', async () => {
  const ids = [await money('1500.00', newReference()), await money('1500.00', newReference())]
  for (const id of ids) assert.equal((await take(id)).status, 200)
  await sql(`update wallets set active = false where id = $1`, [demo.wallets.main])
  await sql(`update devices set switched_on = false where id = $1`, [demo.device.id])
  await sql(`update accounts set status = 'SUSPENDED' where id = $1`, [story.accountId])
  await finish()
  for (const id of ids) assert.equal((await intentsOf(id)).length, 1)
  await sql(`update wallets set active = true where id = $1`, [demo.wallets.main])
  await sql(`update devices set switched_on = true where id = $1`, [demo.device.id])
  await sql(`update accounts set status = 'ACTIVE' where id = $1`, [story.accountId])
  clock.advance(3_000)
})

test('bad input changes nothing: another amount, a long order number, test money, another account, a viewer', async () => {
  const id = await money('1500.00', newReference())
  assert.deepEqual(errorsOf(await take(id, { amount: '1501.00' })), ['sale_amount_changed@amount'])
  assert.deepEqual(errorsOf(await take(id, { external_order_id: 'x'.repeat(129) })), ['max_length@external_order_id'])
  assert.deepEqual(errorsOf(await take(id, { note: 'x'.repeat(301) })), ['max_length@note'])
  assert.equal((await take(id, {}, stranger.ask)).status, 404)
  assert.equal((await take(id, {}, viewer.ask)).status, 403)
  assert.equal((await undo(id, viewer.ask)).status, 403)
  assert.equal(await stateOf(id), 'waiting')
  const body = { wallet: demo.wallets.test, amount: '700.00', reference: 'TEST-7001' }
  const paid = await owner.ask('POST', '/test-payment/', { body })
  assert.equal(paid.status, 201, paid.text)
  const refused = await take(paid.body.alert, { amount: '700.00', looked: true })
  assert.deepEqual(errorsOf(refused), ['sale_of_test_money@non_field_errors'])
  assert.ok(!(await roll()).some((entry) => entry.id === paid.body.alert))
})

test('a paid intent is handed over once; the second is told who and when', async () => {
  const reference = newReference()
  const { body: order } = await create({ amount: '2750.00', external_order_id: 'B-7' })
  const early = await cashier.ask('POST', `/intents/${order.id}/hand-over/`)
  assert.deepEqual(errorsOf(early), ['intent_not_paid@non_field_errors'])
  await attach(order.id, reference)
  const id = await money('2750.00', reference)
  assert.deepEqual([(await entryOf(id)).state, (await entryOf(id)).handed_over], ['paid', null])
  const both = await Promise.all([
    cashier.ask('POST', `/intents/${order.id}/hand-over/`),
    huda.ask('POST', `/intents/${order.id}/hand-over/`),
  ])
  assert.deepEqual(both.map(({ body }) => body.first).sort(), [false, true])
  assert.equal(both[0].body.by, both[1].body.by)
  clock.advance(60_000)
  const again = await owner.ask('POST', `/intents/${order.id}/hand-over/`)
  assert.deepEqual([again.status, again.body], [200, { ...both[0].body, first: false }])
  assert.equal((await entryOf(id)).handed_over!.by, both[0].body.by)
  const found = (await cashier.ask('GET', '/search/?q=2750')).body
  assert.deepEqual(found.handed_over, [{ intent: order.id, by: again.body.by, at: again.body.at }])
  assert.equal((await cashier.ask('POST', `/intents/${order.id}/hand-over/`, {})).status, 200)
  assert.equal((await stranger.ask('POST', `/intents/${order.id}/hand-over/`)).status, 404)
  assert.equal((await viewer.ask('POST', `/intents/${order.id}/hand-over/`)).status, 403)
})

test('a sale that was taken on one node is undone on another, by another cashier', async () => {
  const id = await money('1500.00', newReference())
  const node = await service.startNode()
  const away = askWith(node, huda.session.token)
  assert.equal((await take(id)).status, 200)
  assert.deepEqual(
    (await away('GET', '/counter/')).body.undoable.map((entry: RollEntry) => entry.id),
    [id],
  )
  assert.equal((await undo(id, away)).status, 200)
  assert.equal(await stateOf(id), 'waiting')
  assert.deepEqual((await cashier.ask('GET', '/counter/')).body.undoable, [])
  await finish()
  assert.deepEqual(await intentsOf(id), [])
  await node.close()
})

test('money of the same amount in another wallet stays as it is while a sale is taken, undone and finished', async () => {
  const shopPhone = phone(service.origin, clock.now, demo.device)
  const second = async (reference: string): Promise<string> => {
    const received_at = Math.floor(clock.now() / 1000)
    const report = {
      client_id: reference,
      kind: 'sms',
      sender: 'Jawali',
      text: purchaseText('1500.00', reference),
      received_at,
    }
    const answer = await shopPhone.alerts([{ ...report, sim_slot: 'SIM2' }])
    assert.equal(answer.status, 200, answer.text)
    return (await sql('select id from alerts where reference = $1', [reference]))[0]![0]!
  }
  const first = await money('1500.00', newReference())
  assert.equal((await take(first)).status, 200)
  const other = await second(newReference())
  const shown = async () => {
    const { state, doubts, wallet } = await entryOf(other)
    return { state, doubts, wallet: wallet.id }
  }
  const untouched = { state: 'unmatched', doubts: [], wallet: demo.wallets.second }
  assert.deepEqual(await shown(), untouched)
  assert.equal((await undo(first)).status, 200)
  assert.deepEqual(await shown(), untouched)
  assert.equal((await take(first)).status, 200)
  assert.equal((await take(other, {}, huda.ask)).status, 200, 'both are sales, each of its own wallet')
  await finish()
  for (const id of [first, other]) assert.equal((await intentsOf(id)).length, 1)
})

test('what was handed over is found as such by its reference, the end of it, its payer, its order and its code', async () => {
  const reference = '220799005577'
  const { body: order } = await create({ amount: '2790.00', external_order_id: 'H-77' })
  await attach(order.id, reference)
  await money('2790.00', reference)
  assert.equal((await cashier.ask('POST', `/intents/${order.id}/hand-over/`)).status, 200)
  const payer = (await roll()).find((entry) => entry.reference === reference)!.payer
  for (const query of [reference, '5577', payer, 'H-77', order.code, '2790']) {
    const { body } = await huda.ask('GET', `/search/?q=${encodeURIComponent(query)}`)
    const mark = body.handed_over.find(({ intent }: { intent: string }) => intent === order.id)
    assert.match(mark?.by ?? '', /A cashier/, query)
  }
})

test('the roll goes on page by page and names every credit once', async () => {
  const seen: string[] = []
  let after = ''
  do {
    const { body } = await cashier.ask('GET', `/counter/roll/?page_size=3${after === '' ? '' : `&after=${after}`}`)
    seen.push(...body.results.map(({ id }: RollEntry) => id))
    after = body.next ?? ''
  } while (after !== '')
  const credits = await sql(
    `select a.id from alerts a join wallets w on w.id = a.wallet_id
      where a.account_id = $1 and a.direction = 'credit' and a.state <> 'duplicate' and not w.is_test order by a.id desc`,
    [story.accountId],
  )
  assert.deepEqual(seen, credits.flat())
  assert.deepEqual(await roll(stranger.ask), [])
})

test('the background loops of two nodes finish every sale once; what was undone is not finished', async () => {
  const nodes = [await service.startNode(), await service.startNode()]
  const ids: string[] = []
  for (let n = 0; n < 12; n++) ids.push(await money('1500.00', newReference()))
  assert.ok((await Promise.all(ids.map((id) => take(id)))).every(({ status }) => status === 200))
  const [undone, ...sold] = ids as [string, ...string[]]
  assert.equal((await undo(undone)).status, 200)
  clock.advance(10_000)
  for (const node of nodes) node.service.work()
  const finished = async () => Number((await sql('select count(*) from counter_sales where intent_id is null'))[0]![0])
  const end = performance.now() + 30_000
  while ((await finished()) > 0 && performance.now() < end) await new Promise((done) => setTimeout(done, 50))
  for (const id of sold) assert.equal((await intentsOf(id)).length, 1)
  assert.deepEqual([await intentsOf(undone), await stateOf(undone)], [[], 'waiting'])
  await assertMoneyInvariants(sql)
  await Promise.all(nodes.map((node) => node.close()))
})

test('one touch asks first while an order of the same amount waits in the wallet; one that waits for another reference does not', async () => {
  clock.advance(48 * 3_600_000)
  const order = (await create({ amount: '7310.00', external_order_id: 'W-1' })).body
  const id = await money('7310.00', newReference())
  const asked = await take(id, { amount: '7310.00', not_for_order: false })
  assert.deepEqual([asked.status, errorsOf(asked)], [400, ['sale_order_waits@not_for_order']])
  assert.deepEqual([asked.body.facts.intent, asked.body.facts.order], [order.id, 'W-1'])
  assert.equal(await stateOf(id), 'waiting')
  assert.deepEqual(await sql('select 1 from counter_sales where alert_id = $1', [id]), [])
  assert.equal((await take(id, { amount: '7310.00' })).status, 200)
  await finish()
  assert.equal((await intentsOf(id)).length, 1)
  // The order has a reference of its own: other money of this amount is not for it.
  await attach(order.id, newReference())
  const other = await money('7310.00', newReference())
  assert.equal((await take(other, { amount: '7310.00', not_for_order: false })).status, 200)
  // Another amount, and an order that is over, are no reason to ask.
  await create({ amount: '7311.00' })
  const third = await money('7312.00', newReference())
  assert.equal((await take(third, { amount: '7312.00', not_for_order: false })).status, 200)
  const over = (await create({ amount: '7313.00' })).body
  await cashier.ask('POST', `/intents/${over.id}/cancel/`)
  const fourth = await money('7313.00', newReference())
  assert.equal((await take(fourth, { amount: '7313.00', not_for_order: false })).status, 200)
})
