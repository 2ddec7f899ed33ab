/** Intents in the dashboard over HTTP, with alerts that a phone signs, and with races. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ListedIntents, ShownIntent } from '@sanad/contract/dashboard/money/intents'
import { Intent } from '@sanad/contract/intent'
import { Check, Errors } from 'typebox/value'
import { day_ms } from '../../src/core/duration.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { endpointSecrets } from '../../src/webhooks/endpoints/endpoint-secrets.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/manage-endpoints.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { phone as phoneOf } from '../support/phone.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const { clock, demo, sql } = service
const members = await createMembers(service)
const { owner, cashier, viewer, accountId } = members
const phone = phoneOf(service.origin, clock.now, demo.device)
const main = demo.wallets.main

let sent = 0
const report = async (text: string, more: Record<string, unknown> = {}) => {
  const answer = await phone.alerts([
    {
      client_id: `intents-${++sent}`,
      kind: 'sms',
      sender: 'Jawali',
      text,
      sim_slot: 'SIM1',
      received_at: new Date(clock.now()).toISOString(),
      ...more,
    },
  ])
  assert.equal(answer.status, 200, answer.text)
}
let number = 0
const newReference = (): string => String(810_000_000_000 + ++number * 1117)

const create = (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  cashier.ask('POST', '/intents/', { body: { wallet: main, amount: '1500.00', ...body }, headers })
const show = async (id: string): Promise<Answer['body']> => {
  const answer = await viewer.ask('GET', `/intents/${id}/`)
  assert.equal(answer.status, 200, answer.text)
  assert.ok(Check(ShownIntent, answer.body), JSON.stringify([...Errors(ShownIntent, answer.body)].slice(0, 2)))
  return answer.body
}
const audit = async (id: string) =>
  (
    await sql('select action, actor, before, after from audit_log where kind = $1 and object_id = $2 order by id', [
      'intent',
      id,
    ])
  ).map(([action, actor, before, after]) => ({
    action,
    actor,
    before: before && JSON.parse(before),
    after: after && JSON.parse(after),
  }))
const kinds = (detail: { timeline: { kind: string }[] }) => detail.timeline.map(({ kind }) => kind)
const codes = (list: { code: string }[]) => list.map(({ code }) => code)

test('a cashier creates an intent; the audit log has the user, and the list shows it', async () => {
  const answer = await create({
    amount: undefined,
    items: [{ name: 'Tea', price: '750.00', quantity: 2 }],
    external_order_id: 'counter-1',
    notes: 'paid at the counter',
  })
  assert.equal(answer.status, 201, answer.text)
  assert.ok(Check(Intent, answer.body))
  assert.equal(answer.body.payable_amount, '1500.00')
  const detail = await show(answer.body.id)
  assert.deepEqual(detail.created_by, { kind: 'person', name: `A cashier <${cashier.email}>` })
  assert.deepEqual(detail.items, answer.body.items)
  assert.deepEqual(await audit(answer.body.id), [
    {
      action: 'intent.create',
      actor: `A cashier <${cashier.email}>`,
      before: null,
      after: {
        payment_id: answer.body.code,
        wallet: main,
        payable_amount: '1500.00',
        external_order_id: 'counter-1',
        notes: 'paid at the counter',
      },
    },
  ])
  const { text, body } = await viewer.ask('GET', '/intents/?search=counter-1')
  assert.ok(Check(ListedIntents, JSON.parse(text)), text)
  assert.equal(body.results[0].id, answer.body.id)
  assert.equal(body.results[0].unmatched, null)
})

test('creating an intent follows the rules of the merchant API, with the same errors', async () => {
  for (const body of [
    {},
    { wallet: main },
    { wallet: main, amount: '0' },
    { wallet: main, amount: null, notes: 'x'.repeat(501) },
    { wallet: 'no', amount: '12' },
    { wallet: randomUUID(), amount: '12' },
    { wallet: demo.wallets.inactive, amount: '12' },
    { wallet: demo.wallets.off, amount: '12' },
    { wallet: demo.wallets.unmonitored, amount: '12' },
    { wallet: demo.other.wallet, amount: '12' },
    { wallet: main, amount: '12', currency: 'USD' },
    { wallet: main, items: [{ name: '', price: '-1' }] },
    [],
    '{',
    'null',
  ]) {
    // A key that is too long counts as an invalid field: then the rules about the whole intent are not checked.
    for (const headers of [{}, { 'SERVICE-IDEMPOTENCY-KEY': 'k'.repeat(129) }]) {
      const ours = await cashier.ask('POST', '/intents/', { body, headers })
      const theirs = await service.ask('POST', '/intents/', { body, headers })
      assert.equal(ours.status, 400, ours.text)
      assert.equal(ours.text, theirs.text)
    }
  }
  const long = await create({}, { 'SERVICE-IDEMPOTENCY-KEY': 'k'.repeat(129) })
  assert.deepEqual(errorsOf(long), ['max_length@SERVICE-IDEMPOTENCY-KEY'])
})

test('an idempotency key makes a retry safe: one intent, one audit entry, the same answer', async () => {
  const key = { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }
  const answers = await Promise.all(Array.from({ length: 5 }, () => create({ notes: 'twice' }, key)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 4)
  assert.equal((await audit(answers[0]!.body.id)).length, 1)
  assert.deepEqual(errorsOf(await create({ notes: 'another' }, key)), [
    'idempotency_key_reused@SERVICE-IDEMPOTENCY-KEY',
  ])
  // The merchant API and the dashboard share the idempotency keys of an account.
  const theirs = await service.create({ notes: 'twice' }, key)
  assert.equal(theirs.text, answers[0]!.text)
})

test('the quota counts intents created in the dashboard, once each, also with retries and refusals between', async () => {
  await sql('update accounts set monthly_intent_quota = 3 where id = $1', [accountId])
  clock.advance(2_000)
  const used = async () =>
    Number((await sql('select coalesce(sum(used), 0) from quota_months where account_id = $1', [accountId]))[0]![0])
  const before = await used()
  const key = { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }
  assert.equal((await create({}, key)).status, 201)
  assert.equal((await create({}, key)).headers['idempotent-replayed'], 'true')
  assert.equal((await used()) - before, 1)
  const rest = await Promise.all(Array.from({ length: 6 }, () => create()))
  assert.equal(rest.filter(({ status }) => status === 201).length, 2)
  for (const refused of rest.filter(({ status }) => status !== 201))
    assert.deepEqual(errorsOf(refused), ['quota_exceeded@non_field_errors'])
  assert.equal((await used()) - before, 3)
  // A repetition does not use the quota, also when nothing of it is left.
  assert.equal((await create({}, key)).status, 201)
  await sql('update accounts set monthly_intent_quota = null where id = $1', [accountId])
  clock.advance(2_000)
})

test('the reasons why an intent is pending: no reference, no alert, a silent phone, a phone or wallet that is off', async () => {
  await sql('update devices set last_seen_at = null where id = $1', [demo.device.id])
  const { body } = await create()
  let detail = await show(body.id)
  assert.deepEqual(codes(detail.why), ['phone_silent', 'no_reference_yet'])
  assert.deepEqual(detail.why[0].facts, { phone: demo.device.id, name: 'Shop phone', last_seen_at: '' })
  await phone.heartbeat()
  detail = await show(body.id)
  assert.deepEqual(codes(detail.why), ['no_reference_yet'])
  clock.advance(4 * 60_000)
  detail = await show(body.id)
  assert.deepEqual(codes(detail.why), ['phone_silent', 'no_reference_yet'])
  assert.match(detail.why[0].facts.last_seen_at, /^2026-01-02T06:/)
  const reference = newReference()
  await cashier.ask('POST', `/intents/${body.id}/reference/`, { body: { reference } })
  detail = await show(body.id)
  assert.deepEqual(codes(detail.why), ['phone_silent', 'reference_without_alert'])
  assert.equal(detail.why[1].facts.reference, reference)
  assert.deepEqual(kinds(detail), ['created', 'reference'])
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  await sql('update wallets set active = false, version = version + 1 where id = $1', [main])
  clock.advance(2_000)
  detail = await show(body.id)
  assert.deepEqual(codes(detail.why), ['wallet_inactive', 'phone_off', 'reference_without_alert'])
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
  await sql('update wallets set active = true, version = version + 1 where id = $1', [main])
  clock.advance(2_000)
  await phone.heartbeat()
  await cashier.ask('POST', `/intents/${body.id}/cancel/`)
})

test('near alerts show how they differ: a typing error in the reference, another amount, held, not read', async () => {
  const { body } = await create({ amount: '4321.00' })
  const reference = newReference()
  await cashier.ask('POST', `/intents/${body.id}/reference/`, { body: { reference } })
  clock.advance(1_000)
  const typo = `${reference.slice(0, -2)}${reference.at(-1)}${reference.at(-2)}`
  await report(purchaseText('4321.00', typo))
  await report(purchaseText('77.00', newReference()))
  await report(`Jawali says something new about 4321 and ${reference}`)
  await report(transferText('4321', '9999', '770000111'))
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  await report(purchaseText('4321.00', newReference()))
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
  const { nearest, why } = await show(body.id)
  assert.deepEqual(codes(why), ['reference_without_alert'])
  assert.equal(nearest[0].reference, typo)
  assert.deepEqual(nearest[0].differs, [{ code: 'reference', facts: { expected: reference, arrived: typo } }])
  assert.equal(nearest[0].text, purchaseText('4321.00', typo))
  const differences = nearest.map((alert: { state: string; differs: { code: string }[] }) => [
    alert.state,
    ...codes(alert.differs),
  ])
  assert.deepEqual(differences.slice(1).sort(), [
    ['held', 'reference', 'held'],
    ['review', 'no_reference'],
    ['unread', 'unread'],
    ['waiting', 'amount', 'reference'],
  ])
  const found = await viewer.ask('GET', `/intents/?code=${body.code}`)
  assert.equal(found.body.results[0].unmatched.amount, '4321.00')
  assert.equal(found.body.results[0].unmatched.count, 3)
  await cashier.ask('POST', `/intents/${body.id}/cancel/`)
  // A cancelled intent has no reasons and no near alerts.
  const after = await show(body.id)
  assert.equal(after.why, null)
  assert.deepEqual(after.nearest, [])
  assert.equal((await viewer.ask('GET', `/intents/?code=${body.code}`)).body.results[0].unmatched, null)
})

test('the list hints at unmatched alerts of the same wallet, amount and time only', async () => {
  const { body } = await create({ amount: '5555.00' })
  const hint = async () => (await viewer.ask('GET', `/intents/?code=${body.code}`)).body.results[0].unmatched
  await report(purchaseText('5555.01', newReference()))
  await report(purchaseText('5555.00', newReference()), { sim_slot: 'SIM2' })
  assert.equal(await hint(), null)
  clock.advance(30 * 60_000)
  await report(purchaseText('5555.00', newReference()))
  assert.equal((await hint()).count, 1)
  clock.advance(3_600_000)
  // An expired intent still gets the hint.
  const listed = (await viewer.ask('GET', `/intents/?code=${body.code}`)).body.results[0]
  assert.equal(listed.status, 'EXPIRED')
  assert.equal(listed.unmatched.count, 1)
  const detail = await show(body.id)
  assert.equal(detail.why, null)
  assert.equal(detail.nearest[0].amount, '5555.00')
  assert.deepEqual(kinds(detail), ['created', 'expired'])
  const later = (await create({ amount: '5555.00' })).body
  assert.equal((await viewer.ask('GET', `/intents/?code=${later.code}`)).body.results[0].unmatched, null)
})

test('a reference attached by a user matches the earlier alert, and the timeline shows all of it', async () => {
  const secrets = endpointSecrets(service.masterKey)
  const endpoint = {
    url: 'http://127.0.0.1:9/hook',
    walletId: null,
    kinds: ['payment.verified'],
    headers: {},
    enabled: true,
  }
  const deps = { secrets, settings: service.config.webhooks }
  await service.db.transaction((tx) =>
    createEndpoint(tx, deps, wholeAccount(accountId), endpoint as never, clock.now()),
  )
  const { body } = await create({ amount: '2222.00' })
  const reference = newReference()
  clock.advance(1_000)
  await report(purchaseText('2222.00', reference))
  clock.advance(1_000)
  const answer = await cashier.ask('POST', `/intents/${body.id}/reference/`, { body: { reference: ` ${reference} ` } })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.status, 'VERIFIED')
  const detail = await show(body.id)
  assert.deepEqual(detail, answer.body)
  assert.deepEqual(kinds(detail), ['created', 'alert', 'reference', 'verified'])
  assert.equal(detail.timeline[2].by.name, `A cashier <${cashier.email}>`)
  assert.deepEqual(detail.timeline[3].by, { kind: 'reference', name: '' })
  assert.equal(detail.timeline[3].facts.doubts, 'phone_new', 'its phone was paired less than a day before')
  assert.equal(detail.alert.text, purchaseText('2222.00', reference))
  assert.equal(detail.alert.phone.name, 'Shop phone')
  assert.equal(detail.told.length, 1)
  assert.equal(detail.told[0].kind, 'payment.verified')
  assert.equal(detail.told[0].state, 'waiting')
  assert.deepEqual((await audit(body.id)).at(-1), {
    action: 'intent.reference',
    actor: `A cashier <${cashier.email}>`,
    before: { reference: '', status: 'PENDING' },
    after: { reference, status: 'VERIFIED' },
  })
  await assertMoneyInvariants(sql)
})

test('the timeline marks a phone paired less than a day before, whether the alert or the reference came first', async () => {
  const pairedAgo = (ms: number) =>
    sql('update devices set paired_at = $2 where id = $1', [demo.device.id, new Date(clock.now() - ms).toISOString()])
  for (const [ago, doubts] of [
    [day_ms - 1, 'phone_new'],
    [day_ms, undefined],
  ] as const)
    for (const alertFirst of [true, false]) {
      const { body } = await create({ amount: '777.00' })
      const reference = newReference()
      const attach = () => service.ask('PATCH', `/intents/${body.id}/`, { body: { reference } })
      clock.advance(1_000)
      await pairedAgo(ago)
      if (!alertFirst) await attach()
      await report(purchaseText('777.00', reference))
      if (alertFirst) await attach()
      const { status, timeline } = await show(body.id)
      assert.equal(status, 'VERIFIED')
      assert.equal(timeline.at(-1).kind, 'verified')
      assert.equal(timeline.at(-1).facts.doubts, doubts, `${ago} ${alertFirst}`)
    }
  await pairedAgo(0)
})

test('a wrong amount shows both amounts, and an API key is shown by its name', async () => {
  const { body } = await service.create({ amount: '3000.00' })
  const reference = newReference()
  await service.ask('PATCH', `/intents/${body.id}/`, { body: { reference } })
  clock.advance(1_000)
  await report(purchaseText('2900.00', reference))
  const detail = await show(body.id)
  assert.equal(detail.status, 'WRONG_AMOUNT')
  assert.deepEqual(detail.created_by, { kind: 'key', name: 'Shop' })
  assert.deepEqual(kinds(detail), ['created', 'reference', 'alert', 'wrong_amount'])
  assert.deepEqual(detail.timeline[3].facts, { payable: '3000.00', paid: '2900.00', doubts: 'phone_new' })
  assert.deepEqual(detail.told, [])
})

test('a reference or a cancellation that is not possible is refused, and is not in the audit log', async () => {
  const first = (await create({ amount: '60.00' })).body
  const second = (await create({ amount: '60.00' })).body
  const reference = newReference()
  const attach = (id: string, body: unknown) => cashier.ask('POST', `/intents/${id}/reference/`, { body })
  assert.equal((await attach(first.id, { reference })).status, 200)
  // Attaching the same reference again changes nothing and is not logged.
  assert.equal((await attach(first.id, { reference })).status, 200)
  assert.equal((await audit(first.id)).length, 2)
  assert.deepEqual(errorsOf(await attach(second.id, { reference })), ['reference_already_used@reference'])
  assert.deepEqual(errorsOf(await attach(second.id, {})), ['required@reference'])
  assert.deepEqual(errorsOf(await attach(second.id, { reference: '' })), ['blank@reference'])
  assert.equal((await attach(randomUUID(), { reference })).status, 404)
  assert.equal((await attach('no-id', {})).status, 404)
  assert.equal((await attach(second.id, '{')).status, 400)
  const cancelled = await cashier.ask('POST', `/intents/${second.id}/cancel/`)
  assert.equal(cancelled.body.status, 'CANCELLED')
  assert.deepEqual(kinds(cancelled.body), ['created', 'cancelled'])
  const again = await cashier.ask('POST', `/intents/${second.id}/cancel/`)
  assert.deepEqual(errorsOf(again), ['intent_not_pending@non_field_errors'])
  assert.match(again.body.errors[0].detail, /CANCELLED/)
  const late = await attach(second.id, { reference: newReference() })
  assert.deepEqual(errorsOf(late), ['intent_not_pending@reference'])
  assert.deepEqual(
    (await audit(second.id)).map(({ action }) => action),
    ['intent.create', 'intent.cancel'],
  )
  clock.advance(3_600_000)
  const expired = await cashier.ask('POST', `/intents/${first.id}/cancel/`)
  assert.match(expired.body.errors[0].detail, /EXPIRED/)
})

test('the reference of an expired intent can be used again, in the dashboard as well', async () => {
  const reference = newReference()
  const old = (await create()).body
  await cashier.ask('POST', `/intents/${old.id}/reference/`, { body: { reference } })
  clock.advance(3_600_000)
  const fresh = (await create()).body
  const answer = await cashier.ask('POST', `/intents/${fresh.id}/reference/`, { body: { reference } })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.reference, reference)
})

test('a cancellation and an alert at once: one wins, the other is refused, and nothing is half done', async () => {
  const outcomes = { cancelled: 0, verified: 0 }
  for (let round = 0; round < 30; round++) {
    const reference = newReference()
    const { body } = await create({ amount: '910.00' })
    await cashier.ask('POST', `/intents/${body.id}/reference/`, { body: { reference } })
    const pay = () => report(purchaseText('910.00', reference)).then(() => undefined)
    // The rounds delay the cancellation more and more, so that in many of them both run at the same time.
    const cancel = async () => {
      for (let turns = round * 4; turns > 0; turns--) await new Promise(setImmediate)
      return owner.ask('POST', `/intents/${body.id}/cancel/`)
    }
    const paid = pay()
    if (round === 29) await paid
    const answers: (Answer | undefined)[] = await Promise.all([paid, cancel()])
    const answer = answers.find((found) => found !== undefined)!
    const { status } = await show(body.id)
    const actions = (await audit(body.id)).map(({ action }) => action)
    if (answer.status === 200) {
      outcomes.cancelled++
      assert.equal(status, 'CANCELLED')
      assert.ok(actions.includes('intent.cancel'))
    } else {
      outcomes.verified++
      assert.equal(status, 'VERIFIED')
      assert.deepEqual(errorsOf(answer), ['intent_not_pending@non_field_errors'])
      assert.match(answer.body.errors[0].detail, /VERIFIED/)
      assert.ok(!actions.includes('intent.cancel'))
    }
  }
  process.stdout.write(`cancel and alert at once: ${JSON.stringify(outcomes)}\n`)
  assert.ok(outcomes.verified > 0)
  await assertMoneyInvariants(sql)
})

test('an intent that is cancelled twenty times at once is cancelled once', async () => {
  const { body } = await create()
  const answers = await Promise.all(Array.from({ length: 20 }, () => owner.ask('POST', `/intents/${body.id}/cancel/`)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status }) => status === 200 || status === 400))
  assert.equal((await audit(body.id)).filter(({ action }) => action === 'intent.cancel').length, 1)
})

test('the list takes the filters of the merchant API, with the same intents and the same errors', async () => {
  for (const query of [
    '',
    '?status=VERIFIED,CANCELLED&page_size=3',
    '?ordering=-payable_amount&page_size=5&page=2',
    `?wallet=${main}&search=counter`,
    '?created_after=2026-01-02&created_before=2026-01-02T09:00',
    '?page=last&page_size=7',
    '?status=NO',
    '?wallet=x&created_after=never',
    '?page=999',
    '?page_size=100000',
    '?search=%00',
    '?search=%25_%27&ordering=,,,-;drop',
  ]) {
    const ours = await viewer.ask('GET', `/intents/${query}`)
    const theirs = await service.ask('GET', `/intents/${query}`)
    assert.equal(ours.status, theirs.status, query)
    if (ours.status !== 200) {
      assert.equal(ours.text, theirs.text)
      continue
    }
    assert.equal(ours.body.count, theirs.body.count)
    assert.deepEqual(
      ours.body.results.map(
        ({
          unmatched,
          amount_unique,
          arrived_amount,
          forgiven_amount,
          excess_amount,
          ...intent
        }: Record<string, unknown>) => intent,
      ),
      theirs.body.results,
    )
    assert.equal(ours.body.next?.replace('/dashboard/', '/merchant/') ?? null, theirs.body.next)
    assert.equal(ours.body.previous?.replace('/dashboard/', '/merchant/') ?? null, theirs.body.previous)
  }
})

test('times and dates are in the account’s zone', async () => {
  const { body } = await create()
  await sql(`update accounts set time_zone = 'Asia/Kathmandu' where id = $1`, [accountId])
  clock.advance(2_000)
  const detail = await show(body.id)
  assert.match(detail.created_at, /\+05:45$/)
  assert.match(detail.timeline[0].at, /\+05:45$/)
  const today = detail.created_at.slice(0, 10)
  const since = await viewer.ask('GET', `/intents/?created_after=${today}&page_size=100`)
  assert.ok(since.body.results.every(({ created_at }: { created_at: string }) => created_at >= today))
  await sql(`update accounts set time_zone = '' where id = $1`, [accountId])
  clock.advance(2_000)
})
