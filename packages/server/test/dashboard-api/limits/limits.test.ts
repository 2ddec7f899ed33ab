/** Limits by role over HTTP: what is over a limit waits as a request, which a manager or an owner confirms within their own limits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRequests, showRequest } from '@sanad/contract/dashboard/money/requests'
import { changeLimits, showLimits } from '@sanad/contract/dashboard/people/limits'
import { mostOpenOfMember } from '../../../src/accounts/requests/limit-request.ts'
import { minute_ms } from '../../../src/core/duration.ts'
import { zoneOf } from '../../../src/core/zone.ts'
import { finishSales } from '../../../src/matching/queue/finish-sales.ts'
import { endRequests } from '../../../src/work/end-requests.ts'
import { assertMoneyInvariants } from '../../support/money-invariants.ts'
import { fits, queueStory } from '../../support/queue-story.ts'
import { type Answer, errorsOf, ok, openTestService } from '../../support/story.ts'
import { type AskAs, createMember } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, sql, db } = service
const story = await queueStory(service, { limits: true })
const { owner, manager, cashier, viewer, stranger, money, attach, newReference, stateOf, accountId } = story
const second = await createMember(service, accountId, 'manager')
const secondOwner = await createMember(service, accountId, 'owner')
clock.advance(2 * 24 * 3_600_000)

const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`
const setLimits = async (body: object) => {
  const answer = ok(await owner.ask('PATCH', '/limits/', { body }))
  fits(changeLimits.answer, answer)
}
const none = { short_amount: '0', booked_amount: null }
const usual = () => setLimits({ manager: none, cashier: { ...none, cancel: false, take_sales: true } })
const intentOf = async (amount: string, more: object = {}): Promise<string> =>
  ok(await create({ amount, ...more })).body.id
const statusOf = async (id: string) => (await service.ask('GET', `/intents/${id}/`)).body.status
const timeline = async (id: string): Promise<string[]> =>
  (await owner.ask('GET', `/intents/${id}/`)).body.timeline.map(
    ({ kind, by }: { kind: string; by: { name: string } }) => `${kind} ${by.name}`.trim(),
  )
const booking = (intent: string, alert_amount: string, intent_amount: string) => ({
  body: { intent, alert_amount, intent_amount },
})
/** Money of one amount and an order of another. */
const short = async (arrived = '1400.00', asked = '1500.00') => {
  const intent = await intentOf(asked)
  const alert = await money(arrived, newReference())
  const path = `/unmatched/${alert}/book/`
  return { intent, alert, path, with: booking(intent, arrived, asked) }
}
/** An order that ended because too little arrived. */
const wrong = async (paid: string, asked: string, more: object = {}) => {
  const intent = await intentOf(asked, more)
  const reference = newReference()
  ok(await attach(intent, reference))
  const alert = await money(paid, reference)
  assert.equal(await statusOf(intent), 'WRONG_AMOUNT')
  return { intent, alert, body: { paid_amount: paid } }
}
const asked = async (ask: AskAs, path: string, options?: Parameters<AskAs>[2]): Promise<string> => {
  const answer = ok(await ask('POST', `${path}ask/`, options))
  fits(showRequest.answer, answer)
  assert.equal(answer.body.state, 'open')
  return answer.body.id
}
const confirm = (id: string, ask: AskAs = manager.ask) => ask('POST', `/requests/${id}/confirm/`)
const shown = async (id: string, ask: AskAs = owner.ask) => (await ask('GET', `/requests/${id}/`)).body
const sweep = () => endRequests(db, 100, clock.now(), () => {})

test('usual limits; only an owner changes them; raising one needs a proof, and the log has before and after', async () => {
  const usualLimits = { short_amount: '0.00', booked_amount: null }
  const before = await viewer.ask('GET', '/limits/')
  fits(showLimits.answer, before)
  assert.deepEqual(before.body, {
    currency: 'YER',
    manager: usualLimits,
    cashier: { ...usualLimits, cancel: false, take_sales: true, other_days: true },
  })
  const body = { cashier: { short_amount: '50', cancel: true } }
  for (const member of [manager, cashier, viewer])
    assert.equal(codeOf(await member.ask('PATCH', '/limits/', { body })), '403 permission_denied')
  clock.advance(11 * minute_ms)
  assert.equal(codeOf(await owner.askUnproved('PATCH', '/limits/', { body })), '403 confirmation_required')
  ok(await owner.askUnproved('PATCH', '/limits/', { body: { cashier: { take_sales: false } } }))
  ok(await owner.ask('PATCH', '/limits/', { body }))
  const after = (await owner.ask('GET', '/limits/')).body.cashier
  assert.deepEqual([after.short_amount, after.cancel, after.take_sales], ['50.00', true, false])
  const [entry] = (await owner.ask('GET', '/audit/?action=account.limits&page_size=1')).body.results
  assert.deepEqual(
    [entry.before.short_amount, entry.after.short_amount, entry.after.role],
    ['0.00', '50.00', 'cashier'],
  )
  // The same again changes nothing, and is not logged.
  const count = () => sql(`select count(*) from audit_log where action = 'account.limits'`)
  const logged = await count()
  ok(await owner.ask('PATCH', '/limits/', { body }))
  assert.deepEqual(await count(), logged)
  // Another account is not touched.
  assert.equal((await stranger.ask('GET', '/limits/')).body.cashier.short_amount, '0.00')
  for (const bad of ['-1', 'many', '1.234', {}])
    assert.equal((await owner.ask('PATCH', '/limits/', { body: { cashier: { short_amount: bad } } })).status, 400)
  assert.equal((await owner.ask('GET', '/limits/')).body.cashier.short_amount, '50.00')
  await usual()
})

test('a cashier books short of an order: refused, asked for, and confirmed by one touch of an owner, with both names in the timeline', async () => {
  const { intent, alert, path, with: body } = await short()
  const refused = await cashier.ask('POST', path, body)
  assert.equal(codeOf(refused), '403 over_limit')
  assert.deepEqual(refused.body.facts, {
    limits: 'short',
    amount: '1400.00',
    short: '100.00',
    currency: 'YER',
    most_short: '0.00',
  })
  assert.deepEqual([await statusOf(intent), await stateOf(alert)], ['PENDING', 'waiting'])
  const id = await asked(cashier.ask, path, body)
  assert.equal(await asked(cashier.ask, path, body), id, 'asking again gives the same request')
  const list = await owner.ask('GET', '/requests/?open=1')
  fits(listRequests.answer, list)
  const [first] = list.body.results
  assert.deepEqual(
    [first.id, first.short, first.own, first.may_confirm, first.asked_by],
    [id, '100.00', false, true, `A cashier <${cashier.email}>`],
  )
  // A manager has the same limit: it waits for an owner.
  assert.equal((await shown(id, manager.ask)).may_confirm, false)
  assert.equal(codeOf(await confirm(id)), '403 over_limit')
  assert.equal((await shown(id)).state, 'open')
  const done = ok(await confirm(id, owner.ask))
  assert.deepEqual([done.body.state, done.body.result], ['confirmed', intent])
  assert.deepEqual([await statusOf(intent), await stateOf(alert)], ['VERIFIED', 'booked'])
  const entries = await timeline(intent)
  assert.deepEqual(entries.slice(-3), [
    `request_asked A cashier <${cashier.email}>`,
    `request_confirmed A owner <${owner.email}>`,
    `booked A cashier <${cashier.email}>`,
  ])
  const history = (await owner.ask('GET', `/unmatched/${alert}/`)).body.history
  assert.deepEqual(history.map(({ action, by }: { action: string; by: string }) => `${action} ${by}`).sort(), [
    `alert.book A owner <${owner.email}>`,
    `request.ask A cashier <${cashier.email}>`,
    `request.confirm A owner <${owner.email}>`,
  ])
  // The money belongs to the cashier who took it.
  assert.deepEqual(await sql('select user_id from takings where alert_id = $1', [alert]), [[cashier.userId]])
  assert.equal((await sql(`select count(*) from events where intent_id = $1`, [intent]))[0]![0], '1')
  assert.equal(codeOf(await confirm(id, owner.ask)), '400 request_over')
  await assertMoneyInvariants(sql)
})

test('within the limit nothing is asked, and exactly the limit is within it', async () => {
  await setLimits({ cashier: { short_amount: '100' } })
  const within = await short('1400.00', '1500.00')
  assert.equal(codeOf(await cashier.ask('POST', `${within.path}ask/`, within.with)), '400 request_not_needed')
  ok(await cashier.ask('POST', within.path, within.with))
  const over = await short('1399.99', '1500.00')
  assert.equal(codeOf(await cashier.ask('POST', over.path, over.with)), '403 over_limit')
  // More than was asked for is not short.
  const more = await short('1600.00', '1500.00')
  ok(await cashier.ask('POST', more.path, more.with))
  await usual()
})

test('accepting a wrong amount and booking onto a copy have the same limit; collecting the rest is not short', async () => {
  const { intent, body } = await wrong('1400.00', '1500.00')
  assert.equal(codeOf(await cashier.ask('POST', `/intents/${intent}/accept-paid/`, { body })), '403 over_limit')
  assert.equal(codeOf(await manager.ask('POST', `/intents/${intent}/accept-paid/`, { body })), '403 over_limit')
  const id = await asked(cashier.ask, `/intents/${intent}/accept-paid/`, { body })
  const made = ok(await confirm(id, owner.ask)).body.result
  assert.equal(await statusOf(made), 'VERIFIED')
  assert.deepEqual(
    (await timeline(made)).filter((line) => line.startsWith('request_')),
    [`request_asked A cashier <${cashier.email}>`, `request_confirmed A owner <${owner.email}>`],
  )
  const rest = await wrong('1400.00', '1500.00')
  ok(await cashier.ask('POST', `/intents/${rest.intent}/collect-rest/`, { body: rest.body }))
  await setLimits({ cashier: { booked_amount: '1000' } })
  const large = await wrong('1400.00', '1500.00')
  assert.equal(
    codeOf(await cashier.ask('POST', `/intents/${large.intent}/collect-rest/`, { body: large.body })),
    '403 over_limit',
  )
  const collect = await asked(cashier.ask, `/intents/${large.intent}/collect-rest/`, { body: large.body })
  assert.equal(ok(await confirm(collect)).body.state, 'confirmed')
  await usual()

  const old = await intentOf('1500.00')
  const alert = await money('1400.00', newReference())
  clock.advance(2 * 3_600_000)
  const copy = booking(old, '1400.00', '1500.00')
  assert.equal(codeOf(await cashier.ask('POST', `/unmatched/${alert}/book-copy/`, copy)), '403 over_limit')
  const copied = await asked(cashier.ask, `/unmatched/${alert}/book-copy/`, copy)
  await sweep()
  assert.equal((await shown(copied)).state, 'open', 'an expired order can still be copied')
  const result = ok(await confirm(copied, owner.ask)).body.result
  assert.equal(await statusOf(result), 'VERIFIED')
  await assertMoneyInvariants(sql)
})

test('all of an order counts: a smaller intent or a sale with its number does not get around the limit', async () => {
  await setLimits({ cashier: { short_amount: '60' } })
  const order = { external_order_id: 'WHOLE-1' }
  await intentOf('1500.00', order)
  const smaller = ok(
    await cashier.ask('POST', '/intents/', {
      body: { amount: '1400.00', wallet: service.demo.wallets.main, ...order },
    }),
  )
  const alert = await money('1400.00', newReference())
  const body = booking(smaller.body.id, '1400.00', '1400.00')
  const refused = await cashier.ask('POST', `/unmatched/${alert}/book/`, body)
  assert.equal(`${codeOf(refused)} ${refused.body.facts?.short}`, '403 over_limit 100.00')
  const sale = { body: { amount: '1400.00', not_for_order: true, ...order } }
  assert.equal(codeOf(await cashier.ask('POST', `/unmatched/${alert}/take-sale/`, sale)), '403 over_limit')
  // In steps: what came before counts for the order.
  const first = await wrong('1000.00', '1500.00', { external_order_id: 'WHOLE-2' })
  ok(await cashier.ask('POST', `/intents/${first.intent}/collect-rest/`, { body: first.body }))
  const rest = await intentOf('500.00', { external_order_id: 'WHOLE-2' })
  const late = await money('430.00', newReference())
  const step = await cashier.ask('POST', `/unmatched/${late}/book/`, booking(rest, '430.00', '500.00'))
  assert.equal(`${codeOf(step)} ${step.body.facts?.short}`, '403 over_limit 70.00')
  const enough = await money('440.00', newReference())
  ok(await cashier.ask('POST', `/unmatched/${enough}/book/`, booking(rest, '440.00', '500.00')))
  await usual()
})

test('a limit of one step holds for bookings and for walk-in money, whatever the order asks for', async () => {
  await setLimits({ cashier: { booked_amount: '1000' }, manager: { booked_amount: '2000' } })
  const exact = await short('1500.00', '1500.00')
  assert.equal((await cashier.ask('POST', exact.path, exact.with)).body.facts.limits, 'booked')
  const id = await asked(cashier.ask, exact.path, exact.with)
  assert.equal((await shown(id, manager.ask)).may_confirm, true)
  ok(await confirm(id))
  const walkIn = await money('2500.00', newReference())
  const sale = { body: { amount: '2500.00', not_for_order: true } }
  const path = `/unmatched/${walkIn}/take-sale/`
  assert.equal(codeOf(await manager.ask('POST', path, sale)), '403 over_limit')
  const taken = await asked(manager.ask, path, sale)
  assert.equal(codeOf(await confirm(taken, second.ask)), '403 over_limit')
  ok(await confirm(taken, owner.ask))
  clock.advance(10_000)
  await finishSales({ db, zone: zoneOf('Asia/Aden') }, 100, clock.now())
  const [[intent]] = (await sql('select intent_id from alerts where id = $1', [walkIn])) as [[string]]
  const entries = await timeline(intent)
  assert.ok(entries.includes(`request_confirmed A owner <${owner.email}>`), entries.join('\n'))
  assert.ok(entries.includes(`booked A manager <${manager.email}>`), entries.join('\n'))
  await usual()
})

test('a cashier may not cancel: intents and checkouts wait for a manager', async () => {
  const intent = await intentOf('1500.00')
  assert.equal(codeOf(await cashier.ask('POST', `/intents/${intent}/cancel/`)), '403 over_limit')
  const id = await asked(cashier.ask, `/intents/${intent}/cancel/`)
  ok(await confirm(id))
  assert.equal(await statusOf(intent), 'CANCELLED')
  assert.deepEqual((await timeline(intent)).slice(-3).sort(), [
    `cancelled A cashier <${cashier.email}>`,
    `request_asked A cashier <${cashier.email}>`,
    `request_confirmed A manager <${manager.email}>`,
  ])
  const checkout = ok(await cashier.ask('POST', '/checkouts/', { body: { amount: '1500.00' } })).body.id
  assert.equal(codeOf(await cashier.ask('POST', `/checkouts/${checkout}/cancel/`)), '403 over_limit')
  const other = await asked(cashier.ask, `/checkouts/${checkout}/cancel/`)
  ok(await confirm(other))
  assert.equal((await owner.ask('GET', `/checkouts/${checkout}/`)).body.status, 'CANCELLED')
  ok(await manager.ask('POST', `/intents/${await intentOf('1500.00')}/cancel/`))
  await setLimits({ cashier: { cancel: true } })
  ok(await cashier.ask('POST', `/intents/${await intentOf('1500.00')}/cancel/`))
  await usual()
})

test('a cashier who may not take walk-in money asks for it', async () => {
  await setLimits({ cashier: { take_sales: false } })
  const alert = await money('1700.00', newReference())
  const sale = { body: { amount: '1700.00', not_for_order: true, note: 'a shirt' } }
  const path = `/unmatched/${alert}/take-sale/`
  assert.equal((await cashier.ask('POST', path, sale)).body.facts.limits, 'take_sale')
  const id = await asked(cashier.ask, path, sale)
  ok(await confirm(id))
  const { body } = await owner.ask('GET', `/unmatched/${alert}/`)
  assert.deepEqual([body.sale.by, body.sale.note], [`A cashier <${cashier.email}>`, 'a shirt'])
  await usual()
})

test('nobody confirms what they asked for, a cashier and a viewer confirm nothing, and a cashier sees only their own', async () => {
  const { path, with: body } = await short()
  const id = await asked(manager.ask, path, body)
  assert.equal(codeOf(await confirm(id, manager.ask)), '403 request_own')
  for (const member of [cashier, viewer]) assert.equal(codeOf(await confirm(id, member.ask)), '403 permission_denied')
  assert.equal((await cashier.ask('GET', `/requests/${id}/`)).status, 404)
  assert.equal((await stranger.ask('GET', `/requests/${id}/`)).status, 404)
  assert.equal((await confirm(id, stranger.ask)).status, 404)
  assert.deepEqual(
    (await cashier.ask('GET', '/requests/')).body.results.filter(({ own }: { own: boolean }) => !own),
    [],
  )
  // Who became an owner since still cannot confirm it, and needs no request any more.
  await sql(`update members set role = 'owner' where user_id = $1`, [manager.userId])
  clock.advance(2_000)
  assert.equal(codeOf(await confirm(id, manager.ask)), '403 request_own')
  ok(await manager.ask('POST', path, body))
  await sql(`update members set role = 'manager' where user_id = $1`, [manager.userId])
  clock.advance(2_000)
  await sweep()
  assert.equal((await shown(id)).state, 'over')
})

test('withdrawn by who asked, refused with a reason; then it is over', async () => {
  const first = await short()
  const withdrawn = await asked(cashier.ask, first.path, first.with)
  assert.equal(codeOf(await manager.ask('POST', `/requests/${withdrawn}/withdraw/`)), '400 request_of_another')
  assert.equal(ok(await cashier.ask('POST', `/requests/${withdrawn}/withdraw/`)).body.state, 'withdrawn')
  assert.equal(codeOf(await confirm(withdrawn, owner.ask)), '400 request_over')
  const refused = await asked(cashier.ask, first.path, first.with)
  assert.notEqual(refused, withdrawn)
  const body = { reason: 'The buyer owes the rest' }
  assert.equal(codeOf(await cashier.ask('POST', `/requests/${refused}/refuse/`, { body })), '403 permission_denied')
  // A manager may refuse what they could not confirm.
  assert.equal(ok(await manager.ask('POST', `/requests/${refused}/refuse/`, { body })).body.reason, body.reason)
  const seen = await shown(refused, cashier.ask)
  assert.deepEqual([seen.state, seen.decided_by], ['refused', `A manager <${manager.email}>`])
  assert.equal(codeOf(await owner.ask('POST', `/requests/${refused}/refuse/`, { body })), '400 request_over')
  assert.equal(await statusOf(first.intent), 'PENDING')
})

test('who asked was removed or became a viewer: nothing is done, and the request ends', async () => {
  for (const gone of [
    `delete from members where user_id = $1`,
    `update members set role = 'viewer' where user_id = $1`,
    `update users set disabled_at = now() where id = $1`,
  ]) {
    const leaver = await createMember(service, accountId, 'cashier')
    const { intent, path, with: body } = await short()
    const id = await asked(leaver.ask, path, body)
    await sql('delete from push_devices where user_id = $1', [leaver.userId])
    await sql(gone, [leaver.userId])
    const answer = await confirm(id, owner.ask)
    assert.equal(codeOf(answer), '400 request_impossible')
    assert.equal((await shown(id)).state, 'over')
    assert.equal(await statusOf(intent), 'PENDING')
  }
})

test('what happens meanwhile: paid, expired, cancelled, money used elsewhere; then confirming changes nothing', async () => {
  const meanwhile: Record<string, (story: Awaited<ReturnType<typeof short>>) => Promise<unknown>> = {
    'the order is paid': async ({ intent }) => {
      const other = await money('1500.00', newReference())
      ok(await owner.ask('POST', `/unmatched/${other}/book/`, booking(intent, '1500.00', '1500.00')))
    },
    'the order is cancelled': async ({ intent }) => ok(await owner.ask('POST', `/intents/${intent}/cancel/`)),
    'the order has expired': async () => clock.advance(3_600_000),
    'the money is used': async ({ alert }) => {
      const other = await intentOf('1400.00')
      ok(await owner.ask('POST', `/unmatched/${alert}/book/`, booking(other, '1400.00', '1400.00')))
    },
    'the money is set aside': async ({ alert }) =>
      ok(await owner.ask('POST', `/unmatched/${alert}/dismiss/`, { body: { reason: 'no' } })),
    'the money matches an order by itself': async ({ alert }) => {
      const [[reference]] = (await sql('select reference from alerts where id = $1', [alert])) as [[string]]
      const other = await intentOf('1400.00')
      ok(await attach(other, reference))
      assert.equal(await statusOf(other), 'VERIFIED')
    },
  }
  for (const [name, happen] of Object.entries(meanwhile)) {
    const one = await short()
    const id = await asked(cashier.ask, one.path, one.with)
    await happen(one)
    const before = [await statusOf(one.intent), await stateOf(one.alert)]
    assert.equal(codeOf(await confirm(id, owner.ask)), '400 request_impossible', name)
    assert.deepEqual([await statusOf(one.intent), await stateOf(one.alert)], before, name)
    assert.equal((await shown(id)).state, 'over', name)
    // The service ends it by itself as well, once.
    const two = await short()
    const other = await asked(cashier.ask, two.path, two.with)
    await happen(two)
    await Promise.all([sweep(), sweep(), sweep()])
    assert.equal((await shown(other)).state, 'over', name)
    const entries = await sql(`select count(*) from audit_log where object_id = $1 and action = 'request.over'`, [
      other,
    ])
    assert.deepEqual(entries, [['1']], name)
  }
  await assertMoneyInvariants(sql)
})

test('a request can be confirmed for a day', async () => {
  const intent = await intentOf('1500.00')
  const wrongOne = await wrong('1400.00', '1500.00')
  const path = `/intents/${wrongOne.intent}/accept-paid/`
  const id = await asked(cashier.ask, path, { body: wrongOne.body })
  clock.advance(24 * 3_600_000 - 1)
  await sweep()
  assert.equal((await shown(id)).state, 'open')
  clock.advance(1)
  assert.equal((await shown(id)).state, 'expired')
  assert.equal(codeOf(await confirm(id, owner.ask)), '400 request_over')
  await sweep()
  assert.deepEqual(await sql('select state from limit_requests where id = $1', [id]), [['expired']])
  assert.equal(await statusOf(wrongOne.intent), 'WRONG_AMOUNT')
  assert.equal(await statusOf(intent), 'EXPIRED')
  const again = await asked(cashier.ask, path, { body: wrongOne.body })
  assert.notEqual(again, id)
})

test('limits changed meanwhile: those of who confirms count at the moment of confirming', async () => {
  const one = await short()
  const id = await asked(cashier.ask, one.path, one.with)
  assert.equal(codeOf(await confirm(id)), '403 over_limit')
  await setLimits({ manager: { short_amount: '100' } })
  assert.equal((await shown(id, manager.ask)).may_confirm, true)
  await setLimits({ manager: { short_amount: '99.99' } })
  assert.equal(codeOf(await confirm(id)), '403 over_limit')
  await setLimits({ manager: { short_amount: '100' } })
  ok(await confirm(id))
  await usual()
})

test('two who confirm at once, and one who confirms while the other refuses: it is done once or not at all', async () => {
  await setLimits({ manager: { short_amount: null } })
  for (let round = 0; round < 5; round++) {
    const one = await short()
    const id = await asked(cashier.ask, one.path, one.with)
    const answers = await Promise.all([manager, second, owner, secondOwner].map(({ ask }) => confirm(id, ask)))
    assert.deepEqual(answers.map(codeOf).sort(), ['200 ', '400 request_over', '400 request_over', '400 request_over'])
    assert.deepEqual(await sql(`select count(*) from events where intent_id = $1`, [one.intent]), [['1']])
    const two = await short()
    const other = await asked(cashier.ask, two.path, two.with)
    const [confirmed, refused] = await Promise.all([
      confirm(other),
      second.ask('POST', `/requests/${other}/refuse/`, { body: {} }),
    ])
    assert.deepEqual([confirmed.status, refused.status].sort(), [200, 400])
    assert.equal(await statusOf(two.intent), confirmed.status === 200 ? 'VERIFIED' : 'PENDING')
    const [[state]] = (await sql('select state from limit_requests where id = $1', [other])) as [[string]]
    assert.equal(state, confirmed.status === 200 ? 'confirmed' : 'refused')
  }
  await usual()
  await assertMoneyInvariants(sql)
})

test('a request that cannot be done at all is refused at once, and the number of open ones is bounded', async () => {
  const paid = await short('1500.00', '1500.00')
  ok(await owner.ask('POST', paid.path, paid.with))
  assert.deepEqual(errorsOf(await cashier.ask('POST', `${paid.path}ask/`, paid.with)), [
    'alert_not_open@non_field_errors',
  ])
  const changed = await short()
  const answer = await cashier.ask('POST', `${changed.path}ask/`, booking(changed.intent, '1400.00', '1600.00'))
  assert.equal(codeOf(answer), '400 amount_changed')
  const busy = await createMember(service, accountId, 'cashier')
  for (let n = 0; n < mostOpenOfMember; n++) await asked(busy.ask, `/intents/${await intentOf('100.00')}/cancel/`)
  const one = `/intents/${await intentOf('100.00')}/cancel/ask/`
  assert.equal(codeOf(await busy.ask('POST', one)), '400 request_limit')
  ok(await cashier.ask('POST', one))
})

test('an act that is killed between its parts leaves neither: confirming is one transaction', async () => {
  const one = await short()
  const id = await asked(cashier.ask, one.path, one.with)
  // The end of the request fails: the booking must not stay.
  await sql(`alter table limit_requests add constraint stop check (state <> 'confirmed') not valid`)
  await assert.rejects(() => confirm(id, owner.ask), /500/)
  assert.deepEqual([await statusOf(one.intent), await stateOf(one.alert)], ['PENDING', 'waiting'])
  await sql('alter table limit_requests drop constraint stop')
  ok(await confirm(id, owner.ask))
  assert.equal(await statusOf(one.intent), 'VERIFIED')
})
