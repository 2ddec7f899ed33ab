/** Silent phones, judged by what their apps promise, with the same result on every screen. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { day_ms } from '../../src/core/duration.ts'
import { firstIdAt, type PhoneId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { accountOverviewById, serviceFigures } from '../../src/views/operator/account-overview-sql.ts'
import { findPhoneOf } from '../../src/wallets/phones/account-phones.ts'
import { isSilent } from '../../src/wallets/silence/silence.ts'
import { isSilentSql } from '../../src/wallets/silence/silence-sql.ts'
import { learnRhythms } from '../../src/work/learn-rhythms.ts'
import { phone as phoneOf } from '../support/phone.ts'
import { runs } from '../support/runs.ts'
import { shopKinds, shopMessages } from '../support/shop-rhythms.ts'
import { askAt, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, db, demo, sql } = service
let staff = await createMembers(service)
/** Sessions and tokens expire while a test moves the clock by months. */
let { token } = service
const { accountId } = staff
const zone = zoneOf('Asia/Aden')

const newPhone = async (app: string): Promise<{ id: PhoneId; url: string }> => {
  const created = await staff.owner.ask('POST', '/phones/', { body: { name: `${app} ${randomUUID().slice(0, 8)}` } })
  const { id } = created.body.phone
  const access = await staff.owner.ask('POST', `/phones/${id}/ingest/`, { body: { app, signing_key: null } })
  assert.equal(access.status, 200, access.text)
  return { id, url: access.body.url }
}
const post = async (url: string, body: unknown): Promise<void> => {
  const answer = await askAt(url, 'POST', { body })
  assert.equal(answer.status, 200, answer.text)
}
const sms = (text: string) => ({
  from: 'Jawali',
  text,
  sentStamp: clock.now(),
  receivedStamp: clock.now(),
  sim: 'sim1',
})
const shown = async (id: string) => {
  const answer = await staff.manager.ask('GET', `/phones/${id}/`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const moveTo = async (at: number): Promise<void> => {
  clock.set(Math.round(at))
  staff = await createMembers(service)
  token = await service.tokenFor(demo.client_id, demo.client_secret)
}

/** Stores past messages of a phone. */
const plant = async (id: PhoneId, messages: readonly number[]): Promise<void> => {
  await sql(
    `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                         fingerprint, normaliser_version, state)
     select $1, m.id, $2, m.id::text, 'sms-to-url', true, 'sms', 'Jawali', 'x', m.at, decode(md5(m.id::text), 'hex'), 1, 'unread'
       from unnest($3::uuid[], $4::timestamptz[]) as m (id, at)`,
    [
      accountId,
      id,
      [...new Set(messages)].map(firstIdAt),
      [...new Set(messages)].map((at) => new Date(at).toISOString()),
    ],
  )
  await sql('update devices set last_seen_at = $2, last_alert_at = $2, switched_on = true where id = $1', [
    id,
    new Date(messages.at(-1)!).toISOString(),
  ])
}

test('SMS Gateway with pings is judged by the measured period of its pings', async () => {
  const { id, url } = await newPhone('smsgate')
  const ping = () => post(url, { event: 'system:ping', payload: { health: { checks: {} } } })
  await ping()
  assert.equal((await shown(id)).silence.reason, 'learning', 'one ping has no period')
  for (let n = 0; n < 3; n++) {
    clock.advance(120_000)
    await ping()
  }
  const well = await shown(id)
  assert.deepEqual(
    [well.state, well.silence.judged_by, well.silence.heartbeat_s, well.silence.alarm_after_s],
    ['healthy', 'heartbeat', 120, 360],
  )
  clock.advance(360_000)
  assert.equal((await shown(id)).state, 'healthy')
  clock.advance(1)
  assert.equal((await shown(id)).state, 'silent')
  // A message also shows that the phone works, but does not count as a ping.
  await post(url, { event: 'sms:received', id: randomUUID(), payload: { message: 'hello', sender: 'Jawali' } })
  const back = await shown(id)
  assert.deepEqual([back.state, back.silence.heartbeat_s], ['healthy', 120])
  // With another app on the phone, the pings of the previous app promise nothing.
  clock.advance(1_000)
  await staff.owner.ask('POST', `/phones/${id}/ingest/`, { body: { app: 'text' } })
  clock.advance(3_600_000)
  assert.deepEqual((await shown(id)).silence.reason, 'learning')
})

test('an app without heartbeats is judged by its usual messages, with the same result on every screen', async () => {
  const { id, url } = await newPhone('sms-to-url')
  const [provider] = (await sql('select provider_id from wallets where id = $1', [demo.wallets.main]))[0]!
  const wallet = await staff.manager.ask('POST', '/wallets/', {
    body: { name: 'Grocery', account_number: '779000001', provider, sender_name: 'Jawali', phone: id },
  })
  assert.equal(wallet.status, 201, wallet.text)
  const messages = shopMessages(shopKinds[0]!, 7).slice(0, 60 * 70)
  await moveTo(messages.at(-1)! + 60_000)
  await plant(id, messages)
  assert.equal((await shown(id)).silence.reason, 'learning', 'before the job has run')
  while (await learnRhythms(db, zone, clock.now()));
  const well = await shown(id)
  assert.equal(well.state, 'healthy')
  assert.equal(well.silence.judged_by, 'messages')
  assert.ok(well.silence.usual_s > 0 && well.silence.usual_s < well.silence.alarm_after_s, JSON.stringify(well.silence))

  const onAllScreens = async () => {
    const detail = await shown(id)
    const listed = (await staff.viewer.ask('GET', '/phones/')).body.results.find((row: { id: string }) => row.id === id)
    const { body: overview } = await staff.cashier.ask('GET', '/overview/')
    const onOverview = overview.wallets.find((row: { name: string }) => row.name === 'Grocery')
    const { body: own } = await staff.manager.ask('GET', `/wallets/${wallet.body.id}/`)
    const pending = await service.ask('POST', '/intents/', { token, body: { wallet: wallet.body.id, amount: '10.00' } })
    assert.equal(pending.status, 201, pending.text)
    const { body: intent } = await staff.cashier.ask('GET', `/intents/${pending.body.id}/`)
    return [
      detail.state === 'silent',
      listed.state === 'silent',
      onOverview.state === 'phone_silent',
      onOverview.phone.silent,
      own.phones[0].silent,
      own.notes.some(({ code }: { code: string }) => code === 'phone_silent'),
      intent.why.some(({ code }: { code: string }) => code === 'phone_silent'),
    ]
  }
  const counted = async () => [
    (await accountOverviewById(db, clock.now(), accountId))[0]!.silent_phones,
    (await serviceFigures(db, clock.now()))[0]!.silent_phones,
  ]
  assert.deepEqual(new Set(await onAllScreens()), new Set([false]))
  const alarmAt = Date.parse(well.silence.alarm_at)
  await moveTo(alarmAt)
  const before = await counted()
  assert.deepEqual(new Set(await onAllScreens()), new Set([false]))
  await moveTo(alarmAt + 1)
  assert.deepEqual(new Set(await onAllScreens()), new Set([true]))
  assert.deepEqual(
    await counted(),
    before.map((count) => count + 1),
  )
  // The learned rhythm does not change while no message comes.
  await learnRhythms(db, zone, clock.now())
  assert.equal((await shown(id)).state, 'silent')

  // The shop is closed: `closed-today` ends the alarm until the next day, on every screen. `last_seen_at` stays.
  assert.equal((await staff.cashier.ask('POST', `/phones/${id}/closed-today/`)).status, 403)
  const silent = await shown(id)
  const closed = await staff.manager.ask('POST', `/phones/${id}/closed-today/`)
  assert.equal(closed.status, 200, closed.text)
  assert.deepEqual(
    [closed.body.state, closed.body.last_seen_at, closed.body.silence.usual_s],
    ['healthy', silent.last_seen_at, silent.silence.usual_s],
  )
  assert.deepEqual(new Set(await onAllScreens()), new Set([false]))
  const tomorrow = (Math.floor((clock.now() + 3 * 3_600_000) / day_ms) + 1) * day_ms - 3 * 3_600_000
  const again_at = Date.parse(closed.body.silence.alarm_at)
  assert.ok(again_at > tomorrow && again_at < tomorrow + 2 * day_ms, closed.body.silence.alarm_at)
  const [[action]] = (await sql(`select action from audit_log where object_id = $1 order by id desc limit 1`, [
    id,
  ])) as [[string]]
  assert.equal(action, 'phone.closed_today')
  await learnRhythms(db, zone, clock.now())
  await moveTo(again_at)
  assert.equal((await shown(id)).state, 'healthy')
  await moveTo(again_at + 1)
  assert.deepEqual(new Set(await onAllScreens()), new Set([true]))

  await post(url, sms('a message'))
  assert.deepEqual(new Set(await onAllScreens()), new Set([false]))
  clock.advance(11 * 60_000)
  await learnRhythms(db, zone, clock.now())
  const again = await shown(id)
  assert.deepEqual([again.state, again.silence.judged_by], ['healthy', 'messages'])
  assert.equal(Date.parse(again.last_seen_at) > Date.parse(well.last_seen_at), true)
})

test('only a phone that is judged by its messages can be marked as closed today', async () => {
  const { id } = await newPhone('sms-to-url')
  for (const phone of [id, demo.device.id]) {
    const answer = await staff.manager.ask('POST', `/phones/${phone}/closed-today/`)
    assert.deepEqual([answer.status, errorsOf(answer)], [400, ['phone_not_judged@non_field_errors']])
  }
})

test('phones with thousands of messages are counted in bounded steps', async () => {
  const { id } = await newPhone('text')
  const start = clock.now() - 60 * day_ms
  const messages = Array.from({ length: 11_000 }, (_, n) => start + Math.round((n * 59.9 * day_ms) / 11_000))
  await plant(id, messages)
  let steps = 0
  while (await learnRhythms(db, zone, clock.now())) steps++
  const countedOf = async () => (await sql('select hours from phone_rhythms where device_id = $1', [id]))[0]![0]!
  for (let n = 0; n < 3; n++) await learnRhythms(db, zone, clock.now())
  assert.equal(
    [...(await countedOf())].reduce((sum, digit) => sum + Number.parseInt(digit, 36), 0),
    11_000,
  )
  assert.ok(steps < 10)
  assert.equal((await shown(id)).silence.judged_by, 'messages')
})

test('the rhythm of a phone is deleted with the phone', async () => {
  const { id } = await newPhone('text')
  await learnRhythms(db, zone, clock.now())
  assert.equal((await sql('select 1 from phone_rhythms where device_id = $1', [id])).length, 1)
  assert.equal((await staff.owner.ask('DELETE', `/phones/${id}/`)).status, 204)
  assert.equal((await sql('select 1 from phone_rhythms where device_id = $1', [id])).length, 0)
})

test('the SQL condition judges every phone as the rule in TypeScript does', async () => {
  const near = (most_s: number) =>
    fc.option(fc.integer({ min: -most_s, max: most_s }).map((seconds) => clock.now() + seconds * 1000))
  const rhythm = fc.option(
    fc.record({
      unjudged: fc.constantFrom('', 'learning', 'too_few'),
      heardAt: fc.integer({ min: -20_000, max: 0 }).map((seconds) => clock.now() + seconds * 1000),
      after_s: fc.integer({ min: 1, max: 20_000 }),
    }),
  )
  const randomPhone = fc.record({
    paired: fc.boolean(),
    forwards: fc.boolean(),
    pairedAt: near(4000),
    heartbeatAt: near(4000),
    heartbeat_s: fc.option(fc.constantFrom(30, 60, 900, 3600, 3601)),
    lastSeenAt: near(15_000),
    rhythm,
  })
  const [phones] = fc.sample(fc.array(randomPhone, { minLength: runs(800, 200), maxLength: runs(800, 200) }), 1)
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const ids: string[] = []
  for (const phone of phones!) {
    const id = randomUUID()
    ids.push(id)
    await sql(
      `insert into devices (id, account_id, name, created_at, secret_sealed, ingest_token_hash, paired_at, heartbeat_at,
                            heartbeat_s, last_seen_at)
       values ($1, $2, 'x', now(), $3, $4, $5, $6, $7, $8)`,
      [
        id,
        accountId,
        phone.paired ? Buffer.from('x') : null,
        phone.forwards ? randomBytes(32) : null,
        time(phone.pairedAt),
        time(phone.heartbeatAt),
        phone.heartbeat_s,
        time(phone.lastSeenAt),
      ],
    )
    if (phone.rhythm === null) continue
    const judged = phone.rhythm.unjudged === ''
    const alarmAt = phone.rhythm.heardAt + phone.rhythm.after_s * 1000
    await sql(
      `insert into phone_rhythms (device_id, account_id, counted_to, heard_at, usual_at, alarm_at, unjudged, due_at)
       values ($1, $2, $1, $3, $4, $4, $5, now())`,
      [id, accountId, time(phone.rhythm.heardAt), judged ? time(alarmAt) : null, phone.rhythm.unjudged],
    )
  }
  const inSql = new Map(
    (
      await sql(
        `select d.id, ${isSilentSql('d', 'r', '$2::timestamptz')}
           from devices d left join phone_rhythms r on r.device_id = d.id where d.id = any($1::uuid[])`,
        [ids, time(clock.now())],
      )
    ).map(([id, silent]) => [id, silent === 't']),
  )
  const kinds = new Set<boolean>()
  for (const id of ids) {
    const phone = await findPhoneOf(db, wholeAccount(accountId), id)
    const silent = isSilent(phone!.signs, clock.now())
    kinds.add(silent)
    assert.equal(inSql.get(id), silent, JSON.stringify(phone!.signs))
  }
  assert.equal(kinds.size, 2)
})

test('a phone with the Sanad agent is silent after three missed heartbeats', async () => {
  await phoneOf(service.origin, clock.now, demo.device).heartbeat()
  const well = await shown(demo.device.id)
  assert.deepEqual(
    [well.silence.judged_by, well.silence.heartbeat_s, well.silence.alarm_after_s],
    ['heartbeat', 60, 180],
  )
  clock.advance(180_001)
  assert.equal((await shown(demo.device.id)).state, 'silent')
})
