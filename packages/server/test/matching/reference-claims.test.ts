/**
 * Two orders that claim one reference: the second one is refused as ever, its claim is kept and shown, and a manager may move the
 * reference until money has come. In stories and in races.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as intents from '@sanad/contract/dashboard/money/intents'
import * as unmatched from '@sanad/contract/dashboard/money/unmatched'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { openCheckouts, textOf } from '../checkouts/checkout-story.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { type Answer, errorsOf } from '../support/story.ts'
import type { TestMember } from '../support/users.ts'

const service = await openCheckouts()
const { clock, create, sql, demo, zone } = service
const story = await queueStory(service)
const { owner, manager, cashier, viewer, stranger, newReference, money, attach, audited, stateOf } = story

const newIntent = async (body: Record<string, unknown> = {}): Promise<string> => {
  const created = await create(body)
  assert.equal(created.status, 201, created.text)
  return created.body.id
}
const shown = async (id: string, member: TestMember = viewer) => {
  const answer = await member.ask('GET', `/intents/${id}/`)
  assert.equal(answer.status, 200, answer.text)
  fits(intents.showIntent.answer, answer)
  return answer.body
}
const alertOf = async (id: string) => {
  const answer = await viewer.ask('GET', `/unmatched/${id}/`)
  fits(unmatched.showAlert.answer, answer)
  return answer.body
}
const take = (id: string, from: string, reference: string, member: TestMember = manager) =>
  member.ask('POST', `/intents/${id}/take-reference/`, { body: { reference, from } })
const refused = async (id: string, reference: string): Promise<void> => {
  const answer = await attach(id, reference)
  assert.deepEqual([answer.status, errorsOf(answer)], [400, ['reference_already_used@reference']], answer.text)
}
const codeOf = ({ status, body }: Answer): string => `${status} ${body.errors?.[0]?.code}`
type Claim = { claimer: { id: string }; holder: { id: string } | null; state: string; reference: string }
const brief = (claims: Claim[]) => claims.map(({ claimer, holder, state }) => [claimer.id, holder?.id ?? null, state])
/** Without the phone, which is silent after the clock has moved. */
const whyOf = ({ why }: { why: { code: string; facts: Record<string, string> }[] | null }) =>
  (why ?? []).filter(({ code }) => code !== 'phone_silent')
const whyCodes = (intent: Parameters<typeof whyOf>[0]) => whyOf(intent).map(({ code }) => code)
const claimsOn = async (reference: string): Promise<number> =>
  Number((await sql('select count(*) from reference_claims where reference_key = $1', [reference]))[0]![0])

/** Two PENDING intents of one wallet; the first holds the reference, and the second claims it. */
const twoOrders = async (amount = '1500.00', more: Record<string, unknown> = {}) => {
  const holder = await newIntent({ amount, external_order_id: 'first', ...more })
  const claimer = await newIntent({ amount, external_order_id: 'second', ...more })
  const reference = newReference()
  assert.equal((await attach(holder, reference)).status, 200)
  await refused(claimer, reference)
  return { holder, claimer, reference }
}

test('93. a refused reference is answered as before, and its claim is shown on both orders and on the money', async () => {
  const { holder, claimer, reference } = await twoOrders()
  const answer = await attach(claimer, reference)
  assert.deepEqual(answer.body, {
    type: 'validation_error',
    errors: [
      {
        code: 'reference_already_used',
        detail: 'Another payment of this wallet already has this reference.',
        attr: 'reference',
      },
    ],
  })
  const expected = [[claimer, holder, 'held']]
  const [first, second] = [await shown(holder), await shown(claimer)]
  assert.deepEqual([brief(first.claims), brief(second.claims)], [expected, expected])
  const [claim] = second.claims
  assert.deepEqual(
    [claim.reference, claim.by.kind, claim.holder.external_order_id, claim.claimer.external_order_id],
    [reference, 'key', 'first', 'second'],
  )
  assert.deepEqual(whyCodes(first), ['reference_claimed', 'reference_without_alert'])
  assert.deepEqual(whyCodes(second), ['reference_elsewhere', 'no_reference_yet'])
  assert.deepEqual(whyOf(second)[0]!.facts, {
    reference,
    intent: holder,
    payment: first.code,
    order: 'first',
    status: 'PENDING',
  })
  const alert = await money('1500.00', reference)
  assert.equal((await shown(holder)).status, 'VERIFIED', 'money verifies the intent that holds the reference')
  assert.deepEqual(brief((await alertOf(alert)).claims), [[claimer, holder, 'paid']])
  assert.deepEqual(brief((await shown(holder)).claims), [[claimer, holder, 'paid']])
  assert.deepEqual(brief((await shown(claimer)).claims), [[claimer, holder, 'paid']])
  assert.equal(codeOf(await take(claimer, holder, reference)), '400 reference_not_held')
  await assertMoneyInvariants(sql)
})

test('a reference whose money has verified another order is claimed too, and shown on the matched money', async () => {
  const paid = await newIntent()
  const reference = newReference()
  await attach(paid, reference)
  const alert = await money('1500.00', reference)
  const claimer = await newIntent()
  await refused(claimer, ` ${reference} `)
  assert.deepEqual(brief((await alertOf(alert)).claims), [[claimer, paid, 'paid']])
  assert.deepEqual(whyCodes(await shown(claimer)), ['reference_elsewhere', 'no_reference_yet'])
  assert.equal(codeOf(await take(claimer, paid, reference)), '400 reference_not_held')
  assert.equal((await shown(claimer)).reference, '')
})

test('managers and owners may move the reference; others get 403 and change nothing', async () => {
  for (const member of [cashier, viewer]) {
    const { holder, claimer, reference } = await twoOrders()
    assert.equal((await take(claimer, holder, reference, member)).status, 403)
    assert.equal((await shown(holder)).reference, reference)
  }
  for (const member of [manager, owner]) {
    const { holder, claimer, reference } = await twoOrders()
    const moved = await take(claimer, holder, reference, member)
    assert.equal(moved.status, 200, moved.text)
    fits(intents.takeReference.answer, moved)
    assert.deepEqual([moved.body.reference, moved.body.status], [reference, 'PENDING'])
    assert.deepEqual(brief(moved.body.claims), [[holder, claimer, 'held']], 'the other order claims it now')
    const lost = await shown(holder)
    assert.equal(lost.reference, '')
    const entry = lost.timeline.at(-1)
    assert.deepEqual(
      [entry.kind, entry.by.name.split(' <')[0], entry.facts],
      [
        'reference_moved',
        member === owner ? 'A owner' : 'A manager',
        { reference, intent: claimer, payment: moved.body.code, order: 'second' },
      ],
    )
    assert.deepEqual(whyCodes(lost), ['reference_elsewhere', 'no_reference_yet'])
    assert.deepEqual(
      [
        (await audited(claimer)).map((line) => line.split(' ')[0]),
        (await audited(holder)).map((line) => line.split(' ')[0]),
      ],
      [['intent.take_reference'], ['intent.lose_reference']],
    )
    // It can be moved back, and money then verifies the intent that holds it.
    assert.equal((await take(holder, claimer, reference, member)).status, 200)
    await money('1500.00', reference)
    assert.deepEqual([(await shown(holder)).status, (await shown(claimer)).status], ['VERIFIED', 'PENDING'])
  }
  await assertMoneyInvariants(sql)
})

test('after the move the alert verifies the claimer, and the holder can attach another reference', async () => {
  const { holder, claimer, reference } = await twoOrders()
  assert.equal((await take(claimer, holder, reference)).status, 200)
  await money('1500.00', reference)
  assert.equal((await shown(claimer)).status, 'VERIFIED')
  await refused(holder, reference)
  const other = newReference()
  assert.equal((await attach(holder, other)).status, 200)
  assert.deepEqual(brief((await shown(holder)).claims), [], 'an order that got a reference claims no other one')
  await money('1500.00', other)
  assert.equal((await shown(holder)).status, 'VERIFIED')
  await assertMoneyInvariants(sql)
})

/** Unsigned money of another amount: it does not end the holder. Its review is taken away, so that it waits. */
const waitingMoney = async (amount: string, reference: string): Promise<string> => {
  const alert = await money(amount, reference, false)
  await sql("update alerts set state = 'waiting', reason = '' where id = $1", [alert])
  return alert
}

test('money that waits is matched inside the move, exactly as attaching does', async () => {
  const { holder, reference } = await twoOrders('1500.00')
  const claimer = await newIntent({ amount: '1400.00' })
  await refused(claimer, reference)
  const alert = await waitingMoney('1400.00', reference)
  assert.deepEqual([await stateOf(alert), (await shown(holder)).status], ['waiting', 'PENDING'])
  assert.equal((await alertOf(alert)).claims.length, 2)
  const moved = await take(claimer, holder, reference)
  assert.deepEqual([moved.status, moved.body.status], [200, 'VERIFIED'], moved.text)
  assert.equal(await stateOf(alert), 'matched')
  await assertMoneyInvariants(sql)
})

test('money that may be a payment that is spent already verifies nothing when its reference is moved', async () => {
  const { holder, claimer, reference } = await twoOrders('1710.00')
  const alert = await waitingMoney('1600.00', reference)
  const spent = await newIntent({ amount: '1600.00' })
  const other = newReference()
  await attach(spent, other)
  const spentAlert = await money('1600.00', other)
  await sql('update alerts set similar_to = $2, amount = 171000 where id = $1', [alert, spentAlert])
  const moved = await take(claimer, holder, reference)
  assert.deepEqual([moved.status, moved.body.status, moved.body.reference], [200, 'PENDING', reference])
  assert.equal(await stateOf(alert), 'waiting')
})

test('refusals of a move name what is wrong, and change nothing', async () => {
  const { holder, claimer, reference } = await twoOrders()
  const unknown = '00000000-0000-4000-8000-000000000000'
  const stranded = await newIntent()
  const cases: [string, Promise<Answer>][] = [
    ['400 does_not_exist', take(claimer, unknown, reference)],
    ['404 not_found', take(unknown, holder, reference)],
    ['400 claim_unknown', take(stranded, holder, reference)],
    ['400 claim_unknown', take(holder, claimer, reference)],
    ['400 claim_unknown', take(claimer, holder, newReference())],
    ['400 claim_unknown', take(claimer, claimer, newReference())],
    ['400 reference_not_held', take(claimer, stranded, reference)],
    ['404 not_found', take(claimer, holder, reference, stranger)],
    ['400 invalid', take(claimer, 'not an id', reference)],
    ['400 blank', take(claimer, holder, ' ')],
    ['400 required', manager.ask('POST', `/intents/${claimer}/take-reference/`, { body: {} })],
  ]
  for (const [expected, call] of cases) assert.equal(codeOf(await call), expected)
  assert.deepEqual([(await shown(holder)).reference, (await shown(claimer)).reference], [reference, ''])
  assert.deepEqual(await audited(claimer), [])
  // A claimer that was paid meanwhile.
  const other = newReference()
  await attach(claimer, other)
  await money('1500.00', other)
  const over = await take(claimer, holder, reference)
  assert.deepEqual(
    [codeOf(over), over.body.errors[0].detail],
    ['400 intent_not_pending', 'This intent is VERIFIED; only a PENDING one can change.'],
  )
  assert.deepEqual((await shown(holder)).claims, [], 'the claim of an order that was paid is over')
})

test('claims of another account are neither visible nor counted', async () => {
  const { claimer, reference } = await twoOrders()
  const answer = await stranger.ask('GET', `/intents/${claimer}/`)
  assert.equal(answer.status, 404)
  const foreign = await stranger.ask('POST', '/intents/', { body: { wallet: demo.other.wallet, amount: '1500.00' } })
  assert.equal(foreign.status, 201, foreign.text)
  const attached = await stranger.ask('POST', `/intents/${foreign.body.id}/reference/`, { body: { reference } })
  assert.deepEqual([attached.status, attached.body.claims], [200, []])
})

test('a reference in another spelling is the same claim', async () => {
  const [holder, claimer] = [await newIntent(), await newIntent()]
  const reference = `AB${newReference()}`
  await attach(holder, reference)
  await refused(claimer, reference.toLowerCase())
  await refused(claimer, ` ${reference.slice(0, 5)} ${reference.slice(5).replaceAll('8', '٨')}`)
  assert.equal(await claimsOn(reference), 1)
  const moved = await take(claimer, holder, reference.toLowerCase())
  assert.equal(moved.status, 200, moved.text)
  await money('1500.00', reference)
  assert.equal((await shown(claimer)).status, 'VERIFIED')
})

test('five claims are kept on a reference, however many come at once; the claim of an ended order makes room', async () => {
  const holder = await newIntent()
  const reference = newReference()
  await attach(holder, reference)
  const claimers = await Promise.all(Array.from({ length: 7 }, () => newIntent()))
  await Promise.all(claimers.map((id) => refused(id, reference)))
  assert.equal(await claimsOn(reference), 5)
  await Promise.all(claimers.map((id) => refused(id, reference)))
  assert.equal(await claimsOn(reference), 5)
  const { claims } = await shown(holder)
  assert.equal(claims.length, 5)
  const alert = await money('1300.00', reference, false)
  assert.equal((await alertOf(alert)).claims.length, 5)
  await cashier.ask('POST', `/intents/${claims[0].claimer.id}/cancel/`)
  assert.equal((await shown(holder)).claims.length, 4)
  const late = claimers.find((id) => !claims.some(({ claimer }: Claim) => claimer.id === id))!
  await refused(late, reference)
  const after = (await shown(holder)).claims
  assert.deepEqual([after.length, after.some(({ claimer }: Claim) => claimer.id === late)], [5, true])
})

test('an order keeps its five newest claims', async () => {
  const claimer = await newIntent()
  const references: string[] = []
  for (let i = 0; i < 6; i++) {
    const holder = await newIntent()
    const reference = newReference()
    references.push(reference)
    await attach(holder, reference)
    clock.advance(10)
    await refused(claimer, reference)
  }
  assert.deepEqual(
    (await shown(claimer)).claims.map(({ reference }: Claim) => reference),
    references.slice(1),
  )
})

test('if the holder expires or is cancelled, the reference is free: the dashboard says so, and the claimer attaches it', async () => {
  const { holder, claimer, reference } = await twoOrders()
  await cashier.ask('POST', `/intents/${holder}/cancel/`)
  assert.equal(codeOf(await take(claimer, holder, reference)), '400 reference_not_held')
  assert.deepEqual(brief((await shown(claimer)).claims), [[claimer, null, 'free']])
  assert.deepEqual(whyCodes(await shown(claimer)), ['reference_free', 'no_reference_yet'])
  const attached = await cashier.ask('POST', `/intents/${claimer}/reference/`, { body: { reference } })
  assert.deepEqual([attached.status, attached.body.claims], [200, []], attached.text)

  const early = await newIntent()
  clock.advance(30 * 60_000)
  const late = await newIntent()
  const second = newReference()
  await attach(early, second)
  await refused(late, second)
  clock.advance(31 * 60_000)
  // The window of the first is over; its expiry is not stored yet.
  assert.deepEqual(brief((await shown(late)).claims), [[late, null, 'free']])
  assert.equal(codeOf(await take(late, early, second)), '400 reference_not_held')
  assert.equal((await attach(late, second)).status, 200)
})

test('the limit of twenty references per order also holds for a move', async () => {
  const { holder, claimer, reference } = await twoOrders()
  const keys = Array.from({ length: 20 }, () => newReference())
  await sql('update intents set reference_keys = $2 where id = $1', [claimer, `{${keys.join(',')}}`])
  assert.equal(codeOf(await take(claimer, holder, reference)), '400 reference_limit')
  assert.equal((await shown(holder)).reference, reference)
})

test('if the money was booked onto a third order, the reference cannot be moved', async () => {
  const { holder, claimer, reference } = await twoOrders()
  const alert = await money('1450.00', reference, false)
  const third = await newIntent({ amount: '1450.00' })
  const body = { intent: third, alert_amount: '1450.00', intent_amount: '1450.00' }
  const booked = await cashier.ask('POST', `/unmatched/${alert}/book/`, { body })
  assert.equal(booked.status, 200, booked.text)
  assert.deepEqual(brief((await shown(claimer)).claims), [[claimer, third, 'paid']])
  assert.equal(codeOf(await take(claimer, holder, reference)), '400 reference_spent')
  assert.equal((await shown(holder)).reference, reference)
})

test('entries of one real wallet share references: a claim names the order of the other entry', async () => {
  const entry = async (name: string): Promise<string> => {
    const body = {
      name,
      provider: shippedProviderId('mfloos'),
      sender_name: 'MFloos',
      account_number: '775999001',
      phone: demo.device.id,
    }
    const created = await owner.ask('POST', '/wallets/', { body })
    assert.equal(created.status, 201, created.text)
    clock.advance(2_000)
    return created.body.id
  }
  const first = await entry('Till')
  const holder = await newIntent({ wallet: first })
  const reference = newReference()
  await attach(holder, reference)
  await owner.ask('PATCH', `/wallets/${first}/`, { body: { active: false } })
  clock.advance(2_000)
  const claimer = await newIntent({ wallet: await entry('Till again') })
  await refused(claimer, reference)
  assert.deepEqual(brief((await shown(holder)).claims), [[claimer, holder, 'held']])
  assert.equal((await take(claimer, holder, reference)).status, 200)
  // On another wallet the same reference is another payment.
  const other = await newIntent()
  assert.equal((await attach(other, reference)).status, 200)
  assert.deepEqual((await shown(other)).claims, [])
})

test('a claim on the test wallet is kept and moved in the same way', async () => {
  const wallet = demo.wallets.test
  const { holder, claimer, reference } = await twoOrders('1500.00', { wallet })
  assert.equal((await take(claimer, holder, reference)).status, 200)
  await owner.ask('POST', '/test-payment/', { body: { wallet, amount: '1500.00', reference } })
  assert.deepEqual([(await shown(claimer)).status, (await shown(holder)).status], ['VERIFIED', 'PENDING'])
})

test('a member who attaches a reference by hand gets the same refusal, and the claim is kept with their name', async () => {
  const { holder, reference } = await twoOrders()
  const claimer = await newIntent()
  const answer = await cashier.ask('POST', `/intents/${claimer}/reference/`, { body: { reference } })
  assert.equal(codeOf(answer), '400 reference_already_used')
  const [claim] = (await shown(claimer)).claims
  assert.deepEqual([claim.by.kind, claim.by.name.split(' <')[0], claim.holder.id], ['person', 'A cashier', holder])
  assert.deepEqual(await audited(claimer), [])
})

test('two moves at once: one wins, the other changes nothing', async () => {
  for (let round = 0; round < 5; round++) {
    const { holder, claimer, reference } = await twoOrders()
    const third = await newIntent()
    await refused(third, reference)
    const answers = await Promise.all([take(claimer, holder, reference), take(third, holder, reference, owner)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    const holders = await sql("select id from intents where reference_key = $1 and status = 'PENDING'", [reference])
    assert.equal(holders.length, 1)
    await money('1500.00', reference)
    const verified = await sql("select id from intents where reference_key = $1 and status = 'VERIFIED'", [reference])
    assert.deepEqual(verified, holders)
  }
  await assertMoneyInvariants(sql)
})

test('a move against the money that arrives: the money verifies exactly one of the two orders', async () => {
  for (let round = 0; round < 8; round++) {
    const { holder, claimer, reference } = await twoOrders()
    const [moved] = await Promise.all([take(claimer, holder, reference), money('1500.00', reference)])
    const statuses = [(await shown(holder)).status, (await shown(claimer)).status]
    assert.deepEqual(statuses, moved.status === 200 ? ['PENDING', 'VERIFIED'] : ['VERIFIED', 'PENDING'], moved.text)
    if (moved.status !== 200) assert.equal(codeOf(moved), '400 reference_not_held')
  }
  await assertMoneyInvariants(sql)
})

test('a move against the cancellation or the expiry of the holder leaves the reference with one order or none', async () => {
  for (let round = 0; round < 4; round++) {
    const { holder, claimer, reference } = await twoOrders()
    const [moved, cancelled] = await Promise.all([
      take(claimer, holder, reference),
      cashier.ask('POST', `/intents/${holder}/cancel/`),
    ])
    assert.equal(cancelled.status, 200, cancelled.text)
    assert.equal((await shown(claimer)).reference, moved.status === 200 ? reference : '')
    if (moved.status !== 200) assert.equal(codeOf(moved), '400 reference_not_held')
  }
  const early = await newIntent()
  clock.advance(40 * 60_000)
  const late = await newIntent()
  const reference = newReference()
  await attach(early, reference)
  await refused(late, reference)
  clock.advance(21 * 60_000)
  const [moved] = await Promise.all([take(late, early, reference), expireIntents(service.db, 500, clock.now(), zone)])
  assert.equal(codeOf(moved), '400 reference_not_held')
  assert.deepEqual([(await shown(early)).status, (await shown(late)).reference], ['EXPIRED', ''])
  await assertMoneyInvariants(sql)
})

test('the buyer whose number is refused reads what happens next, in both languages; so does the buyer who lost it', async () => {
  const { newCheckout, send, open } = service
  const wallet = demo.wallets.main
  const [first, second] = [
    await newCheckout({ external_order_id: 'order-A' }),
    await newCheckout({ external_order_id: 'order-B' }),
  ]
  for (const { page } of [first, second]) assert.equal((await send(`${page}/wallet/`, { wallet })).status, 303)
  const reference = newReference()
  assert.equal((await send(`${first.page}/reference/`, { reference })).status, 303)
  const refusedPage = await send(`${second.page}/reference/`, { reference })
  assert.equal(refusedPage.status, 400)
  const next = `The number ${reference} was given for another order too. The shop has been told and decides`
  assert.ok(textOf(refusedPage.text).includes('This number belongs to another payment. Check the number'))
  assert.ok(textOf(refusedPage.text).includes(next))
  assert.match(refusedPage.text, /<textarea[^>]*name="reference"/, 'the buyer can correct the number')
  assert.ok(!refusedPage.text.includes('order-A'), 'nothing of the other order is shown')
  assert.ok(textOf((await open(second.page)).text).includes(next), 'also when the page is loaded again')
  assert.ok(textOf((await open(`${second.page}?lang=ar`)).text).includes('مُدخل لطلبية أخرى أيضًا'))
  assert.ok(!textOf((await open(first.page)).text).includes('another order'))

  const intentOf = async (id: string): Promise<string> =>
    (await sql('select intent_id from checkout_intents where checkout_id = $1', [id]))[0]![0]!
  const [holder, claimer] = [await intentOf(first.id), await intentOf(second.id)]
  assert.equal((await shown(claimer)).claims[0].by.kind, 'buyer')
  assert.equal((await take(claimer, holder, reference)).status, 200)
  const looking = textOf((await open(second.page)).text)
  assert.ok(looking.includes('looking for your payment') && !looking.includes('another order'), looking)
  assert.ok(textOf((await open(first.page)).text).includes(next))
  await cashier.ask('POST', `/intents/${claimer}/cancel/`)
  const free = textOf((await open(first.page)).text)
  assert.ok(free.includes(`The number ${reference} is no longer given for another order`), free)
  assert.equal((await send(`${first.page}/reference/`, { reference })).status, 303)
})

test('old claims are deleted', async () => {
  const { pruneReferenceClaims } = await import('../../src/intents/claims/reference-claims-sql.ts')
  const { reference } = await twoOrders()
  await pruneReferenceClaims(service.db, clock.now() - 1, 500)
  assert.equal(await claimsOn(reference), 1)
  await pruneReferenceClaims(service.db, clock.now(), 500)
  assert.equal(await claimsOn(reference), 0)
})
