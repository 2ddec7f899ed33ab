/**
 * Hidden alerts: one-time codes, which only an owner can reveal, and messages of unknown senders, which no user can read. Both
 * are sealed, deleted after a time, and never in the queue.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type MemberRole, roles } from '../../src/accounts/people/permission.ts'
import { deleteHidden } from '../../src/alerts/hidden/delete-hidden.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { day_ms } from '../../src/core/duration.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { hideEarlier } from '../../src/matching/reread/hide-earlier.ts'
import { rereadForTemplate } from '../../src/matching/reread/reread-templates.ts'
import { rereadForWallet } from '../../src/matching/reread/reread-wallets.ts'
import { phone } from '../support/phone.ts'
import { codeSamples } from '../support/pure/one-time-codes.ts'
import { queueStory } from '../support/queue-story.ts'
import { depositText } from '../support/sms-texts.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'
import { type AskAs, createMember, type TestMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const story = await queueStory(service)
const { accountId, stranger, readReport } = story
const staff: Record<MemberRole, TestMember> = { ...story }
/** Sessions expire while a test moves the clock by days. */
const signInAgain = async (): Promise<void> => {
  for (const role of roles) staff[role] = await createMember(service, accountId, role)
}
const as = (role: MemberRole): { ask: AskAs } => ({ ask: (...call) => staff[role].ask(...call) })
const [owner, manager, cashier, viewer] = [as('owner'), as('manager'), as('cashier'), as('viewer')]
const { clock, demo, sql } = service
let handset = phone(service.origin, clock.now, demo.device)
const deps = { db: service.db, zone: zoneOf('Asia/Aden'), hiding: readReport.hiding }

let sent = 0
const sms = (text: string, more: Record<string, unknown> = {}) => ({
  client_id: `hidden-${++sent}`,
  kind: 'sms',
  sender: 'Jawali',
  text,
  sim_slot: 'SIM1',
  sent_at: new Date(clock.now()).toISOString(),
  received_at: new Date(clock.now()).toISOString(),
  ...more,
})
const send = async (...alerts: unknown[]): Promise<string[]> => {
  const answer = await handset.alerts(alerts)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results.map(({ status }: { status: string }) => status)
}
const newest = async (): Promise<string> => (await sql('select id from alerts order by id desc limit 1'))[0]![0]!
const rowOf = async (id: string) =>
  (await sql(`select state, reason, hidden, raw_text, sealed_text is not null from alerts where id = $1`, [id]))[0]
const queue = async () => (await cashier.ask('GET', '/unmatched/')).body.results.map(({ id }: { id: string }) => id)
const phoneAlerts = async (by = manager) =>
  (await by.ask('GET', `/phones/${demo.device.id}/alerts/?page_size=200`)).body.results
const otherMessages = async () => (await manager.ask('GET', `/phones/${demo.device.id}/hidden/`)).body

const publish = async (name: string, sentence: string, sample: string, reference: string) => {
  const created = await manager.ask('POST', '/templates/', {
    body: {
      provider: shippedProviderId('jawali'),
      name,
      sender_names: ['Jawali'],
      direction: 'credit',
      currency: 'YER',
      sentence,
      samples: [{ text: sample, expect: { amount: '500', reference } }],
      counter_samples: [{ text: 'خصم 500 YER من حسابك', why: 'debit' }],
    },
  })
  assert.equal(created.status, 201, created.text)
  const published = await manager.ask('POST', `/templates/${created.body.id}/publish/`)
  assert.equal(published.status, 200, published.text)
}

/** Every row of every table, as text. */
const everyTable = async (): Promise<string> => {
  const tables = await sql(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const rows: string[] = []
  for (const [table] of tables) rows.push(...(await sql(`select (t.*)::text from ${table} t`)).map(([row]) => row!))
  return rows.join('\n')
}

/** Everything that users of any role can read without revealing an alert, and the log of the service. */
const everythingReadable = async (): Promise<string> => {
  const id = await newest()
  const wallet = demo.wallets.main
  const paths = [
    '/unmatched/',
    '/unmatched/counts/',
    `/unmatched/${id}/`,
    '/alerts/',
    '/alerts/?state=hidden',
    '/alerts/?state=duplicate',
    `/phones/`,
    `/phones/${demo.device.id}/`,
    `/phones/${demo.device.id}/alerts/`,
    `/phones/${demo.device.id}/hidden/`,
    `/phones/${demo.device.id}/comparison/`,
    `/phones/${demo.device.id}/self-test/?since=2026-01-01T00:00:00Z`,
    '/overview/',
    '/overview/charts/',
    '/search/?q=83',
    '/intents/',
    '/intents/csv/',
    `/day-close/?wallet=${wallet}`,
    `/day-close/csv/?wallet=${wallet}`,
    `/day-close/lines/?wallet=${wallet}`,
    '/audit/',
    '/calls/',
    '/checkouts/',
    '/counter/',
    '/notices/',
    '/payment-links/',
    '/templates/',
    '/wallets/',
    '/webhooks/',
  ]
  const answers: string[] = []
  for (const member of [owner, manager, cashier, viewer, stranger])
    for (const path of paths) {
      const answer = await member.ask('GET', path, { undescribed: true })
      if (member === owner && !path.includes(id)) assert.equal(answer.status, 200, `${path} ${answer.text}`)
      answers.push(answer.text, JSON.stringify(answer.headers))
    }
  return [...answers, ...service.lines].join('\n')
}

const code = '83619427'
const text = `رمز التحقق الخاص بك هو ${code} لا تشاركه مع أحد`
const masked = 'رمز التحقق الخاص بك هو •••••••• لا تشاركه مع أحد'

/** Fails if the text contains the code in any spelling, or a hash from which its eight digits could be guessed. */
const assertNoCode = (all: string, where: string, hashes: readonly string[] = []): void => {
  const spelled = [code, [...code].join(' '), Buffer.from(code).toString('hex'), Buffer.from(code).toString('base64')]
  const arabic = [...code].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')
  for (const form of [...spelled, arabic, ...hashes])
    assert.equal(all.includes(form), false, `${where} contains ${form}`)
}

test('a code is readable nowhere: for no role, in no table, file, log or stream; an owner can reveal it', async () => {
  const listener = await openStream(service.origin, { cookie: `sanad_session=${staff.cashier.session.token}` })
  const before = (await cashier.ask('GET', '/unmatched/counts/')).body
  const clientId = `sms:${createHash('sha256').update(text).digest('hex')}`
  const at = clock.now()
  assert.deepEqual(await send(sms(text, { client_id: clientId, sender: 'Jawali' })), ['accepted'])
  const id = await newest()
  await listener.untilHint('alert', id)
  const forwarded = { from: 'Jawali', text, sentStamp: at + 60_000, receivedStamp: at + 60_000, sim: 'sim1' }
  const body = { app: 'sms-to-url', signing_key: null }
  const access = await staff.owner.ask('POST', `/phones/${demo.device.id}/ingest/`, { body })
  const { pathname } = new URL(access.body.url)
  const passed = await askAt(`${service.origin}${pathname}`, 'POST', { body: forwarded })
  assert.equal(passed.status, 200, passed.text)
  // Access for an app has ended the native pairing: the phone is paired again.
  const { code: pairingCode } = (await staff.owner.ask('POST', `/phones/${demo.device.id}/pairing/`)).body.pairing
  const paired = await askAt(`${service.origin}/api/v1/device/pair`, 'POST', { body: { code: pairingCode } })
  handset = phone(service.origin, clock.now, { id: demo.device.id, secret: paired.body.secret })
  await send(sms('محفظتك', { kind: 'notification', package: 'com.example', title: `رمز الدخول ${code}` }))

  assert.deepEqual(await rowOf(id), ['hidden', 'not_understood', 'code', masked, 't'])
  assert.deepEqual((await cashier.ask('GET', '/unmatched/counts/')).body, before)
  assert.equal((await queue()).includes(id), false)
  const sha = (content: string) => createHash('sha256').update(content).digest('hex')
  const hashes = [
    clientId,
    sha(text),
    sha(`${accountId}\nJawali\n${text}`),
    sha(`Jawali\n${text}`),
    sha(JSON.stringify(['Jawali', text, at + 60_000, at + 60_000])),
  ]
  assertNoCode(await everyTable(), 'a table', hashes)
  assertNoCode(await everythingReadable(), 'an answer or the log', hashes)
  assertNoCode(JSON.stringify(listener.events), 'the stream')
  // A search for the code finds nothing, and no event is sent to a merchant.
  for (const path of ['/search/?q=', '/unmatched/?search=', '/alerts/?search=', '/intents/?search='])
    assert.equal((await owner.ask('GET', `${path}${code}`, { undescribed: true })).text.includes(id), false, path)
  assert.deepEqual(await sql('select kind from events where alert_id = $1', [id]), [])
  listener.hangUp()

  const [detail] = (await phoneAlerts()).filter((alert: { id: string }) => alert.id === id)
  assert.deepEqual(
    [detail.text, detail.sender, detail.state, detail.hidden, detail.revealable],
    [masked, 'Jawali', 'hidden', 'code', true],
  )
  for (const member of [manager, cashier, viewer])
    assert.equal((await member.ask('POST', `/alerts/${id}/reveal/`)).status, 403)
  assert.equal((await stranger.ask('POST', `/alerts/${id}/reveal/`)).status, 404)
  const revealed = await owner.ask('POST', `/alerts/${id}/reveal/`)
  assert.deepEqual([revealed.status, revealed.body.text], [200, text])
  const [entry] = await sql(`select actor, after from audit_log where action = 'alert.reveal' and object_id = $1`, [id])
  assert.ok(entry![0]!.includes('owner'), entry![0]!)
  assertNoCode(await everyTable(), 'a table after the reveal', hashes)
  assertNoCode(await everythingReadable(), 'an answer after the reveal', hashes)
  await owner.ask('POST', `/alerts/${id}/reveal/`)
  assert.equal((await sql(`select 1 from audit_log where action = 'alert.reveal' and object_id = $1`, [id])).length, 2)
})

test('each sample of a code is hidden when a phone reports it', async () => {
  for (const sample of codeSamples) {
    clock.advance(60_000)
    await send(sms(sample.text))
    assert.equal((await rowOf(await newest()))![2], 'code', sample.text)
  }
})

test('a payment text with the word code is a payment: templates are tried before the text is checked for codes', async () => {
  await publish(
    'Deposits',
    'تم ايداع {amount:money} YER رمز التحقق {reference:reference} شكرا',
    'تم ايداع 500 YER رمز التحقق 662084 شكرا',
    '662084',
  )
  clock.advance(2_000)
  await send(sms('تم ايداع 700 YER رمز التحقق 774411 شكرا'))
  assert.deepEqual((await rowOf(await newest()))!.slice(0, 3), ['waiting', 'no_intent', ''])
  await send(sms('تم استلام 5000 ريال رمز العملية 123456'))
  assert.deepEqual((await rowOf(await newest()))!.slice(0, 3), ['unread', 'not_understood', ''])
})

/** Payment texts that contain words of one-time codes, and templates that read them. */
const codedPayments: readonly { readonly sentence: string; readonly write: (amount: string, ref: string) => string }[] =
  [
    {
      sentence: 'تم ايداع {amount:money} YER رمز العملية {reference:reference} شكرا لك',
      write: (amount, ref) => `تم ايداع ${amount} YER رمز العملية ${ref} شكرا لك`,
    },
    {
      sentence: 'كود الحوالة {reference:reference} استلمت {amount:money} YER عبر الوكيل',
      write: (amount, ref) => `كود الحوالة ${ref} استلمت ${amount} YER عبر الوكيل`,
    },
    {
      sentence: 'رمز التحقق {reference:reference} لاستلام مبلغ {amount:money} YER بنجاح',
      write: (amount, ref) => `رمز التحقق ${ref} لاستلام مبلغ ${amount} YER بنجاح`,
    },
    {
      sentence: 'وصلك {amount:money} YER الرمز السري للعملية {reference:reference} لا تشاركه مع احد',
      write: (amount, ref) => `وصلك ${amount} YER الرمز السري للعملية ${ref} لا تشاركه مع احد`,
    },
    {
      sentence: 'كود التاكيد {reference:reference} دفع لك العميل {amount:money} YER نقدا',
      write: (amount, ref) => `كود التاكيد ${ref} دفع لك العميل ${amount} YER نقدا`,
    },
    {
      sentence: 'Received YER {amount:money} confirmation code {reference:reference} thank you',
      write: (amount, ref) => `Received YER ${amount} confirmation code ${ref} thank you`,
    },
    {
      sentence: 'Transaction code {reference:reference} confirmed: YER {amount:money} received',
      write: (amount, ref) => `Transaction code ${ref} confirmed: YER ${amount} received`,
    },
    {
      sentence: 'OTP {reference:reference} was used: YER {amount:money} credited. Do not share your PIN',
      write: (amount, ref) => `OTP ${ref} was used: YER ${amount} credited. Do not share your PIN`,
    },
  ]

const inArabicDigits = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))

test('forty payment texts with words of one-time codes are payments, because a template reads them', async () => {
  for (const [n, { sentence, write }] of codedPayments.entries())
    await publish(`Coded ${n}`, sentence, write('500', '662084'), '662084')
  clock.advance(2_000)
  let reference = 910_000
  for (const { write } of codedPayments)
    for (const spell of [
      (text: string) => text,
      (text: string) => text.replaceAll(' ', '  '),
      (text: string) => `\u200f${text}`,
      inArabicDigits,
      (text: string) => `${text} `,
    ]) {
      clock.advance(1_000)
      const text = spell(write('1,750.00', String(++reference)))
      await send(sms(text))
      const [row] = await sql('select state, hidden, amount, reference_key from alerts where id = $1', [await newest()])
      assert.deepEqual(row, ['waiting', '', '175000', String(reference)], text)
    }
})

test('a template published later reads a hidden alert, and it becomes an ordinary alert', async () => {
  const coded = 'كود التحقق 55120077 وقيمته 910 YER'
  const before = sms(coded)
  await send(before)
  const id = await newest()
  assert.equal((await rowOf(id))![0], 'hidden')
  await publish(
    'Later',
    'كود التحقق {reference:reference} وقيمته {amount:money} YER',
    'كود التحقق 55120099 وقيمته 500 YER',
    '55120099',
  )
  clock.advance(2_000)
  while (await rereadForTemplate(deps, clock.now()));
  assert.deepEqual(await rowOf(id), ['waiting', 'no_intent', '', coded, 'f'])
  const { body } = await cashier.ask('GET', `/unmatched/${id}/`)
  assert.deepEqual([body.text, body.amount, body.reference], [coded, '910.00', '55120077'])
  // The phone sends the alert again under the same client id.
  assert.deepEqual(await send(before), ['duplicate'])
  assert.equal(await newest(), id)
  assert.deepEqual(errorsOf(await owner.ask('POST', `/alerts/${id}/reveal/`)), ['alert_not_hidden@non_field_errors'])
})

test('a repeated hidden alert is recognised: by its id, from another app, and after its text was deleted', async () => {
  clock.advance(3_600_000)
  const alert = sms('رمز الدخول إلى جوالي هو 70311588', { client_id: 'again-1' })
  assert.deepEqual(await send(alert), ['accepted'])
  const id = await newest()
  assert.deepEqual(await send(alert), ['duplicate'])
  assert.deepEqual(await send({ ...alert, client_id: 'again-2' }), ['duplicate'])
  const repetition = await newest()
  assert.deepEqual(await rowOf(repetition), ['duplicate', 'same_text', 'code', '', 'f'])
  const refused = await cashier.ask('POST', `/unmatched/${repetition}/not-duplicate/`)
  assert.deepEqual(errorsOf(refused), ['alert_not_repeated@non_field_errors'])
  // Another message with the same client id is stored under another id.
  assert.deepEqual(await send({ ...alert, text: 'رمز الدخول إلى جوالي هو 70311599' }), ['accepted'])
  assert.deepEqual(await send({ ...alert, text: 'رمز الدخول إلى جوالي هو 70311599' }), ['duplicate'])
  clock.advance(7 * day_ms)
  await signInAgain()
  while (await deleteHidden(service.db, 100, clock.now()));
  assert.deepEqual(await rowOf(id), ['hidden', 'not_understood', 'code', '', 'f'])
  assert.deepEqual(await send(alert), ['duplicate'])
  assert.deepEqual(errorsOf(await owner.ask('POST', `/alerts/${id}/reveal/`)), ['code_deleted@non_field_errors'])
})

test('a code is kept for exactly seven days, and deleted in bounded steps', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    await send(sms(`OTP 5512000${n}`))
    ids.push(await newest())
  }
  clock.advance(7 * day_ms - 1)
  await signInAgain()
  await deleteHidden(service.db, 100, clock.now())
  for (const id of ids) assert.equal((await rowOf(id))![4], 't')
  clock.advance(1)
  assert.equal(await deleteHidden(service.db, 2, clock.now()), true)
  assert.equal(await deleteHidden(service.db, 2, clock.now()), false)
  for (const id of ids) assert.deepEqual((await rowOf(id))!.slice(3), ['', 'f'])
})

test('messages of unknown senders are only counted, are in no list, and are deleted after a day', async () => {
  const message = 'موعدنا الساعة خمسة يا غالي'
  const before = (await otherMessages()).other_messages
  const started = (await manager.ask('GET', `/phones/${demo.device.id}/self-test/`)).body
  clock.advance(1_000)
  await send(sms(message, { sender: '+967770000123' }), sms(`رمزك في تطبيق آخر 83619427`, { sender: 'SomeApp' }))
  assert.deepEqual(await otherMessages(), { other_messages: before + 2, more: false })
  const id = await newest()
  const tables = await everyTable()
  for (const secret of [message, '770000123', 'SomeApp', code]) assert.equal(tables.includes(secret), false, secret)
  assert.equal((await everythingReadable()).includes(message), false)
  for (const member of [owner, cashier]) assert.equal((await member.ask('GET', `/unmatched/${id}/`)).status, 404)
  assert.equal((await owner.ask('POST', `/alerts/${id}/reveal/`)).status, 404)
  assert.equal(JSON.stringify(await phoneAlerts(owner)).includes(id), false)
  assert.equal((await owner.ask('GET', '/alerts/?state=hidden')).text.includes(id), false)

  // The self-test shows that a message came, but not its content.
  const test = await manager.ask(
    'GET',
    `/phones/${demo.device.id}/self-test/?since=${encodeURIComponent(started.since)}`,
  )
  const { state, alert } = test.body
  assert.deepEqual([state, alert.text, alert.sender, alert.hidden], ['arrived', '', '', 'stranger'])

  clock.advance(day_ms - 1)
  await signInAgain()
  await deleteHidden(service.db, 100, clock.now())
  assert.equal((await sql('select 1 from alerts where id = $1', [id])).length, 1)
  clock.advance(1)
  // While a changed wallet of the account waits for its first reread, no message of an unknown sender is deleted.
  while (await rereadForWallet(deps, clock.now()));
  await deleteHidden(service.db, 100, clock.now())
  assert.equal((await sql('select 1 from alerts where id = $1', [id])).length, 0)
  assert.deepEqual(await otherMessages(), { other_messages: 0, more: false })
})

test('a wallet bound to an unknown sender within the day reads its messages, and hides its codes', async () => {
  const sender = 'NewBank'
  const money = depositText('310.00', '123450711')
  await send(sms(money, { sender }), sms('رمز التحقق 22334455', { sender }), sms('أهلا بك في البنك', { sender }))
  const ids = (await sql('select id from alerts order by id desc limit 3')).map(([id]) => id!).reverse()
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await rowOf(id))![2])), [
    'stranger',
    'stranger',
    'stranger',
  ])
  await sql(
    `update alert_templates set sender_names = sender_names || $2::text where provider_id = $1 and status = 'active'`,
    [shippedProviderId('mfloos'), sender],
  )
  await sql(
    `insert into wallets (id, account_id, provider_id, device_id, name, account_number, sender_name, created_at, reread)
     values (gen_random_uuid(), $1, $2, $3, $4, '', $4, now(), true)`,
    [accountId, shippedProviderId('mfloos'), demo.device.id, sender],
  )
  // Their day ends before the reread runs. They are not deleted, because the reread is still to come.
  clock.advance(day_ms)
  await signInAgain()
  await deleteHidden(service.db, 100, clock.now())
  while (await rereadForWallet(deps, clock.now()));
  const [paid, coded, plain] = await Promise.all(ids.map(rowOf))
  assert.deepEqual(paid, ['waiting', 'no_intent', '', money, 'f'])
  assert.deepEqual(coded, ['hidden', 'not_understood', 'code', 'رمز التحقق ••••••••', 't'])
  assert.deepEqual(plain, ['unread', 'not_understood', '', 'أهلا بك في البنك', 'f'])
  assert.ok((await queue()).includes(ids[0]))
})

test('a sender of a template is not unknown, in any spelling: its alerts are visible before a wallet is bound', async () => {
  for (const sender of ['KuraimiMB', 'kuraimi mb']) {
    await send(sms('أودع/علي صالح المثال لحسابك50,000.00\n51,245.30YERرصيدك', { sender }))
    assert.deepEqual((await rowOf(await newest()))!.slice(0, 3), ['unread', 'unknown_sender', ''])
    await send(sms('رمز التأكيد 774411 لعملية الدخول', { sender }))
    assert.deepEqual((await rowOf(await newest()))!.slice(0, 3), ['hidden', 'unknown_sender', 'code'])
    clock.advance(60_000)
  }
})

test('an alert that fits two wallets: a code is hidden, a payment is not', async () => {
  await send(sms('رمز التحقق 88112233', { sim_slot: '' }))
  assert.deepEqual((await rowOf(await newest()))!.slice(0, 3), ['hidden', 'which_wallet', 'code'])
  await send(sms(story.paid('64.00', story.newReference()), { sim_slot: '' }))
  assert.deepEqual((await rowOf(await newest()))!.slice(0, 3), ['unread', 'which_wallet', ''])
})

test('a code from a phone that is off is hidden; if a template reads it later, the alert is held', async () => {
  await manager.ask('PATCH', `/phones/${demo.device.id}/`, { body: { switched_on: false } })
  const message = 'رمز الدفع OTP 99001122 قيمته 44 YER'
  await send(sms(message))
  const id = await newest()
  assert.deepEqual((await rowOf(id))!.slice(0, 3), ['hidden', 'device_off', 'code'])
  await manager.ask('PATCH', `/phones/${demo.device.id}/`, { body: { switched_on: true } })
  await publish(
    'Off',
    'رمز الدفع OTP {reference:reference} قيمته {amount:money} YER',
    'رمز الدفع OTP 99001133 قيمته 500 YER',
    '99001133',
  )
  clock.advance(2_000)
  while (await rereadForTemplate(deps, clock.now()));
  assert.deepEqual((await rowOf(id))!.slice(0, 4), ['held', 'device_off', '', message])
})

test('codes stored in plain text earlier are sealed, step by step, in every state', async () => {
  const plant = async (message: string, sender: string, state: string) => {
    const [row] = await sql(
      `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, package, title, raw_text,
                           sim_slot, received_at, normaliser_version, fingerprint, state, reason, dismissed_from, check_hidden)
       values ($1, gen_random_uuid(), $2, gen_random_uuid()::text, 'native', true, 'sms', $4, '', '', $3, 'SIM1',
               $5, 1, sha256(convert_to($3, 'UTF8')), $6, 'not_understood', case when $6 = 'dismissed' then 'unread' end, true)
       returning id`,
      [accountId, demo.device.id, message, sender, new Date(clock.now()).toISOString(), state],
    )
    return row![0]!
  }
  const message = 'رمز التحقق 31415926'
  const [unread, dismissed, repeated] = [
    await plant(message, 'Jawali', 'unread'),
    await plant(message, 'Jawali', 'dismissed'),
    await plant(message, 'Jawali', 'duplicate'),
  ]
  const fromFriend = await plant('صباح الخير', 'A friend', 'unread')
  const readable = await plant('استلمت مبلغ من علي', 'Jawali', 'unread')
  let steps = 1
  while (await hideEarlier(service.db, readReport, 2, clock.now())) steps++
  assert.ok(steps >= 3)
  const tables = await everyTable()
  for (const secret of ['31415926', 'صباح الخير', 'A friend']) assert.equal(tables.includes(secret), false, secret)
  assert.deepEqual((await rowOf(unread))!.slice(0, 3), ['hidden', 'not_understood', 'code'])
  assert.deepEqual((await rowOf(dismissed))!.slice(0, 3), ['hidden', 'not_understood', 'code'])
  assert.deepEqual((await rowOf(repeated))!.slice(0, 3), ['duplicate', 'not_understood', 'code'])
  assert.equal((await rowOf(fromFriend))![2], 'stranger')
  assert.deepEqual((await rowOf(readable))!.slice(0, 4), ['unread', 'not_understood', '', 'استلمت مبلغ من علي'])
  const revealed: Answer = await owner.ask('POST', `/alerts/${unread}/reveal/`)
  assert.equal(revealed.body.text, message)
  assert.equal(await hideEarlier(service.db, readReport, 2, clock.now()), false)
})

test('the database refuses a digit or a title in a hidden alert, and another state while it is hidden', async () => {
  const id = (await sql(`select id from alerts where hidden = 'code' and state = 'hidden' limit 1`))[0]![0]!
  await assert.rejects(sql(`update alerts set raw_text = 'code 1234' where id = $1`, [id]))
  await assert.rejects(sql(`update alerts set raw_text = '٤٢' where id = $1`, [id]))
  await assert.rejects(sql(`update alerts set title = 'x' where id = $1`, [id]))
  await assert.rejects(sql(`update alerts set state = 'unread' where id = $1`, [id]))
  await assert.rejects(sql(`update alerts set hidden = '' where id = $1`, [id]))
})
