/** The queue of unmatched alerts over HTTP: what a user can do with an alert, and what several users do at once. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@sanad/contract/dashboard/money/unmatched'
import { unlimited } from '../../src/accounts/limits/role-limits.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { cancelIntent } from '../../src/intents/cancel-intent.ts'
import { joinTransaction } from '../../src/postgres/query/joined.ts'
import { intentFinder } from '../../src/views/intents/find-intents.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo, sql, create } = service
const story = await queueStory(service)
const { owner, cashier, manager, viewer, money, reportTransfer, attach, newReference, stateOf, audited } = story
const zone = zoneOf('Asia/Aden')

const act = (id: string, action: string, body?: unknown, member = cashier) =>
  member.ask('POST', `/unmatched/${id}/${action}/`, { body })
const book = (id: string, intent: { id: string; payable_amount: string }, alertAmount = '1500.00', member = cashier) =>
  act(id, 'book', { intent: intent.id, alert_amount: alertAmount, intent_amount: intent.payable_amount }, member)
const list = async (query: string, member = cashier): Promise<string[]> =>
  (await member.ask('GET', `/unmatched/?${query}`)).body.results.map(({ id }: { id: string }) => id)
const statusOf = async (id: string): Promise<string> => (await service.ask('GET', `/intents/${id}/`)).body.status

test('the queue has unmatched alerts, each with its reason and the intents it may belong to', async () => {
  const near = (await create({ external_order_id: 'near' })).body
  const other = (await create({ amount: '99.00' })).body
  clock.advance(30_000)
  const id = await reportTransfer('1500', '9000')
  const answer = await cashier.ask('GET', '/unmatched/')
  assert.equal(answer.status, 200, answer.text)
  fits(contract.listUnmatched.answer, answer)
  const alert = answer.body.results[0]
  assert.deepEqual([alert.id, alert.state, alert.reason.code, alert.amount], [id, 'review', 'no_reference', '1500.00'])
  assert.match(alert.text, /استلمت/)
  assert.deepEqual(
    alert.likely.map(({ id, reasons }: { id: string; reasons: { code: string }[] }) => [
      id,
      reasons.map(({ code }) => code).join(' '),
    ]),
    [[near.id, 'same_amount made_before no_reference_yet']],
  )
  assert.equal(other.payable_amount, '99.00')
  assert.deepEqual(alert.doubts, [{ code: 'phone_new', facts: {} }])
  fits(contract.showAlert.answer, await viewer.ask('GET', `/unmatched/${id}/`))
  const counts = await viewer.ask('GET', '/unmatched/counts/')
  fits(contract.countUnmatched.answer, counts)
  assert.deepEqual(counts.body.review, { count: 1, more: false })
})

test('a late payment is offered the expired intent with its reference, and is booked to a copy of it', async () => {
  const reference = newReference()
  const old = (await create({ external_order_id: 'late order', notes: 'gift' })).body
  await attach(old.id, reference)
  clock.advance(3_600_000)
  const id = await money('1500.00', reference)
  const { body } = await cashier.ask('GET', `/unmatched/${id}/`)
  assert.deepEqual(
    [body.likely[0].id, body.likely[0].status, body.likely[0].reasons[0].code],
    [old.id, 'EXPIRED', 'same_reference'],
  )
  assert.deepEqual(errorsOf(await book(id, old)), ['intent_not_pending@intent'])
  const answer = await act(id, 'book-copy', { intent: old.id, alert_amount: '1500.00', intent_amount: '1500.00' })
  assert.equal(answer.status, 200, answer.text)
  fits(contract.bookOntoCopy.answer, answer)
  assert.equal(answer.body.intent.external_order_id, 'late order')
  assert.equal(answer.body.intent.manual_override, true)
  assert.equal(answer.body.alert.state, 'booked')
  assert.equal(await statusOf(old.id), 'EXPIRED')
  assert.deepEqual(await audited(id), [`alert.book A cashier <${cashier.email}>`])
  assert.deepEqual(await audited(answer.body.intent.id), [`intent.book A cashier <${cashier.email}>`])
  const fresh = (await create()).body
  const again = await act(id, 'book-copy', { intent: fresh.id, alert_amount: '1500.00', intent_amount: '1500.00' })
  assert.deepEqual(errorsOf(again), ['alert_not_open@non_field_errors'])
})

test('booking is refused if the amounts in the request differ from those of the alert and the intent', async () => {
  const id = await reportTransfer('700', '9700')
  const intent = (await create({ amount: '800.00' })).body
  for (const [alertAmount, intentAmount] of [
    ['700.01', '800.00'],
    ['700.00', '800.01'],
    ['800.00', '700.00'],
  ]) {
    const answer = await act(id, 'book', { intent: intent.id, alert_amount: alertAmount, intent_amount: intentAmount })
    assert.deepEqual(errorsOf(answer), ['amount_changed@non_field_errors'])
    assert.deepEqual(answer.body.facts, { alert_amount: '700.00', intent_amount: '800.00' })
  }
  assert.equal(await statusOf(intent.id), 'PENDING')
  assert.deepEqual(await audited(id), [])
  const booked = await book(id, intent, '700.00')
  assert.equal(booked.status, 200, booked.text)
  const detail = (await service.ask('GET', `/intents/${intent.id}/`)).body
  assert.deepEqual([detail.status, detail.manual_override, detail.paid_amount], ['VERIFIED', true, null])
})

test('a booking or another action that the alert does not allow is refused, each with its own error', async () => {
  const id = await reportTransfer('10', '9710')
  const elsewhere = (await create({ wallet: demo.wallets.second })).body
  assert.deepEqual(errorsOf(await book(id, elsewhere, '10.00')), ['intent_of_other_wallet@intent'])
  const nothing = { id: randomUUID(), payable_amount: '1.00' }
  assert.deepEqual(errorsOf(await book(id, nothing, '10.00')), ['does_not_exist@intent'])
  assert.deepEqual(errorsOf(await act(id, 'book', {})), [
    'required@intent',
    'required@alert_amount',
    'required@intent_amount',
  ])
  assert.equal((await book(randomUUID(), elsewhere)).status, 404)
  assert.deepEqual(errorsOf(await act(id, 'release')), ['alert_not_held@non_field_errors'])
  assert.deepEqual(errorsOf(await act(id, 'undo-dismiss')), ['alert_not_dismissed@non_field_errors'])
  assert.deepEqual(errorsOf(await act(id, 'dismiss', {})), ['required@reason'])
  assert.deepEqual(errorsOf(await act(id, 'dismiss', { reason: 'x'.repeat(301) })), ['max_length@reason'])
  assert.equal((await act(id, 'dismiss', { reason: 'x' }, viewer)).status, 403)
  await story.record([story.report('words that nobody understands')])
  const unread = (await list('state=unread'))[0]!
  assert.match((await book(unread, elsewhere)).body.errors[0].detail, /Nobody understood/)
})

test('of two alerts with one reference and two amounts the second can be booked only after the first was dismissed', async () => {
  const reference = newReference()
  const first = await money('1500.00', reference)
  clock.advance(10_000)
  const second = await money('70.00', reference)
  assert.deepEqual((await cashier.ask('GET', `/unmatched/${second}/`)).body.reason, {
    code: 'second_amount',
    facts: { other: first, other_amount: '1500.00' },
  })
  const intent = (await create({ amount: '70.00' })).body
  assert.deepEqual(errorsOf(await book(second, intent, '70.00')), ['reference_taken@non_field_errors'])
  assert.equal((await act(first, 'dismiss', { reason: 'made up' })).status, 200)
  assert.equal((await book(second, intent, '70.00')).status, 200)
  // The reference is now used by the second alert.
  const back = await act(first, 'undo-dismiss')
  assert.deepEqual(errorsOf(back), ['reference_taken@non_field_errors'])
  assert.equal(back.body.facts.alert, second)
  await assertMoneyInvariants(sql)
})

test('a dismissed alert matches nothing; restored, it is matched with the intent that came meanwhile', async () => {
  const reference = newReference()
  const id = await money('1500.00', reference)
  const dismissal = await act(id, 'dismiss', { reason: '  not for an order  ' })
  fits(contract.dismissAlert.answer, dismissal)
  assert.deepEqual(
    [dismissal.body.state, dismissal.body.dismissed.reason, dismissal.body.dismissed.by],
    ['dismissed', 'not for an order', `A cashier <${cashier.email}>`],
  )
  assert.ok(!(await list('')).includes(id))
  assert.ok((await list('state=dismissed')).includes(id))
  assert.match((await act(id, 'dismiss', { reason: 'again' }, manager)).body.errors[0].detail, /put aside by A cashier/)

  const intent = (await create()).body
  const patched = await attach(intent.id, reference)
  assert.deepEqual([patched.status, patched.body.status], [200, 'PENDING'])
  clock.advance(60_000)
  // The phone reports it again: still dismissed.
  await money('1500.00', reference)
  assert.equal(await statusOf(intent.id), 'PENDING')

  const back = await act(id, 'undo-dismiss', undefined, manager)
  assert.equal(back.status, 200, back.text)
  assert.deepEqual([back.body.state, back.body.intent.id], ['matched', intent.id])
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  assert.deepEqual(
    back.body.history.map(({ action }: { action: string }) => action),
    ['alert.undo_dismiss', 'alert.dismiss'],
  )
  assert.deepEqual(await audited(intent.id), [`intent.match A manager <${manager.email}>`])
  await assertMoneyInvariants(sql)
})

test('a restored alert owes payment.unmatched again if that was not sent before', async () => {
  const open = (await create({ amount: '5.00' })).body
  const reference = newReference()
  const id = await money('44.00', reference)
  const owed = async () => (await sql('select unmatched_owed from alerts where id = $1', [id]))[0]![0]
  assert.equal(await owed(), 't')
  await act(id, 'dismiss', { reason: 'x' })
  assert.equal(await owed(), 'f')
  await act(id, 'undo-dismiss')
  assert.equal(await owed(), 't')
  assert.equal(await stateOf(id), 'waiting')
  await service.db.transaction((tx) =>
    cancelIntent(
      tx,
      zone,
      intentFinder(joinTransaction(tx)),
      { scope: wholeAccount(story.accountId), id: open.id, by: 'story', allowed: unlimited },
      clock.now(),
    ),
  )
})

test('after an untrusted alert was dismissed, a trusted one of the same money is in the queue and can be booked', async () => {
  const reference = newReference()
  const intent = (await create({ amount: '20.00' })).body
  await attach(intent.id, reference)
  const doubtful = await money('20.00', reference, false)
  await act(doubtful, 'dismiss', { reason: 'looks made up' })
  clock.advance(10_000)
  const trusted = await money('20.00', reference)
  const { body } = await cashier.ask('GET', `/unmatched/${trusted}/`)
  assert.deepEqual([body.state, body.reason.code, body.reason.facts.other], ['review', 'dismissed_before', doubtful])
  assert.equal(await statusOf(intent.id), 'PENDING')
  clock.advance(10_000)
  // The same message again is a duplicate.
  assert.equal(await stateOf(await money('20.00', reference)), 'duplicate')
  assert.equal((await book(trusted, intent, '20.00')).status, 200)
  await assertMoneyInvariants(sql)
})

test('a held alert is released; dismissed while held and restored, it is held again', async () => {
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  const reference = newReference()
  const id = await money('1500.00', reference)
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
  clock.advance(2_000)
  assert.equal((await cashier.ask('GET', `/unmatched/${id}/`)).body.reason.facts.device, 'Shop phone')
  await act(id, 'dismiss', { reason: 'x' })
  assert.equal((await act(id, 'undo-dismiss')).body.state, 'held')
  const intent = (await create()).body
  await attach(intent.id, reference)
  const released = await Promise.all([
    act(id, 'release'),
    act(id, 'release', undefined, manager),
    act(id, 'release', undefined, owner),
  ])
  assert.deepEqual(released.map(({ status }) => status).sort(), [200, 400, 400])
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  await assertMoneyInvariants(sql)
})

test('an alert in review is offered the intent with its reference, also if it asks for another amount', async () => {
  const paid = (await create({ amount: '1777.00' })).body
  const plain = await reportTransfer('1777', '91777')
  const booking = { intent: paid.id, alert_amount: '1777.00', intent_amount: '1777.00' }
  assert.equal((await act(plain, 'book', booking)).status, 200)
  const reference = newReference()
  const named = (await create({ amount: '1800.00' })).body
  await attach(named.id, reference)
  const near = (await create({ amount: '1777.00' })).body
  const id = await money('1777.00', reference)
  const { body } = await cashier.ask('GET', `/unmatched/${id}/`)
  assert.equal(body.state, 'review')
  assert.ok(body.doubts.some(({ code }: { code: string }) => code === 'same_payment'))
  const likely = body.likely.map((intent: { id: string; payable_amount: string; reasons: { code: string }[] }) => [
    intent.id,
    intent.payable_amount,
    intent.reasons.map(({ code }) => code).join(' '),
  ])
  assert.deepEqual(likely, [
    [named.id, '1800.00', 'same_reference other_amount made_before'],
    [near.id, '1777.00', 'same_amount made_before no_reference_yet'],
  ])
  fits(contract.showAlert.answer, await cashier.ask('GET', `/unmatched/${id}/`))
  // It is offered, never matched: its amount is another.
  assert.equal(await statusOf(named.id), 'PENDING')
  await act(id, 'dismiss', { reason: 'a test' })
  await Promise.all([named, near].map((intent) => service.ask('POST', `/intents/${intent.id}/cancel/`)))
})

test('the queue is filtered, paged and ordered both ways; all errors of a query are returned together', async () => {
  clock.advance(3_600_000)
  const from = new Date(clock.now()).toISOString()
  const created: string[] = []
  for (let i = 0; i < 5; i++) {
    clock.advance(1000)
    created.push(await money(`${300 + i}.00`, `FIND${i}00000000`.slice(0, 12)))
  }
  assert.deepEqual(await list(`from=${from}`), created.toReversed())
  assert.deepEqual(await list(`from=${from}&ordering=received_at`), created)
  const walked: string[] = []
  let after = ''
  for (let pages = 0; pages < 5 && after !== null; pages++) {
    const { body } = await cashier.ask('GET', `/unmatched/?from=${from}&page_size=2&after=${after}`)
    walked.push(...body.results.map(({ id }: { id: string }) => id))
    after = body.next
  }
  assert.deepEqual(walked, created.toReversed())
  assert.deepEqual(await list(`from=${from}&amount=302`), [created[2]])
  assert.deepEqual(await list(`from=${from}&search=find3`), [created[3]])
  assert.deepEqual(
    await list(`from=${from}&search=${encodeURIComponent('تجريبي')}&state=waiting,held`),
    created.toReversed(),
  )
  assert.deepEqual(await list(`from=${from}&wallet=${demo.wallets.main}`), created.toReversed())
  assert.deepEqual(await list(`from=${from}&wallet=${demo.wallets.second}`), [])
  assert.deepEqual(await list(`from=${from}&state=review`), [])
  await owner.ask('PATCH', '/account/', { body: { time_zone: 'America/New_York' } })
  clock.advance(2_000)
  const local = zoneOf('America/New_York').format(new Date(from)).slice(0, 19)
  assert.deepEqual(await list(`from=${local}`), created.toReversed(), 'without an offset: in the zone of the account')
  assert.deepEqual(await list(`from=${from}&until=${local}`), [])
  await owner.ask('PATCH', '/account/', { body: { time_zone: '' } })
  clock.advance(2_000)
  const refused = await cashier.ask(
    'GET',
    '/unmatched/?state=matched&wallet=x&from=never&amount=1.234&after=x&ordering=sender&search=%00',
  )
  assert.deepEqual(errorsOf(refused).sort(), [
    'invalid@after',
    'invalid@from',
    'invalid@wallet',
    'invalid_choice@ordering',
    'invalid_choice@state',
    'max_decimal_places@amount',
    'null_characters_not_allowed@search',
  ])
  for (const odd of [
    'page_size=-1',
    'page_size=x',
    'amount=-5',
    'search=%25_%5C',
    'search=%E2%80%8F',
    'until=1900-01-01',
    `after=${randomUUID()}`,
  ])
    assert.equal((await cashier.ask('GET', `/unmatched/?${odd}`)).status, 200, odd)
})

test('the list of all alerts also has those that were matched or booked, for roles that may see phones', async () => {
  const answer = await viewer.ask('GET', `/alerts/?device=${demo.device.id}&page_size=200`)
  fits(contract.listAlerts.answer, answer)
  const states = new Set(answer.body.results.map(({ state }: { state: string }) => state))
  for (const state of ['matched', 'booked', 'duplicate', 'waiting']) assert.ok(states.has(state), state)
  assert.equal((await viewer.ask('GET', '/alerts/?state=booked,matched')).status, 200)
  assert.equal((await cashier.ask('GET', '/alerts/')).status, 403)
  const theirs = await story.stranger.ask('GET', '/alerts/')
  assert.deepEqual(theirs.body.results, [])
})

// Races. After each of them all money invariants must hold.

const wins = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length
const assertNoFault = (answers: readonly Answer[]): void => {
  for (const answer of answers) assert.ok(answer.status === 200 || answer.status === 400, answer.text)
}

test('three members book the same alert at once: one wins, the others get the name of the first', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await money('1500.00', newReference())
    const [first, second] = [(await create()).body, (await create()).body]
    const answers = await Promise.all([
      book(id, first),
      book(id, second, '1500.00', manager),
      book(id, first, '1500.00', owner),
    ])
    assertNoFault(answers)
    assert.equal(wins(answers), 1)
    const [winner] = answers.filter(({ status }) => status === 200)
    for (const loser of answers.filter(({ status }) => status === 400)) {
      assert.deepEqual(errorsOf(loser), ['alert_not_open@non_field_errors'])
      assert.match(
        loser.body.errors[0].detail,
        /^This money was booked onto payment \w+ by A (cashier|manager|owner) </,
      )
      assert.equal(loser.body.facts.intent, winner!.body.intent.id)
    }
  }
  await assertMoneyInvariants(sql)
})

test('two alerts are booked to one intent at once: one is booked, the other stays in the queue', async () => {
  for (let round = 0; round < 8; round++) {
    const ids = [await money('1500.00', newReference()), await money('1500.00', newReference())]
    const intent = (await create()).body
    const answers = await Promise.all([book(ids[0]!, intent), book(ids[1]!, intent, '1500.00', manager)])
    assertNoFault(answers)
    assert.equal(wins(answers), 1)
    const loser = answers.find(({ status }) => status === 400)!
    assert.deepEqual(errorsOf(loser), ['intent_not_pending@intent'])
    assert.match(loser.body.errors[0].detail, /is VERIFIED by A (cashier|manager)/)
    assert.deepEqual((await Promise.all(ids.map(stateOf))).sort(), ['booked', 'waiting'])
  }
  await assertMoneyInvariants(sql)
})

test('a booking and the merchant’s PATCH at once: one of them uses the alert, never both', async () => {
  for (let round = 0; round < 12; round++) {
    const reference = newReference()
    const id = await money('1500.00', reference)
    const [first, second] = [(await create()).body, (await create()).body]
    const target = round % 2 === 0 ? first : second
    const answers = await Promise.all([book(id, first), attach(target.id, reference)])
    assertNoFault(answers)
    const statuses = await Promise.all([statusOf(first.id), statusOf(second.id)])
    assert.equal(statuses.filter((status) => status === 'VERIFIED').length, 1)
  }
  await assertMoneyInvariants(sql)
})

test('a booking and a cancellation: one of them wins', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await money('1500.00', newReference())
    const intent = (await create()).body
    const cancellation = { scope: wholeAccount(story.accountId), id: intent.id, by: 'user a', allowed: unlimited }
    const [booked, cancelled] = await Promise.all([
      book(id, intent),
      service.db.transaction((tx) =>
        cancelIntent(tx, zone, intentFinder(joinTransaction(tx)), cancellation, clock.now()),
      ),
    ])
    assertNoFault([booked])
    assert.equal(booked.status === 200, 'refused' in cancelled)
    assert.equal(await statusOf(intent.id), booked.status === 200 ? 'VERIFIED' : 'CANCELLED')
    if (booked.status === 400) assert.match(booked.body.errors[0].detail, /is CANCELLED by user a/)
  }
  await assertMoneyInvariants(sql)
})

test('dismissing an alert and the arrival of its reference: matched or dismissed, never both', async () => {
  const states = new Set<string>()
  for (let round = 0; round < 12; round++) {
    const reference = newReference()
    const id = await money('1500.00', reference)
    const intent = (await create()).body
    const [dismissal, patched] = await Promise.all([act(id, 'dismiss', { reason: 'x' }), attach(intent.id, reference)])
    assertNoFault([dismissal, patched])
    assert.equal(patched.status, 200)
    states.add(await stateOf(id))
    assert.equal(await statusOf(intent.id), dismissal.status === 200 ? 'PENDING' : 'VERIFIED')
    if (dismissal.status === 400) assert.match(dismissal.body.errors[0].detail, /^This money was matched with payment/)
    const both = await Promise.all([act(id, 'undo-dismiss'), act(id, 'undo-dismiss', undefined, manager)])
    assertNoFault(both)
    assert.equal(wins(both), dismissal.status === 200 ? 1 : 0)
    assert.equal(await statusOf(intent.id), 'VERIFIED')
  }
  assert.ok([...states].every((state) => ['matched', 'dismissed'].includes(state)))
  await assertMoneyInvariants(sql)
})

test('dismissing, booking, releasing and restoring all at once: no fault, and the money invariants hold', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await money('1500.00', newReference())
    const intent = (await create()).body
    const answers = await Promise.all([
      act(id, 'dismiss', { reason: 'x' }),
      book(id, intent),
      act(id, 'undo-dismiss', undefined, manager),
      act(id, 'release', undefined, owner),
      act(id, 'dismiss', { reason: 'y' }, owner),
    ])
    assertNoFault(answers)
  }
  assert.ok(!service.lines.some((line) => line.includes('a request failed')))
  await assertMoneyInvariants(sql)
})
