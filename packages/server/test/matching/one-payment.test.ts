/** One payment verifies one intent, in spite of a thief, an app that repeats messages, or a second phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@sanad/contract/dashboard/money/unmatched'
import type { Report } from '../../src/alerts/alert.ts'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { PhoneId } from '../../src/core/ids.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { rereadForWallet } from '../../src/matching/reread/reread-wallets.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { depositText, transferText } from '../support/sms-texts.ts'
import { errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService()
const story = await queueStory(service)
const { demo, clock, create, sql } = service
const { attach, report, paid, newReference, money, cashier, manager, accountId } = story

/** Records a report of the demo's phone; `more` overrides its fields, the phone, or whether it is trusted. */
const send = (
  text: string,
  more: Partial<Report> & { trusted?: boolean; phoneId?: PhoneId } = {},
): Promise<unknown> => {
  const { trusted = true, phoneId, ...fields } = more
  return story.record([report(text, fields)], trusted, phoneId ?? demo.device.id)
}
const transfer = (amount: string, balance: string, payer = '770000000') =>
  transferText(amount, balance.includes('.') ? balance : `${balance}.00`, payer)
const statusOf = async (id: string): Promise<string> => (await service.ask('GET', `/intents/${id}/`)).body.status
const states = async (where: string, values: unknown[] = []): Promise<string[]> =>
  (await sql(`select state || ' ' || reason from alerts where ${where} order by id`, values)).map(([state]) =>
    state!.trim(),
  )
const statesOf = (reference: string) => states('reference = $1', [reference])
const statesOfText = (text: string) => states('raw_text = $1', [text])
const newest = async (): Promise<string> => (await sql('select id from alerts order by id desc limit 1'))[0]![0]!
const doubtsOn = async (id: string): Promise<string[]> =>
  (await cashier.ask('GET', `/unmatched/${id}/`)).body.doubts.map(({ code }: { code: string }) => code)
let phones = 0
/** Another phone of the account, switched on. */
const newPhone = async (): Promise<PhoneId> => {
  const [row] = await sql(
    `insert into devices (id, account_id, name, switched_on, created_at) values (gen_random_uuid(), $1, $2, true, now())
     returning id`,
    [accountId, `Phone ${++phones}`],
  )
  return row![0] as PhoneId
}

let wallets = 0
/** A wallet for one test at this provider, with its own sender. The demo's phone reports its alerts. */
const newWallet = async (provider: string, more: Record<string, string> = {}) => {
  const sender = `Wallet${++wallets}`
  await sql(
    `update alert_templates set sender_names = sender_names || $2::text where provider_id = $1 and status = 'active'`,
    [shippedProviderId(provider), sender],
  )
  const names = Object.keys(more)
  const [row] = await sql(
    `insert into wallets (id, account_id, provider_id, device_id, name, account_number, sender_name, created_at${names.map((name) => `, ${name}`).join('')})
     values (gen_random_uuid(), $1, $2, $3, $4, '', $4, now()${names.map((_, i) => `, $${i + 5}`).join('')}) returning id`,
    [accountId, shippedProviderId(provider), demo.device.id, sender, ...Object.values(more)],
  )
  clock.advance(2_000)
  return { id: row![0]!, sender }
}

test('a thief who attaches the reference to his own order takes nothing from the buyer who paid', async () => {
  const reference = newReference()
  await money('7000.00', reference)
  const thief = (await create({ amount: '5.00' })).body
  assert.equal((await attach(thief.id, reference)).body.status, 'WRONG_AMOUNT')
  const honest = (await create({ amount: '7000.00' })).body
  assert.equal((await attach(honest.id, reference)).body.status, 'VERIFIED')
  assert.deepEqual(await statesOf(reference), ['matched'])
  const greedy = (await create({ amount: '7000.00' })).body
  assert.deepEqual(errorsOf(await attach(greedy.id, reference)), ['reference_already_used@reference'])
})

test('a thief who attaches the reference before the alert comes takes nothing from a later booking either', async () => {
  const reference = newReference()
  const thief = (await create({ amount: '5.00' })).body
  await attach(thief.id, reference)
  const id = await money('7000.00', reference)
  assert.equal(await statusOf(thief.id), 'WRONG_AMOUNT')
  const honest = (await create({ amount: '7000.00' })).body
  const booking = { intent: honest.id, alert_amount: '7000.00', intent_amount: '7000.00' }
  const booked = await cashier.ask('POST', `/unmatched/${id}/book/`, { body: booking })
  assert.equal(booked.body.intent?.status, 'VERIFIED', booked.text)
  const again = (await create({ amount: '7000.00' })).body
  const twice = await cashier.ask('POST', `/unmatched/${id}/book/`, { body: { ...booking, intent: again.id } })
  assert.deepEqual(errorsOf(twice), ['alert_not_open@non_field_errors'])
})

test('twenty intents of the right amount race for an alert that made another WRONG_AMOUNT; one is verified', async () => {
  const reference = newReference()
  await money('800.00', reference)
  const wrongAmount = (await create({ amount: '9.00' })).body
  await attach(wrongAmount.id, reference)
  const intents = await Promise.all(Array.from({ length: 20 }, () => create({ amount: '800.00' })))
  const answers = await Promise.all(intents.map(({ body }) => attach(body.id, reference)))
  assert.equal(answers.filter(({ body }) => body.status === 'VERIFIED').length, 1)
  assert.equal(answers.filter(({ status }) => status === 400).length, 19)
  assert.equal(
    (await sql('select count(*) from intents where reference = $1 and status = $2', [reference, 'VERIFIED']))[0]![0],
    '1',
  )
})

test('a wrong and a right intent for one alert at the same time: the right one is verified, in either order', async () => {
  for (let round = 0; round < 8; round++) {
    const reference = newReference()
    const [wrongAmount, right] = [(await create({ amount: '3.00' })).body, (await create({ amount: '810.00' })).body]
    const [, first] = await Promise.all([
      money('810.00', reference),
      attach(right.id, reference),
      attach(wrongAmount.id, reference),
    ])
    // One of the two had the reference when the alert came; the other tries again, as a shop does.
    await attach(wrongAmount.id, reference)
    if (first.status === 400) await attach(right.id, reference)
    assert.equal(await statusOf(right.id), 'VERIFIED', `round ${round}`)
    assert.notEqual(await statusOf(wrongAmount.id), 'VERIFIED')
  }
})

test('an unsigned alert of another amount resolves no intent; the signed one then verifies it', async () => {
  const reference = newReference()
  const intent = (await create({ amount: '90000.00' })).body
  await attach(intent.id, reference)
  await sql('update wallets set low_trust_limit = 5000000 where id = $1', [demo.wallets.main])
  clock.advance(2_000)
  await send(paid('1.00', reference), { trusted: false })
  assert.equal(await statusOf(intent.id), 'PENDING')
  assert.deepEqual(await statesOf(reference), ['review low_trust'])
  await send(paid('90000.00', reference))
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  // The same if the unsigned alert comes before the reference.
  const other = newReference()
  await send(paid('1.00', other), { trusted: false })
  const late = (await create({ amount: '90000.00' })).body
  assert.equal((await attach(late.id, other)).body.status, 'PENDING')
  await send(paid('90000.00', other))
  assert.equal(await statusOf(late.id), 'VERIFIED')
  assert.deepEqual(await statesOf(other), ['review second_amount', 'matched'])
  await sql('update wallets set low_trust_limit = 0 where id = $1', [demo.wallets.main])
  clock.advance(2_000)
})

test('an intent takes twenty different references, and no twenty-first; its earlier ones can be attached again', async () => {
  const intent = (await create({ amount: '40.00' })).body
  const tried = Array.from({ length: 20 }, () => newReference())
  for (const reference of tried) assert.equal((await attach(intent.id, reference)).status, 200)
  const othersReference = newReference()
  await money('40.00', othersReference)
  assert.deepEqual(errorsOf(await attach(intent.id, othersReference)), ['reference_limit@reference'])
  const byCashier = await cashier.ask('POST', `/intents/${intent.id}/reference/`, {
    body: { reference: othersReference },
  })
  assert.deepEqual(errorsOf(byCashier), ['reference_limit@reference'])
  assert.match(byCashier.body.errors[0].detail, /at most 20 different references/)
  assert.equal((await attach(intent.id, tried[0]!)).status, 200)
  assert.equal((await attach(intent.id, ` ${tried[1]} `)).status, 200)
  assert.equal(await statusOf(intent.id), 'PENDING')
  await money('40.00', tried[1]!)
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  const detail = (await cashier.ask('GET', `/intents/${intent.id}/`)).body
  assert.equal(detail.references_tried, 20)
  const verified = detail.timeline.find((line: { kind: string }) => line.kind === 'verified')
  assert.match(verified.facts.doubts, /many_references/)
})

test('a reference of invisible characters only is blank', async () => {
  const intent = (await create()).body
  for (const reference of [
    '\u200b\u200f',
    '\u2060',
    '\ufeff\u00ad',
    '\u3164',
    '\u2800',
    '\u{e0020}\u{e0041}',
    '\ufe0f\u034f',
  ])
    assert.deepEqual(errorsOf(await attach(intent.id, reference)), ['blank@reference'], JSON.stringify(reference))
})

test('a payment without a reference shows its doubts: unsigned, a balance that does not follow, a phone connected today', async () => {
  await sql('update devices set paired_at = $2 where id = $1', [demo.device.id, new Date(clock.now()).toISOString()])
  await send(transfer('100', '10100'))
  clock.advance(60_000)
  await send(transfer('200', '10300'))
  assert.deepEqual(await doubtsOn(await newest()), ['phone_new'])
  await sql('update devices set paired_at = $2 where id = $1', [
    demo.device.id,
    new Date(clock.now() - 2 * 86_400_000).toISOString(),
  ])
  clock.advance(60_000)
  await send(transfer('300', '99999'))
  const forged = await newest()
  assert.deepEqual(await doubtsOn(forged), ['balance'])
  const [doubt] = (await cashier.ask('GET', `/unmatched/${forged}/`)).body.doubts
  assert.equal(doubt.facts.missing, '89399.00')
  clock.advance(60_000)
  await send(transfer('400', '10700'), { trusted: false })
  const unsigned = (await cashier.ask('GET', `/unmatched/${await newest()}/`)).body
  assert.deepEqual(
    [unsigned.reason.code, unsigned.doubts.map((doubt: { code: string }) => doubt.code)],
    ['no_reference', ['unsigned']],
  )
})

test('an identical text whose balance rules out a second payment is one payment, whenever and from whichever app or phone', async () => {
  const { sender } = await newWallet('jawali')
  await send(transfer('50', '5000'), { sender })
  clock.advance(60_000)
  const text = transfer('700', '5700')
  await send(text, { sender })
  clock.advance(7_000)
  const app = { sentAt: null, phoneReceivedAt: clock.now() }
  await story.record([report(text, { sender, ...app })], false)
  clock.advance(25 * 3_600_000)
  await send(text, { sender })
  // The same text with invisible marks and more spaces.
  await send(`\u200f${text.replaceAll(' ', '  ')}\u200f`, { sender })
  assert.deepEqual(await statesOfText(text), ['review no_reference', 'duplicate same_text', 'duplicate same_text'])
  assert.deepEqual(await states('sender = $1 and state <> $2', [sender, 'duplicate']), [
    'review no_reference',
    'review no_reference',
  ])
  // The opposite case: the same amount left in between, so the same text is a second payment.
  await send('تم تحويل مبلغ 700 YER إلى 770000000 رصيدك هو 5000.00', { sender })
  clock.advance(60_000)
  await send(text, { sender })
  assert.equal((await statesOfText(text)).at(-1), 'review no_reference')
  assert.deepEqual(await doubtsOn(await newest()), ['seen_before'])
})

test('a trusted alert supersedes the untrusted alert of the same text that an app reported before', async () => {
  const { sender } = await newWallet('jawali')
  const text = transfer('90', '1090.00')
  await story.record([report(text, { sender, sentAt: null })], false)
  clock.advance(8_000)
  await send(text, { sender })
  assert.deepEqual(await statesOfText(text), ['duplicate same_text', 'review no_reference'])
})

test('a user can mark a repetition as a separate payment, unless its reference shows that it is the same', async () => {
  const { sender } = await newWallet('jawali')
  const text = transfer('60', '660.00')
  await send(text, { sender })
  clock.advance(3_600_000)
  await send(text, { sender })
  const id = await newest()
  const done = await cashier.ask('POST', `/unmatched/${id}/not-duplicate/`)
  fits(contract.notDuplicate.answer, done)
  assert.deepEqual([done.body.state, done.body.reason.code], ['review', 'no_reference'])
  assert.deepEqual(
    done.body.doubts.map((doubt: { code: string }) => doubt.code),
    ['seen_before'],
  )
  assert.deepEqual(errorsOf(await cashier.ask('POST', `/unmatched/${id}/not-duplicate/`)), [
    'alert_not_repeated@non_field_errors',
  ])
  const reference = newReference()
  await money('61.00', reference)
  await money('61.00', reference)
  const twice = await newest()
  assert.deepEqual(errorsOf(await cashier.ask('POST', `/unmatched/${twice}/not-duplicate/`)), [
    'alert_not_repeated@non_field_errors',
  ])
})

test('the beginning of a message and the whole are one message, in either order', async () => {
  const { sender } = await newWallet('jawali')
  await send(transfer('10', '900.00'), { sender })
  clock.advance(700_000)
  const whole = transfer('1500', '258113.19')
  await send(whole.slice(0, 40), { sender })
  clock.advance(60_000)
  await send(whole, { sender })
  assert.deepEqual(await statesOfText(whole.slice(0, 40)), ['duplicate message_part'])
  assert.deepEqual(await statesOfText(whole), ['review no_reference'])
  clock.advance(60_000)
  await send(whole.slice(0, 30), { sender })
  assert.deepEqual(await statesOfText(whole.slice(0, 30)), ['duplicate message_part'])
  // More than ten minutes later the part counts as another message.
  clock.advance(700_000)
  await send(whole.slice(0, 20), { sender })
  assert.deepEqual(await statesOfText(whole.slice(0, 20)), ['unread not_understood'])
})

test('two payments of one amount, both cut: neither is a duplicate, and each whole message pays its own order', async () => {
  const { id: wallet, sender } = await newWallet('mfloos')
  const references = ['123460001', '123460002']
  const intents = []
  for (const reference of references) {
    const { body } = await create({ amount: '320.00', wallet })
    await attach(body.id, reference)
    intents.push(body.id)
  }
  const cut = (text: string) => text.slice(0, text.indexOf('12346') + 7)
  for (const reference of references) {
    await send(cut(depositText('320.00', reference)), { sender })
    clock.advance(15 * 60_000)
  }
  // Both are cut inside the reference: they have the same text, are read without a reference, and wait in the queue.
  assert.deepEqual(await states('sender = $1', [sender]), Array(2).fill('review no_reference'))
  for (const reference of references) {
    assert.equal(await statusOf(intents[references.indexOf(reference)]!), 'PENDING')
    await send(depositText('320.00', reference), { sender })
    clock.advance(5_000)
  }
  for (const id of intents) assert.equal(await statusOf(id), 'VERIFIED')
})

test('parts in one request are one message as well', async () => {
  const { sender } = await newWallet('mfloos')
  const reference = '123450001'
  const whole = depositText('300.00', reference)
  await story.record([
    report(whole.slice(0, 45), { sender }),
    report(whole, { sender }),
    report(whole.slice(0, 50), { sender }),
  ])
  assert.deepEqual(await states('sender = $1', [sender]), [
    'duplicate message_part',
    'waiting no_intent',
    'duplicate message_part',
  ])
})

test('an alert that fits two wallets goes to the wallet that a user chooses, and verifies the intent it pays', async () => {
  const reference = newReference()
  const intent = (await create({ amount: '77.00', wallet: demo.wallets.second })).body
  await attach(intent.id, reference)
  await send(paid('77.00', reference), { simSlot: '' })
  const id = await newest()
  const detail = (await cashier.ask('GET', `/unmatched/${id}/`)).body
  assert.equal(detail.reason.code, 'which_wallet')
  assert.deepEqual(
    detail.wallet_choices.map(({ id }: { id: string }) => id).sort(),
    [demo.wallets.main, demo.wallets.second].sort(),
  )
  const refused = await cashier.ask('POST', `/unmatched/${id}/choose-wallet/`, { body: { wallet: demo.wallets.off } })
  assert.deepEqual(errorsOf(refused), ['wallet_not_offered@wallet'])
  const chosen = await cashier.ask('POST', `/unmatched/${id}/choose-wallet/`, { body: { wallet: demo.wallets.second } })
  assert.equal(chosen.body.state, 'matched', chosen.text)
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  const again = await cashier.ask('POST', `/unmatched/${id}/choose-wallet/`, { body: { wallet: demo.wallets.main } })
  assert.deepEqual(errorsOf(again), ['alert_not_ambiguous@non_field_errors'])
})

/** Returns true if there was something to reread. */
const rereadAll = async (): Promise<boolean> => {
  const deps = { db: service.db, zone: zoneOf('Asia/Aden'), hiding: hidingBy(service.masterKey) }
  let steps = 0
  while (await rereadForWallet(deps, clock.now())) steps++
  return steps > 0
}

test('an alert of an unknown sender is hidden until a wallet is bound; one of a known sender is reread on request', async () => {
  const textOf = (reference: string) => depositText('310.00', reference)
  const sender = `Late${++wallets}`
  await send(textOf('123450011'), { sender })
  await send(textOf('123450012'), { sender })
  const hidden = (await sql(`select id from alerts order by id desc limit 2`)).map(([id]) => id!)
  assert.deepEqual(await states('id = any($1::uuid[])', [hidden]), ['hidden unknown_sender', 'hidden unknown_sender'])
  for (const id of hidden) assert.equal((await cashier.ask('POST', `/unmatched/${id}/read-again/`)).status, 404)
  await sql(
    `update alert_templates set sender_names = sender_names || $2::text where provider_id = $1 and status = 'active'`,
    [shippedProviderId('mfloos'), sender],
  )
  await sql(
    `insert into wallets (id, account_id, provider_id, device_id, name, account_number, sender_name, created_at, reread)
     values (gen_random_uuid(), $1, $2, null, $3, '', $3, now(), false)`,
    [accountId, shippedProviderId('mfloos'), sender],
  )
  clock.advance(2_000)
  // The sender is known now, but no wallet of this phone has it: alerts of the sender are stored as unread.
  await send(textOf('123450013'), { sender })
  const unbound = await newest()
  const still = await cashier.ask('POST', `/unmatched/${unbound}/read-again/`)
  assert.deepEqual([still.body.state, still.body.reason.code], ['unread', 'unknown_sender'])
  await sql(`update wallets set device_id = $1, reread = true where sender_name = $2`, [demo.device.id, sender])
  clock.advance(2_000)
  const read = await cashier.ask('POST', `/unmatched/${unbound}/read-again/`)
  assert.equal(read.body.state, 'waiting', read.text)
  assert.equal(await rereadAll(), true)
  assert.deepEqual(await states('sender = $1', [sender]), Array(3).fill('waiting no_intent'))
  clock.advance(31_000)
  assert.equal(await rereadAll(), true, 'once more, when every node knows the wallet')
  clock.advance(31_000)
  assert.equal(await rereadAll(), false)
  assert.deepEqual(errorsOf(await cashier.ask('POST', `/unmatched/${unbound}/read-again/`)), [
    'alert_not_unread@non_field_errors',
  ])
})

test('a broken balance chain stops a payment by default; accepting the balance pays all that followed', async () => {
  const { id: wallet, sender } = await newWallet('jaib')
  const textOf = (amount: string, after: string, reference: string) =>
    `أضيف ${amount}ر.ي مشتريات رص:${after}ر.ي من 1234567 م:${reference}`
  let number = 40_000_000_000_000
  const pay = async (amount: string, after: string) => {
    const reference = String(++number)
    const intent = (await create({ wallet, amount: `${amount}.00` })).body
    await attach(intent.id, reference)
    await send(textOf(amount, after, reference), { sender })
    clock.advance(60_000)
    return { intent: intent.id as string, reference }
  }
  const first = await pay('100', '1100')
  const second = await pay('100', '1200')
  assert.deepEqual([await statusOf(first.intent), await statusOf(second.intent)], ['VERIFIED', 'VERIFIED'])
  // 500 left the wallet without an alert; the alerts that follow wait as well.
  const third = await pay('100', '800')
  const fourth = await pay('50', '850')
  assert.deepEqual(await statesOf(third.reference), ['review broken_chain'])
  assert.deepEqual(await statesOf(fourth.reference), ['review broken_chain'])
  const [[id]] = (await sql('select id from alerts where reference = $1', [third.reference])) as [[string]]
  const detail = (await cashier.ask('GET', `/unmatched/${id}/`)).body
  assert.equal(detail.reason.facts.missing, '-500.00')
  const accepted = await cashier.ask('POST', `/unmatched/${id}/accept-balance/`)
  assert.equal(accepted.body.state, 'matched', accepted.text)
  assert.deepEqual([await statusOf(third.intent), await statusOf(fourth.intent)], ['VERIFIED', 'VERIFIED'])
  const fifth = await pay('50', '900')
  assert.equal(await statusOf(fifth.intent), 'VERIFIED')
  assert.deepEqual(errorsOf(await cashier.ask('POST', `/unmatched/${id}/accept-balance/`)), [
    'alert_not_doubtful@non_field_errors',
  ])
})

test('accepting the paid amount creates an intent of that amount for the order, verified by the same alert, once', async () => {
  const reference = newReference()
  const intent = (await create({ amount: '1500.00', external_order_id: 'order 1400' })).body
  await attach(intent.id, reference)
  const alert = await money('1400.00', reference)
  const wrongAmount = (await cashier.ask('GET', `/intents/${intent.id}/`)).body
  assert.deepEqual([wrongAmount.status, wrongAmount.spendable], ['WRONG_AMOUNT', '1400.00'])
  const body = { paid_amount: '1400.00' }
  const other = await cashier.ask('POST', `/intents/${intent.id}/accept-paid/`, { body: { paid_amount: '1500.00' } })
  assert.deepEqual(errorsOf(other), ['amount_changed@non_field_errors'])
  const [first, second] = await Promise.all([
    cashier.ask('POST', `/intents/${intent.id}/accept-paid/`, { body }),
    manager.ask('POST', `/intents/${intent.id}/accept-paid/`, { body }),
  ])
  const [done, refused] = first.status === 200 ? [first, second] : [second, first]
  assert.equal(done.status, 200, done.text)
  assert.deepEqual(
    [done.body.status, done.body.payable_amount, done.body.external_order_id, done.body.manual_override],
    ['VERIFIED', '1400.00', 'order 1400', true],
  )
  assert.deepEqual(errorsOf(refused), ['alert_not_open@non_field_errors'])
  assert.deepEqual(await statesOf(reference), ['booked'])
  const still = (await cashier.ask('GET', `/intents/${intent.id}/`)).body
  assert.deepEqual([still.status, still.paid_amount, still.spendable], ['WRONG_AMOUNT', '1400.00', null])
  assert.equal((await cashier.ask('GET', `/unmatched/${alert}/`)).body.intent.id, done.body.id)
})

test('an alert that made an intent WRONG_AMOUNT is in the queue, and can be dismissed and restored', async () => {
  const reference = newReference()
  const intent = (await create({ amount: '20.00' })).body
  await attach(intent.id, reference)
  const alert = await money('21.00', reference)
  const queue = (await cashier.ask('GET', '/unmatched/?state=wrong_amount')).body.results
  const queued = queue.find(({ id }: { id: string }) => id === alert)
  assert.deepEqual([queued.intent.id, queued.intent.payable_amount], [intent.id, '20.00'])
  const dismissal = await cashier.ask('POST', `/unmatched/${alert}/dismiss/`, { body: { reason: 'returned in cash' } })
  assert.equal(dismissal.body.state, 'dismissed')
  assert.equal((await cashier.ask('GET', `/intents/${intent.id}/`)).body.spendable, null)
  const right = (await create({ amount: '21.00' })).body
  assert.equal((await attach(right.id, reference)).body.status, 'PENDING')
  const back = await cashier.ask('POST', `/unmatched/${alert}/undo-dismiss/`)
  assert.equal(back.body.state, 'matched')
  assert.equal(await statusOf(right.id), 'VERIFIED')
})

test('one search finds an order, a code, a reference, its last digits, an amount and a payer, in intents and in alerts', async () => {
  const reference = newReference()
  const intent = (await create({ amount: '4321.50', external_order_id: 'SB-10691' })).body
  const alert = await money('8765.25', reference)
  const ask = async (q: string) => {
    const found = (await cashier.ask('GET', `/search/?q=${encodeURIComponent(q)}`)).body
    return [found.intents, found.alerts].map((list) => list.map(({ id }: { id: string }) => id))
  }
  assert.deepEqual(await ask('SB-10691'), [[intent.id], []])
  assert.deepEqual(await ask(intent.code), [[intent.id], []])
  assert.deepEqual(await ask('4,321.50'), [[intent.id], []])
  assert.deepEqual(await ask(reference), [[], [alert]])
  assert.deepEqual(await ask('8765.25'), [[], [alert]])
  assert.ok((await ask(reference.slice(-4)))[1].includes(alert))
  // An amount is in both: an order of that amount, and an alert.
  const paidIntent = (await create({ amount: '8765.25', external_order_id: 'SB-10692' })).body
  assert.deepEqual(await ask('8765.25'), [[paidIntent.id], [alert]])
  assert.equal((await attach(paidIntent.id, reference)).body.status, 'VERIFIED')
  for (const q of [reference, '8765.25']) assert.deepEqual(await ask(q), [[paidIntent.id], [alert]], q)
  assert.deepEqual(await ask('SB-10692'), [[paidIntent.id], [alert]], 'the alert that paid the order')
  assert.ok((await ask('تاجر'))[1].includes(alert))
  assert.deepEqual(errorsOf(await cashier.ask('GET', '/search/?q=x')), ['invalid@q'])
})

test('a repeated text without a time is a duplicate for some minutes; after twenty minutes it is stored as a new alert', async () => {
  const { sender } = await newWallet('jawali')
  const text = 'لا احد يقرأ هذا النص الطويل'
  const untimed = { sender, sentAt: null, phoneReceivedAt: null }
  await story.record([report(text, untimed)], false)
  clock.advance(60_000)
  await story.record([report(text, untimed)], false)
  clock.advance(20 * 60_000)
  await story.record([report(text, untimed)], false)
  assert.deepEqual(await statesOfText(text), ['unread not_understood', 'duplicate same_text', 'unread not_understood'])
})

test('a copy of a booked message that came while the wallet was closed does not make the next copy a payment', async () => {
  const { id: wallet, sender } = await newWallet('jawali')
  await send(transfer('50', '6000'), { sender })
  clock.advance(60_000)
  const text = transfer('730', '6730')
  await send(text, { sender })
  const intent = (await create({ wallet, amount: '730.00' })).body
  const booking = { intent: intent.id, alert_amount: '730.00', intent_amount: '730.00' }
  assert.equal((await cashier.ask('POST', `/unmatched/${await newest()}/book/`, { body: booking })).status, 200)
  const setActive = async (active: boolean) => {
    await sql('update wallets set active = $2 where id = $1', [wallet, active])
    clock.advance(60_000)
  }
  await setActive(false)
  await send(text, { sender })
  await setActive(true)
  await send(text, { sender })
  assert.deepEqual(await statesOfText(text), ['booked', 'unread unknown_sender', 'duplicate same_text'])
  // The opposite case: a message that came only while the wallet was closed is a payment when it comes again.
  const only = transfer('40', '6770')
  await setActive(false)
  await send(only, { sender })
  await setActive(true)
  await send(only, { sender })
  assert.deepEqual(await statesOfText(only), ['unread unknown_sender', 'review no_reference'])
})

test('a message without a reference that comes on two wallets is marked as seen before on the second', async () => {
  const firstWallet = await newWallet('jawali')
  const secondWallet = await newWallet('jawali')
  const phone = await newPhone()
  await sql('update wallets set device_id = $2, sender_name = $3 where id = $1', [
    secondWallet.id,
    phone,
    firstWallet.sender,
  ])
  clock.advance(2_000)
  const text = transfer('735', '8735')
  await send(text, { sender: firstWallet.sender })
  assert.deepEqual(await doubtsOn(await newest()), [])
  clock.advance(60_000)
  await send(text, { sender: firstWallet.sender, phoneId: phone })
  assert.deepEqual(await doubtsOn(await newest()), ['seen_before'])
  // The opposite case: another balance is another payment.
  await send(transfer('735', '9470'), { sender: firstWallet.sender, phoneId: phone })
  assert.deepEqual(await doubtsOn(await newest()), [])
})

test('the same text from a phone that is now bound to another wallet is no second payment', async () => {
  const firstWallet = await newWallet('mfloos')
  const reference = '123450021'
  const text = depositText('320.00', reference)
  const intent = (await create({ wallet: firstWallet.id, amount: '320.00' })).body
  await attach(intent.id, reference)
  await send(text, { sender: firstWallet.sender, simSlot: '' })
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  // The wallet is entered again, also without its number, after the first entry was closed.
  await sql('update wallets set active = false where id = $1', [firstWallet.id])
  const [row] = await sql(
    `insert into wallets (id, account_id, provider_id, device_id, name, account_number, sender_name, created_at)
     values (gen_random_uuid(), $1, $2, $3, 'Again', '', $4, now()) returning id`,
    [accountId, shippedProviderId('mfloos'), demo.device.id, firstWallet.sender],
  )
  clock.advance(2 * 86_400_000)
  const again = (await create({ wallet: row![0]!, amount: '320.00' })).body
  await attach(again.id, reference)
  await send(text, { sender: firstWallet.sender, simSlot: '' })
  assert.equal(await statusOf(again.id), 'PENDING')
  // The same text from another phone waits for review.
  const phone = await newPhone()
  await sql('update wallets set device_id = $2 where id = $1', [row![0]!, phone])
  clock.advance(60_000)
  await send(text, { sender: firstWallet.sender, simSlot: '', phoneId: phone })
  assert.equal(await statusOf(again.id), 'PENDING')
  assert.deepEqual(await statesOf(reference), ['matched', 'duplicate same_text', 'review seen_before'])
})

test('after all tests of this file, every money invariant holds', async () => {
  await assertMoneyInvariants(sql)
})
