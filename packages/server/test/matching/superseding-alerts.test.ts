/** If two alerts report one payment, the better-proved alert counts, whichever comes first, and both are stored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../../src/alerts/alert.ts'
import { draftTemplate, publishTemplate } from '../../src/alerts/publishing/publish-template.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { TemplateId } from '../../src/core/ids.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { depositText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const publishDraft = (id: TemplateId) => service.db.transaction((tx) => publishTemplate(tx, id))
const { clock, demo, sql, create } = service
const story = await queueStory(service)
const { cashier, attach, newReference, money, paid, record, report, accountId } = story

const act = (id: string, action: string, body?: unknown) => cashier.ask('POST', `/unmatched/${id}/${action}/`, { body })
const book = async (id: string, amount: string) => {
  const intent = (await create({ amount })).body
  return act(id, 'book', { intent: intent.id, alert_amount: amount, intent_amount: amount })
}
const statusOf = async (id: string): Promise<string> => (await service.ask('GET', `/intents/${id}/`)).body.status
const statesOf = async (reference: string) =>
  (await sql('select state, reason from alerts where reference = $1 order by id', [reference])).map((row) =>
    row.join(' '),
  )
const eventsOf = async (reference: string) =>
  (await sql(`select kind from events where body like $1 order by id`, [`%${reference}%`])).map(([kind]) => kind)
const send = (trusted: boolean, text: string, more: Partial<Report> = {}) => record([report(text, more)], trusted)
const intentWith = async (reference: string, amount = '20.00') => {
  const intent = (await create({ amount })).body
  await attach(intent.id, reference)
  return intent.id as string
}

test('an untrusted alert does not suppress the same text from a phone that signs, two seconds later', async () => {
  const reference = newReference()
  const id = await intentWith(reference)
  await send(false, paid('20.00', reference))
  clock.advance(2_000)
  assert.deepEqual(await send(true, paid('20.00', reference)), ['accepted'])
  assert.equal(await statusOf(id), 'VERIFIED')
  assert.deepEqual(await statesOf(reference), ['duplicate same_reference', 'matched '])
  // An untrusted alert after the trusted one is a duplicate.
  clock.advance(1_000)
  assert.deepEqual(await send(false, paid('20.00', reference)), ['duplicate'])
  await assertMoneyInvariants(sql)
})

test('when an alert is superseded, its duplicates point at the alert that counts', async () => {
  const countingOf = async (reference: string) =>
    sql(
      `select d.state, t.state, (select count(*) from alerts x where x.duplicate_of = t.id)
         from alerts d left join alerts t on t.id = d.duplicate_of where d.reference = $1 order by d.id`,
      [reference],
    )
  const apart = newReference()
  await send(false, paid('20.00', apart))
  clock.advance(1_000)
  await send(false, `${paid('20.00', apart)} `)
  clock.advance(1_000)
  await send(true, paid('20.00', apart))
  clock.advance(1_000)
  await send(false, paid('20.00', apart))
  const all = [
    ['duplicate', 'waiting', '3'],
    ['duplicate', 'waiting', '3'],
    ['waiting', null, '0'],
    ['duplicate', 'waiting', '3'],
  ]
  assert.deepEqual(await countingOf(apart), all)
  await assertMoneyInvariants(sql)
})

test('a payment that a better-proved alert reports again sends one event', async () => {
  const announced = newReference()
  await send(false, paid('20.00', announced))
  assert.deepEqual(await eventsOf(announced), ['payment.unmatched'])
  clock.advance(10_000)
  await send(true, paid('20.00', announced))
  assert.deepEqual(await statesOf(announced), ['duplicate same_reference', 'waiting no_intent'])
  assert.deepEqual(await eventsOf(announced), ['payment.unmatched'])

  // payment.unmatched waits, because an intent may still match. It then belongs to the better-proved alert, and to it alone.
  const owed = newReference()
  const open = (await create({ amount: '5.00' })).body
  clock.advance(1_000)
  await send(false, paid('20.00', owed))
  clock.advance(10_000)
  await send(true, paid('20.00', owed))
  const rows = await sql('select unmatched_owed from alerts where reference = $1 order by id', [owed])
  assert.deepEqual(rows, [['f'], ['t']])
  await attach(open.id, newReference())

  const test = newReference()
  const text = `Test payment of 7.00 YER, reference ${test}.`
  const from = { sender: 'SanadTest', simSlot: '' } as const
  await send(false, text, from)
  clock.advance(10_000)
  await send(true, text, from)
  assert.deepEqual(await eventsOf(test), ['payment.received'])
})

test('an untrusted alert that is restored after the payment was booked blocks nothing', async () => {
  const reference = newReference()
  const doubtful = await money('20.00', reference, false)
  await act(doubtful, 'dismiss', { reason: 'looks made up' })
  clock.advance(10_000)
  const trusted = await money('20.00', reference)
  assert.equal((await book(trusted, '20.00')).status, 200)
  assert.equal((await act(doubtful, 'undo-dismiss')).status, 200)
  clock.advance(10_000)
  assert.deepEqual(await send(true, paid('20.00', reference)), ['duplicate'])
  await assertMoneyInvariants(sql)
})

test('a booking stays valid, whatever alerts with the same reference come before or after it', async () => {
  const reference = newReference()
  await money('100.00', reference, false)
  clock.advance(10_000)
  const second = await money('150.00', reference, false)
  assert.equal((await book(second, '150.00')).status, 200)
  clock.advance(10_000)
  assert.deepEqual(await send(true, paid('100.00', reference)), ['accepted'])
  clock.advance(10_000)
  assert.deepEqual(await send(true, paid('150.00', reference)), ['duplicate'])
  assert.deepEqual(await statesOf(reference), [
    'review low_trust',
    'booked ',
    'review second_amount',
    'duplicate same_reference',
  ])
  await assertMoneyInvariants(sql)
})

test('an untrusted alert with another amount is not the same payment: the trusted alert counts and both are stored', async () => {
  const reference = newReference()
  const id = await intentWith(reference)
  await money('9000.00', reference, false)
  clock.advance(10_000)
  await send(true, paid('20.00', reference))
  assert.equal(await statusOf(id), 'VERIFIED')
  assert.deepEqual(await statesOf(reference), ['review low_trust', 'matched '])
})

const newWallet = async (provider: string, sender: string, more: Record<string, string> = {}) => {
  const names = Object.keys(more)
  const [[id]] = (await sql(
    `insert into wallets (id, account_id, provider_id, device_id, name, account_number, sender_name, created_at${names.map((name) => `, ${name}`).join('')})
     values (gen_random_uuid(), $1, $2, $3, $4, '770000000', $5, now()${names.map((_, i) => `, $${i + 6}`).join('')}) returning id`,
    [accountId, shippedProviderId(provider), demo.device.id, `${sender} wallet`, sender, ...Object.values(more)],
  )) as [[string]]
  clock.advance(2_000)
  return id
}

test('an alert from the other SIM does not block the alert from the right SIM', async () => {
  const wallet = await newWallet('mfloos', 'MFloos', { sim_slot: 'SIM1' })
  const intent = (await create({ wallet, amount: '300.00' })).body
  await attach(intent.id, '700000001')
  const text = depositText('300.00', '700000001')
  await send(true, text, { sender: 'MFloos', simSlot: 'SIM2' })
  assert.deepEqual(await statesOf('700000001'), ['review other_sim'])
  // An alert without a SIM counts as a repetition of the alert with the other SIM.
  clock.advance(10_000)
  await send(true, text, { sender: 'MFloos', simSlot: '' })
  assert.deepEqual(await statesOf('700000001'), ['review other_sim', 'duplicate same_reference'])
  assert.equal(await statusOf(intent.id), 'PENDING')
  clock.advance(10_000)
  await send(true, text, { sender: 'MFloos', simSlot: 'SIM1' })
  assert.equal(await statusOf(intent.id), 'VERIFIED')
  assert.deepEqual(await statesOf('700000001'), ['duplicate same_reference', 'duplicate same_reference', 'matched '])
  // The same payment again is a duplicate, whichever SIM reports it.
  clock.advance(10_000)
  await send(true, text, { sender: 'MFloos', simSlot: 'SIM2' })
  assert.equal((await statesOf('700000001')).at(-1), 'duplicate same_reference')
  await assertMoneyInvariants(sql)
})

test('an alert in another currency waits for review, and does not block the alert in the right currency', async () => {
  const wording = (currency: string, reference: string) => `وصلك مبلغ 300.00 ${currency} رقم العملية ${reference} شكرا`
  for (const currency of ['YER', 'SAR']) {
    const draft = {
      providerId: shippedProviderId('jawali'),
      accountId: null,
      name: `Received, ${currency}`,
      senderNames: ['Jawali'],
      direction: 'credit',
      currency,
      sentence: `وصلك مبلغ {amount:money} ${currency} رقم العملية {reference:reference} شكرا`,
      samples: [{ text: wording(currency, 'CUR-1'), expect: { amount: '300.00', reference: 'CUR-1' } }],
      counterSamples: [{ text: 'خصم مبلغ 300.00 رقم العملية CUR-1 شكرا', why: 'debit' }],
    } as const
    const id = await draftTemplate(service.db, draft, undefined, clock.now())
    assert.equal((await publishDraft(id)).kind, 'published')
  }
  clock.advance(2_000)
  const id = await intentWith('CUR-0001', '300.00')
  await send(true, wording('SAR', 'CUR-0001'))
  assert.deepEqual(await statesOf('CUR-0001'), ['review wrong_currency'])
  assert.equal(await statusOf(id), 'PENDING')
  clock.advance(10_000)
  await send(true, wording('SAR', 'CUR-0001'))
  clock.advance(10_000)
  await send(true, wording('YER', 'CUR-0001'))
  assert.equal(await statusOf(id), 'VERIFIED')
  assert.deepEqual(await statesOf('CUR-0001'), ['review wrong_currency', 'duplicate same_reference', 'matched '])
  await assertMoneyInvariants(sql)
})

test('an alert that fits two wallets, or has two readings, stays unread with its reason', async () => {
  for (const slot of ['SIM1', 'SIM2']) await newWallet('floosak', 'Floosak', { sim_slot: slot })
  await send(true, 'استلمت حوالة من علي المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.ي', { sender: 'Floosak', simSlot: '' })
  const last = async () =>
    (await sql('select state, reason, wallet_id is null from alerts order by id desc limit 1'))[0]
  assert.deepEqual(await last(), ['unread', 'which_wallet', 't'])

  // Two templates agree on their samples, but not on this text.
  const sentences = [
    'رقم {reference:reference} مبلغ {amount:money} YER {rest:any}',
    'رقم {reference:reference} مبلغ {rest:any} بقيمة {amount:money} YER ختام',
  ]
  for (const [i, sentence] of sentences.entries()) {
    const text = i === 0 ? 'رقم AMB-1 مبلغ 10.00 YER شكرا' : 'رقم AMB-1 مبلغ كذا بقيمة 10.00 YER ختام'
    const draft = {
      providerId: shippedProviderId('jawali'),
      accountId: null,
      name: `Either ${i}`,
      senderNames: ['Jawali'],
      direction: 'credit',
      currency: 'YER',
      sentence,
      samples: [{ text, expect: { amount: '10.00', reference: 'AMB-1' } }],
      counterSamples: [{ text: 'خصم 10.00', why: 'debit' }],
    } as const
    const id = await draftTemplate(service.db, draft, undefined, clock.now())
    const published = await publishDraft(id)
    assert.equal(published.kind, 'published', JSON.stringify(published))
  }
  clock.advance(2_000)
  await send(true, 'رقم AMB-0002 مبلغ 10.00 YER و بقيمة 20.00 YER ختام')
  assert.deepEqual(await last(), ['unread', 'ambiguous', 'f'])
})

test('another text with a client id that the phone used before is another alert, and stored', async () => {
  const [first, second] = [newReference(), newReference()]
  const sameId = { clientId: 'counter-7' }
  const before = report(paid('20.00', first), sameId)
  assert.deepEqual(await record([before]), ['accepted'])
  clock.advance(60_000)
  // The agent was set up again and counts from the beginning.
  const id = await intentWith(second)
  const again = report(paid('20.00', second), sameId)
  assert.deepEqual(await record([again]), ['accepted'])
  assert.equal(await statusOf(id), 'VERIFIED')
  // Each of them sent again is a duplicate.
  clock.advance(60_000)
  assert.deepEqual(await record([again]), ['duplicate'])
  assert.deepEqual(await record([before]), ['duplicate'])
  const both = await sql('select count(*) from alerts where reference = any($1)', [[first, second]])
  assert.deepEqual(both, [['2']])

  // Two texts with one client id in one request; and one text at two times.
  const [third, fourth] = [newReference(), newReference()]
  const sameIdReports = [
    report(paid('1.00', third), { clientId: 'counter-8' }),
    report(paid('1.00', fourth), { clientId: 'counter-8' }),
  ]
  assert.deepEqual(await record(sameIdReports), ['accepted', 'accepted'])
  assert.deepEqual(await record(sameIdReports), ['duplicate', 'duplicate'])
  const text = 'رمز التحقق 1234'
  assert.deepEqual(await send(true, text, { clientId: 'counter-9' }), ['accepted'])
  clock.advance(3_600_000)
  const later = report(text, { clientId: 'counter-9' })
  assert.deepEqual(await record([later]), ['accepted'])
  clock.advance(60_000)
  assert.deepEqual(await record([later]), ['duplicate'])
})

test('an alert that cannot be decided waits for review, and the alerts after it are processed', async () => {
  const [bad, good] = [newReference(), newReference()]
  await sql(`create function refuse_it() returns trigger language plpgsql as $$
    begin
      if new.reference = '${bad}' and new.state <> 'review' then raise unique_violation; end if;
      return new;
    end $$`)
  await sql('create trigger refuse_it before insert on alerts for each row execute function refuse_it()')
  const id = await intentWith(good)
  const sent = [report(paid('20.00', bad)), report(paid('20.00', good))]
  assert.deepEqual(await record(sent), ['accepted', 'accepted'])
  assert.equal(await statusOf(id), 'VERIFIED')
  assert.deepEqual(await statesOf(bad), ['review not_decided'])
  clock.advance(10_000)
  assert.deepEqual(await record(sent), ['duplicate', 'duplicate'])
  // The same if it is the only alert of the request.
  await sql('update alerts set reference = $2, reference_key = $2 where reference = $1', [bad, newReference()])
  assert.deepEqual(await send(true, paid('21.00', bad)), ['accepted'])
  assert.deepEqual(await statesOf(bad), ['review not_decided'])
  // The alert is in the queue, its payment.unmatched is still to be sent, and a user can book it.
  const [[alertId]] = (await sql('select id from alerts where reference = $1', [bad])) as [[string]]
  const detail = (await cashier.ask('GET', `/unmatched/${alertId}/`)).body
  assert.deepEqual([detail.reason.code, detail.amount], ['not_decided', '21.00'])
  assert.deepEqual(await sql('select unmatched_owed from alerts where id = $1', [alertId]), [['t']])
  assert.equal((await book(alertId, '21.00')).status, 200)

  // If the reading cannot be stored, the text is stored without it.
  await sql(`create or replace function refuse_it() returns trigger language plpgsql as $$
    begin
      if new.amount = 2200 then raise check_violation; end if;
      return new;
    end $$`)
  const worse = newReference()
  assert.deepEqual(await send(true, paid('22.00', worse)), ['accepted'])
  assert.deepEqual(await sql('select state, reason from alerts where raw_text = $1', [paid('22.00', worse)]), [
    ['unread', 'not_decided'],
  ])
  await sql('drop trigger refuse_it on alerts')
  await assertMoneyInvariants(sql)
})
