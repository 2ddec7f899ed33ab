/** An alert and an intent are matched once, whichever comes first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unlimited } from '../../src/accounts/limits/role-limits.ts'
import type { Report } from '../../src/alerts/alert.ts'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { draftTemplate, publishTemplate, type TemplateDraft } from '../../src/alerts/publishing/publish-template.ts'
import { templateLookup } from '../../src/alerts/publishing/template-lookup.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { AccountId, AlertId, TemplateId, WalletIdentity } from '../../src/core/ids.ts'
import { minor } from '../../src/core/money.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import type { Intent } from '../../src/intents/intent.ts'
import { announceUnmatched } from '../../src/matching/queue/announce-unmatched.ts'
import { bookAlert, bookExpired } from '../../src/matching/queue/book-alert.ts'
import { likelyIntents } from '../../src/matching/queue/likely-intents.ts'
import { reportReader } from '../../src/matching/reading/read-report.ts'
import { readStored } from '../../src/matching/reading/read-stored.ts'
import { alertRecorder } from '../../src/matching/report/record-alerts.ts'
import { releaseHeld } from '../../src/matching/reread/release-held.ts'
import { rereadAlerts } from '../../src/matching/reread/reread-alerts.ts'
import { rereadForTemplate } from '../../src/matching/reread/reread-templates.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { purchaseText, smsReports, transferText } from '../support/sms-texts.ts'
import { errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const publishDraft = (id: TemplateId) => service.db.transaction((tx) => publishTemplate(tx, id))
const { ask, create, clock, demo, sql } = service
const zone = zoneOf('Asia/Aden')
const readReport = reportReader(service.db, templateLookup(service.db), hidingBy(service.masterKey))
const { record } = alertRecorder({ db: service.db, shared: service.db, zone, readReport })
const [[accountId]] = (await sql('select account_id from devices where id = $1', [demo.device.id])) as [[AccountId]]

const firstValue = async (text: string, values: unknown[] = []): Promise<string> => (await sql(text, values))[0]![0]!

const report = smsReports(clock, 'c')
const phone = (...reports: Report[]) =>
  record({ accountId, phoneId: demo.device.id, adapter: 'native', trusted: true }, reports, clock.now())
const attach = (id: string, reference: string) => ask('PATCH', `/intents/${id}/`, { body: { reference } })
const stateOf = async (reference: string) =>
  (await sql('select state, reason from alerts where reference = $1 order by id', [reference])).map((row) =>
    row.join(' '),
  )
const eventsOf = async (kind: string, text: string) =>
  (await sql('select body from events where kind = $1 and body like $2 order by id', [kind, `%${text}%`])).map(
    ([body]) => JSON.parse(body!),
  )

test('the alert comes first; the PATCH with its reference answers VERIFIED, and the event is stored', async () => {
  const intent = (await create({ external_order_id: 'order-42' })).body
  clock.advance(1000)
  assert.deepEqual(await phone(report(purchaseText('1,500.00', '420000000001'))), ['accepted'])
  clock.advance(1000)
  const answer = await attach(intent.id, '420000000001')
  assert.equal(answer.status, 200)
  assert.equal(answer.body.status, 'VERIFIED')
  assert.equal(answer.body.verified_at, '2026-01-02T06:04:07.678000+03:00')
  assert.equal(answer.body.matched_event.amount, '1500.00')
  assert.equal(answer.body.matched_event.sender, 'Jawali')
  assert.deepEqual(answer.body.device, { id: demo.device.id, name: 'Shop phone' })
  assert.equal((await ask('GET', `/intents/${intent.id}/`)).text, answer.text)
  assert.deepEqual(await eventsOf('payment.verified', '420000000001'), [
    {
      event: 'payment.verified',
      payment_id: intent.code,
      intent_id: intent.id,
      order_id: 'order-42',
      reference: '420000000001',
      base_amount: '1500.00',
      amount: '1500.00',
      currency: 'YER',
      status: 'VERIFIED',
      verified_at: '2026-01-02T06:04:07.678000+03:00',
      manual_override: false,
    },
  ])
  assert.deepEqual(await eventsOf('payment.unmatched', '420000000001'), [])
})

test('the reference comes first: the alert verifies the intent when it arrives', async () => {
  const intent = (await create()).body
  await attach(intent.id, '420000000002')
  await phone(report(purchaseText('1500', '٤٢٠٠٠٠٠٠٠٠٠٢')))
  const now = (await ask('GET', `/intents/${intent.id}/`)).body
  assert.equal(now.status, 'VERIFIED')
  assert.deepEqual(await stateOf('420000000002'), ['matched '])
})

test('another amount makes the intent WRONG_AMOUNT with the paid amount, sends no event, and leaves the alert usable', async () => {
  for (const [reference, amount] of [
    ['500000000001', '1400.00'],
    ['500000000002', '1600.00'],
  ] as const) {
    const intent = (await create()).body
    await attach(intent.id, reference)
    await phone(report(purchaseText(amount, reference)))
    const now = (await ask('GET', `/intents/${intent.id}/`)).body
    assert.equal(now.status, 'WRONG_AMOUNT')
    assert.equal(now.paid_amount, amount)
    assert.equal(now.verified_at, null)
    assert.equal(now.matched_event.amount, amount)
    assert.deepEqual(await eventsOf('payment.verified', reference), [])
    const same = (await create()).body
    assert.equal((await attach(same.id, reference)).body.status, 'WRONG_AMOUNT')
    const right = (await create({ amount })).body
    assert.equal((await attach(right.id, reference)).body.status, 'VERIFIED')
    assert.equal((await eventsOf('payment.verified', reference)).length, 1)
    const late = (await create({ amount })).body
    assert.deepEqual(errorsOf(await attach(late.id, reference)), ['reference_already_used@reference'])
    clock.advance(10_000)
    await phone(report(purchaseText('1500.00', reference)))
    assert.deepEqual(await stateOf(reference), ['matched ', 'review second_amount'])
  }
})

test('the same alert again is one payment; another amount under one reference waits for review', async () => {
  const intent = (await create()).body
  const first = report(purchaseText('1500.00', '510000000001'))
  assert.deepEqual(await phone(first), ['accepted'])
  assert.deepEqual(await phone(first), ['duplicate'])
  assert.deepEqual(await phone({ ...first, clientId: 'second app' }), ['duplicate'])
  clock.advance(60_000)
  assert.deepEqual(await phone(report(purchaseText('1500.00', '510000000001'))), ['duplicate'])
  assert.deepEqual(await phone(report(purchaseText('1.00', '510000000001'))), ['accepted'])
  assert.equal((await attach(intent.id, '510000000001')).body.status, 'VERIFIED')
  assert.equal((await eventsOf('payment.verified', '510000000001')).length, 1)
})

test('a late alert leaves the intent EXPIRED; a user can book it to a copy of the order, in one action', async () => {
  const intent = (await create({ external_order_id: 'late one', notes: 'gift' })).body
  await attach(intent.id, '480000000001')
  clock.advance(3_600_000)
  await phone(report(purchaseText('1500.00', '480000000001')))
  assert.equal((await ask('GET', `/intents/${intent.id}/`)).body.status, 'EXPIRED')
  assert.deepEqual(await stateOf('480000000001'), ['waiting late'])
  const alertId = await firstValue('select id from alerts where reference = $1', ['480000000001'])
  const booked = await bookExpired(
    service.db,
    zone,
    { scope: wholeAccount(accountId), alertId, intentId: intent.id, by: 'user x', allowed: unlimited },
    clock.now(),
  )
  assert.ok(!('refused' in booked))
  const copy = (await ask('GET', `/intents/${booked.id}/`)).body
  assert.equal(copy.status, 'VERIFIED')
  assert.equal(copy.external_order_id, 'late one')
  assert.equal(copy.notes, 'gift')
  assert.equal(copy.manual_override, true)
  assert.equal(copy.collected_manually, true)
  assert.equal((await eventsOf('payment.verified', 'late one'))[0].manual_override, true)
})

test('an alert that came first can be matched for exactly 24 hours', async () => {
  await phone(report(purchaseText('1500.00', '490000000001')), report(purchaseText('1500.00', '490000000002')))
  clock.advance(24 * 3_600_000 - 1)
  assert.equal((await attach((await create()).body.id, '490000000001')).body.status, 'VERIFIED')
  clock.advance(1)
  assert.equal((await attach((await create()).body.id, '490000000002')).body.status, 'PENDING')
})

test('a reference whose alert is too old is still attached, and another intent cannot take it', async () => {
  await phone(report(purchaseText('1,500.00', '7049001')))
  clock.advance(24 * 3_600_000)
  const [first, second] = [(await create()).body, (await create()).body]
  assert.equal((await attach(first.id, '7049001')).body.status, 'PENDING')
  assert.deepEqual(errorsOf(await attach(second.id, '7049001')), ['reference_already_used@reference'])
  assert.deepEqual(await stateOf('7049001'), ['waiting no_intent'])
  assert.equal((await ask('GET', `/intents/${first.id}/`)).body.reference, '7049001')
  assert.equal((await ask('GET', `/intents/${second.id}/`)).body.reference, '')
  const moves = await sql('select kind from intent_moves where intent_id = $1', [first.id])
  assert.deepEqual(moves, [['reference']])
})

test('alerts from a phone that is off are held, and matched when they are released', async () => {
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  const intent = (await create({ wallet: demo.wallets.test })).body
  await attach(intent.id, '520000000001')
  const text = 'Test payment of 1500.00 YER, reference 520000000001.'
  assert.deepEqual(await phone(report(text, { sender: 'SanadTest', simSlot: '' })), ['held'])
  assert.equal((await ask('GET', `/intents/${intent.id}/`)).body.status, 'PENDING')
  const alertId = await firstValue('select id from alerts where reference = $1', ['520000000001'])
  const held = { scope: wholeAccount(accountId), alertId }
  const reread = await readStored({ db: service.db, readReport }, held, clock.now())
  const released = isRefusal(reread) ? reread : await releaseHeld(service.db, zone, held, reread)
  assert.ok(!isRefusal(released) && released.state === 'matched')
  assert.equal((await ask('GET', `/intents/${intent.id}/`)).body.status, 'VERIFIED')
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
})

test('on the test wallet payment.received is sent first, then payment.verified; never payment.unmatched', async () => {
  const all = await sql(`select kind, body from events where wallet_id = $1 order by id`, [demo.wallets.test])
  assert.deepEqual(
    all.map(([kind, body]) => `${kind} ${JSON.parse(body!).resolution ?? ''}`),
    ['payment.received MATCHED', 'payment.verified '],
  )
  await phone(report('Test payment of 7.00 YER, reference 750000000001.', { sender: 'SanadTest', simSlot: '' }))
  assert.equal((await eventsOf('payment.received', '750000000001'))[0].resolution, 'UNMATCHED')
  assert.deepEqual(await eventsOf('payment.unmatched', '750000000001'), [])
})

test('an alert without a reference is kept for review, and never matched by guess', async () => {
  const intent = (await create()).body
  await phone(report(transferText('1500', '258113.19', '770000001')))
  assert.equal((await ask('GET', `/intents/${intent.id}/`)).body.status, 'PENDING')
  const rows = await sql(`select state, reason, balance from alerts where reference is null and amount = 150000`)
  assert.deepEqual(rows, [['review', 'no_reference', '25811319']])
})

test('a user books an alert without a reference to a PENDING intent; of two users at once one wins', async () => {
  const [first, second] = [(await create()).body, (await create()).body]
  const alertId = await firstValue(`select id from alerts where reason = 'no_reference' and state = 'review'`)
  const book = (intentId: string) =>
    bookAlert(
      service.db,
      zone,
      { scope: wholeAccount(accountId), alertId, intentId, by: 'user a', allowed: unlimited },
      clock.now(),
    )
  const outcomes = await Promise.all([book(first.id), book(second.id)])
  const won = outcomes.filter((outcome) => !('refused' in outcome))
  assert.equal(won.length, 1)
  const winner = won[0] as Intent
  const taken = { state: 'booked', intent: winner.id, payment: winner.code, by: 'user a' }
  assert.deepEqual(
    outcomes.filter((outcome) => 'refused' in outcome),
    [{ refused: 'alert_not_open', facts: { ...taken, at: zone.format(new Date(clock.now())) } }],
  )
  const now = (await ask('GET', `/intents/${(won[0] as { id: string }).id}/`)).body
  assert.equal(now.status, 'VERIFIED')
  assert.equal(now.manual_override, true)
  assert.equal(now.paid_amount, null)
})

test('payment.unmatched is sent at once if no intent can match, otherwise when the last possible intent has ended', async () => {
  clock.advance(2 * 3_600_000)
  await expireIntents(service.db, 1000, clock.now(), zone)
  await phone(report(purchaseText('10.00', '740000000001')))
  assert.equal((await eventsOf('payment.unmatched', '740000000001')).length, 1)
  await create()
  clock.advance(1000)
  await phone(report(purchaseText('10.00', '740000000002')))
  await announceUnmatched(service.db, zone, 100, clock.now())
  assert.deepEqual(await eventsOf('payment.unmatched', '740000000002'), [])
  clock.advance(3_600_000)
  await announceUnmatched(service.db, zone, 100, clock.now())
  const [event] = await eventsOf('payment.unmatched', '740000000002')
  assert.equal(event.wallet, 'Main wallet')
  assert.equal(event.is_test, false)
  assert.equal(await announceUnmatched(service.db, zone, 100, clock.now()), 0)
})

test('an alert of another SIM or unknown sender, or an unreadable one, is stored with a reason; a code is hidden', async () => {
  await phone(
    report(purchaseText('5.00', '900000000001'), { simSlot: 'SIM2', sender: 'Jawali' }),
    report('رسالة لا يفهمها أحد'),
    report(purchaseText('5.00', '900000000002'), { sender: 'jawali' }),
    report('رمز التحقق 1234'),
    report(purchaseText('5.00', '900000000003'), { sender: 'Somebody' }),
  )
  const rows = await sql(`select state, reason, wallet_id is not null from alerts order by id desc limit 5`)
  assert.deepEqual(rows.reverse(), [
    ['waiting', 'no_intent', 't'],
    ['unread', 'not_understood', 't'],
    ['unread', 'unknown_sender', 'f'],
    ['hidden', 'not_understood', 't'],
    ['hidden', 'unknown_sender', 'f'],
  ])
})

const transfer = (amount: string, balance: string, from = '770000000') => transferText(amount, `${balance}.00`, from)

test('an alert whose balance does not follow has the missing amount, and does not move the stored balance', async () => {
  await sql('delete from wallet_balances')
  await phone(report(transfer('100', '1100')))
  clock.advance(60_000)
  await phone(report(transfer('50', '1150')))
  clock.advance(60_000)
  await phone(report(transfer('10', '9160')))
  const chains = await sql(`select chain, chain_missing from alerts where balance is not null order by id desc limit 3`)
  assert.deepEqual(chains.reverse(), [
    ['unknown', null],
    ['fits', null],
    ['break', '800000'],
  ])

  assert.deepEqual(await sql('select balance from wallet_balances where wallet_id = $1', [demo.wallets.main]), [
    ['115000'],
  ])
})

test('unreadable alerts are read again when a template is published, and match only within the window', async () => {
  const [soon, late] = [(await create({ amount: '70.00' })).body, (await create({ amount: '71.00' })).body]
  await attach(soon.id, 'NEW-000001')
  await attach(late.id, 'NEW-000002')
  const wording = (amount: string, reference: string) => `وصلك مبلغ ${amount} YER رقم العملية ${reference} شكرا`
  await phone(report(wording('70.00', 'NEW-000001')))
  assert.equal((await ask('GET', `/intents/${soon.id}/`)).body.status, 'PENDING')
  assert.deepEqual(await sql(`select state, reason from alerts order by id desc limit 1`), [
    ['unread', 'not_understood'],
  ])

  const draft: TemplateDraft = {
    providerId: shippedProviderId('jawali'),
    accountId: null,
    name: 'New wording',
    senderNames: ['Jawali'],
    direction: 'credit',
    currency: 'YER',
    sentence: 'وصلك مبلغ {amount:money} YER رقم العملية {reference:reference} شكرا',
    samples: [{ text: wording('70.00', 'NEW-000009'), expect: { amount: '71.00', reference: 'NEW-000009' } }],
    counterSamples: [{ text: 'خصم مبلغ 70.00 YER رقم العملية NEW-000009 شكرا', why: 'debit' }],
  }
  const refused = await publishDraft(await draftTemplate(service.db, draft, undefined, clock.now()))
  assert.equal(refused.kind, 'refused')
  const samples = [{ text: wording('70.00', 'NEW-000009'), expect: { amount: '70.00', reference: 'NEW-000009' } }]
  const right = await draftTemplate(service.db, { ...draft, samples }, undefined, clock.now())
  assert.equal((await publishDraft(right)).kind, 'published')
  clock.advance(2_000)
  const deps = { db: service.db, zone, readReport, hiding: readReport.hiding }
  while (await rereadForTemplate(deps, clock.now()));
  assert.equal((await ask('GET', `/intents/${soon.id}/`)).body.status, 'VERIFIED')
  assert.equal(await rereadForTemplate(deps, clock.now()), false)

  await sql(`update alert_templates set status = 'retired' where id = $1`, [right])
  clock.advance(2_000)
  await phone(report(wording('71.00', 'NEW-000002')))
  clock.advance(3_600_000)
  await sql(`update alert_templates set status = 'active' where id = $1`, [right])
  clock.advance(2_000)
  assert.equal(await rereadAlerts(deps, { accountId, senders: ['Jawali'] }, clock.now()), 1)
  assert.equal((await ask('GET', `/intents/${late.id}/`)).body.status, 'EXPIRED')
  assert.deepEqual(await stateOf('NEW-000002'), ['waiting late'])
})

test('the queue offers intents of the same amount whose window contains the alert, the nearest first, three at most', async () => {
  clock.advance(3 * 3_600_000)
  const earlier = (await create({ amount: '333.00' })).body
  clock.advance(30 * 60_000)
  const nearest = (await create({ amount: '333.00' })).body
  const other = (await create({ amount: '334.00' })).body
  clock.advance(60_000)
  await phone(report(transfer('333', '9493')))
  const alertId = await firstValue('select id from alerts order by id desc limit 1')
  const unmatched = {
    id: alertId as AlertId,
    identity: demo.wallets.main as string as WalletIdentity,
    amount: minor(33_300n),
    currency: 'YER',
    reference: null,
    referenceKey: null,
    payer: null,
    receivedAt: clock.now(),
  }
  const likely = await likelyIntents(service.db, wholeAccount(accountId), [unmatched], clock.now())
  assert.deepEqual(
    likely.get(unmatched.id)!.map(({ intentId, apart_ms }) => [intentId, apart_ms]),
    [
      [nearest.id, -60_000],
      [earlier.id, -31 * 60_000],
    ],
  )
  assert.equal(other.payable_amount, '334.00')
  const later = { ...unmatched, receivedAt: clock.now() + 40 * 60_000 }
  const then = await likelyIntents(service.db, wholeAccount(accountId), [later], clock.now())
  assert.deepEqual(
    then.get(unmatched.id)!.map(({ intentId }) => intentId),
    [nearest.id],
  )
  for (let i = 0; i < 3; i++) await create({ amount: '333.00' })
  assert.equal(
    (await likelyIntents(service.db, wholeAccount(accountId), [unmatched], clock.now())).get(unmatched.id)!.length,
    3,
  )
})

test('an unsigned alert above low_trust_limit, and any alert above review_above, wait for review', async () => {
  const low = (reports: Report[]) =>
    record({ accountId, phoneId: demo.device.id, adapter: 'text', trusted: false }, reports, clock.now())
  await low([report(purchaseText('20.00', '960000000001'))])
  assert.deepEqual(await stateOf('960000000001'), ['review low_trust'])
  // The same payment from a phone that signs is trusted, and counts once.
  clock.advance(10_000)
  await phone(report(purchaseText('20.00', '960000000001')))
  assert.deepEqual(await stateOf('960000000001'), ['duplicate same_reference', 'waiting no_intent'])

  await sql('update wallets set low_trust_limit = 5000, review_above = 100000 where id = $1', [demo.wallets.main])
  clock.advance(2_000)
  await low([report(purchaseText('50.00', '960000000002')), report(purchaseText('50.01', '960000000003'))])
  await phone(report(purchaseText('1000.00', '960000000004')), report(purchaseText('1000.01', '960000000005')))
  assert.deepEqual(await stateOf('960000000002'), ['waiting no_intent'])
  assert.deepEqual(await stateOf('960000000003'), ['review low_trust'])
  assert.deepEqual(await stateOf('960000000004'), ['waiting no_intent'])
  assert.deepEqual(await stateOf('960000000005'), ['review above_limit'])
  await sql('update wallets set low_trust_limit = 0, review_above = null where id = $1', [demo.wallets.main])
})

test('a broken chain stops a payment; the alert has the missing amount and the time from which it is missing', async () => {
  const wallet = await firstValue(
    `insert into wallets (id, account_id, provider_id, device_id, name, account_number, sender_name, created_at, review_broken_chains)
     values (gen_random_uuid(), $1, $2, $3, 'Jaib wallet', '770000000', 'Jaib', now(), true) returning id`,
    [accountId, shippedProviderId('jaib'), demo.device.id],
  )
  clock.advance(2_000)
  const jaib = (amount: string, balance: string, reference: string) =>
    report(`أضيف ${amount}ر.ي مشتريات رص:${balance}ر.ي من 1234567 م:${reference}`, { sender: 'Jaib' })
  const intents = await Promise.all(
    ['10000000000001', '10000000000002', '10000000000003'].map(async (reference) => {
      const intent = (await create({ wallet, amount: '100.00' })).body
      await attach(intent.id, reference)
      return intent
    }),
  )
  await phone(jaib('100', '1100', '10000000000001'))
  const before = clock.now()
  clock.advance(60_000)
  await phone(jaib('100', '1200', '10000000000002'))
  clock.advance(60_000)
  await phone(jaib('100', '1350', '10000000000003'))
  const statuses = await Promise.all(intents.map(async ({ id }) => (await ask('GET', `/intents/${id}/`)).body.status))
  assert.deepEqual(statuses, ['VERIFIED', 'VERIFIED', 'PENDING'])
  const [row] = await sql(
    `select state, reason, chain, chain_missing, chain_since = $1 from alerts where reference = '10000000000003'`,
    [new Date(before + 60_000).toISOString()],
  )
  assert.deepEqual(row, ['review', 'broken_chain', 'break', '5000', 't'])
})

test('a resolution has a timeline entry with its alert', async () => {
  const intent = (await create({ amount: '1620.00' })).body
  await attach(intent.id, '560000000001')
  await phone(report(purchaseText('1620.00', '560000000001')))
  const moves = await sql('select kind, by, alert_id is not null from intent_moves where intent_id = $1 order by id', [
    intent.id,
  ])
  assert.deepEqual(moves, [
    ['reference', `key ${demo.client_id}`, 'f'],
    ['verified', 'alert', 't'],
  ])
})

test('after all tests of this file, every money invariant holds', async () => {
  clock.advance(2 * 3_600_000)
  await expireIntents(service.db, 1000, clock.now(), zone)
  await assertMoneyInvariants(sql)
})
