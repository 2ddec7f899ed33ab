/**
 * Query plans of the statements that every payment runs: creating and reading an intent, attaching a reference, storing an alert
 * and its event. A plan is made once per connection and kept, whatever the tables contain later. So each plan must use its index,
 * whether it was made on empty tables without statistics or on full ones. The test measures the rows and pages that are really
 * read, not the planner's estimates.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import {
  type AccountId,
  type AlertId,
  type EventId,
  firstIdAt,
  type IntentId,
  type PhoneId,
  timeOrderedId,
  type WalletIdentity,
} from '../../src/core/ids.ts'
import { type Minor, minor } from '../../src/core/money.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { findAnswer, insertIntents } from '../../src/intents/create/create-intents-sql.ts'
import { expireOneIntent } from '../../src/intents/expire-one-sql.ts'
import type { Intent } from '../../src/intents/intent.ts'
import { cancelPending, expireDue, findIntents, findMatched } from '../../src/intents/intent-sql.ts'
import { countPlanOf, createdSince } from '../../src/intents/list/intent-list.ts'
import { amountUses, lockAmountHolders, openAmounts } from '../../src/intents/payable/amounts-sql.ts'
import { attachReferences, expireHolder, lockForReferences } from '../../src/intents/reference-sql.ts'
import { walletsOfPhone } from '../../src/matching/reading/phone-wallets-sql.ts'
import type { NewAlert } from '../../src/matching/records/alert-row.ts'
import { recentAmounts } from '../../src/matching/resolve/amounts-sql.ts'
import { knownAlerts, recentlyBooked, recentParts } from '../../src/matching/resolve/known-alerts-sql.ts'
import {
  alertsByReference,
  changeAlerts,
  insertAlerts,
  lockBalances,
  lockIntentsByReference,
  phonesOn,
  saveBalances,
  walletsAwaiting,
} from '../../src/matching/resolve/matching-sql.ts'
import type { Resolution } from '../../src/matching/resolve/resolution.ts'
import { resolveIntents, resolveWithReferences } from '../../src/matching/resolve/resolution-sql.ts'
import type { Session, Tx } from '../../src/postgres/connection/database.ts'
import { firstPageQuery } from '../../src/views/intents/intent-list-sql.ts'
import { walletLookup } from '../../src/views/wallets/find-wallet.ts'
import { findPhoneRequests, rememberPhoneRequests } from '../../src/wallets/phones/phone-sql.ts'
import { insertEvents } from '../../src/webhooks/event-sql.ts'
import { openTestService } from '../support/story.ts'
import { preparedPlans, readBy } from './prepared-plans.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { sql, demo } = service
const now = service.clock.now()
const many = 4_000
const walletId = demo.wallets.main as NewAlert['walletId'] & string
const identity = walletId as string as WalletIdentity
const phoneId = demo.device.id as PhoneId
const accountId = (await sql('select account_id from devices where id = $1', [phoneId]))[0]![0] as AccountId
const tenMinutes = { first: firstIdAt(now - 600_000), last: firstIdAt(now + 600_000) }
const wallet = (await walletLookup(service.db).get(wholeAccount(accountId), walletId, now))!
const amount = minor(150_000n) as Minor

for (const table of ['intents', 'alerts', 'intent_moves', 'device_requests', 'idempotency_keys'])
  await sql(`alter table ${table} set (autovacuum_enabled = off)`)

/** An id made of a kind and a number, in the same spelling as in the SQL below. */
const id = <Id extends string>(kind: number, n: number): Id =>
  `0190000${kind}-0000-7000-8000-${String(n).padStart(12, '0')}` as Id
// Kinds of intents: open without a reference, open with a reference, verified. Kind 4: alerts that wait. Kind 5: phone requests.
const openWithout = 1
const openWith = 2
const verified = 3

/** Inserts verified intents with their alerts, or open intents with and without a reference and alerts that wait. */
const fill = async (kinds: 'verified' | 'open'): Promise<void> => {
  const spelled = (kind: number) => `('0190000${kind}-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
  const intents = (kind: number, status: string, reference: string, on: string = walletId) =>
    sql(
      `
    insert into intents (account_id, id, wallet_id, code, status, base, payable, currency, created_by, created_at,
                         expires_at, verified_at, search_order, reference, reference_key, search_reference)
    select $1, ${spelled(kind)}, $2, '${kind}' || lpad(n::text, 9, '0'), '${status}', 150000 + n, 150000 + n, 'YER', 'story', $3,
           $3::timestamptz + interval '1 hour', ${status === 'VERIFIED' ? "$3::timestamptz + n * interval '1 second'" : 'null'}, 'x', ref, nullif(ref, ''), ref
      from generate_series(1, ${many}) as n, lateral (select ${reference} as ref) as r`,
      [accountId, on, new Date(now).toISOString()],
    )
  const alerts = (kind: number, state: string, intent: string) =>
    sql(
      `
    insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                        normaliser_version, fingerprint, wallet_id, direction, amount, currency, reference,
                        reference_key, state, intent_id)
    select $1, ${spelled(kind)}, $4, '${kind} ' || n, 'native', true, 'sms', 'Jawali', 'text', $3, 1,
           sha256(('${kind} ' || n)::bytea), $2, 'credit', 150000, 'YER', '${kind}-' || n, '${kind}-' || n, '${state}', ${intent}
      from generate_series(1, ${many}) as n`,
      [accountId, walletId, new Date(now).toISOString(), phoneId],
    )
  if (kinds === 'verified') {
    await intents(verified, 'VERIFIED', `'${verified}-' || n`)
    await alerts(verified, 'matched', spelled(verified))
    return
  }
  await intents(openWithout, 'PENDING', `''`, demo.wallets.second)
  await intents(openWith, 'PENDING', `'${openWith}-' || n`)
  await alerts(4, 'waiting', 'null')
  await sql(
    `insert into device_requests (device_id, request_id, status, answer, at)
     select $1, ${spelled(5)}, 200, '{}', $2 from generate_series(1, ${many}) as n`,
    [phoneId, new Date(now).toISOString()],
  )
  await sql(
    `insert into idempotency_keys (account_id, key, fingerprint, intent_id, answer, created_at)
     select $1, 'key ' || n, sha256('x'), ${spelled(openWithout)}, '{}', $2 from generate_series(1, ${many}) as n`,
    [accountId, new Date(now).toISOString()],
  )
}

const n = 1_234
const intent: Intent = {
  accountId,
  id: timeOrderedId<IntentId>(now),
  walletId,
  code: 'ABCDEFGH12',
  status: 'PENDING',
  base: amount,
  payable: amount,
  paid: null,
  arrival: null,
  currency: 'YER',
  externalOrderId: 'order',
  notes: '',
  items: '[]',
  reference: '',
  manual: false,
  createdAt: now,
  expiresAt: now + 3_600_000,
  verifiedAt: null,
  matched: null,
}
const newAlert: NewAlert = {
  accountId,
  id: id<AlertId>(6, n),
  phoneId,
  clientId: 'new',
  adapter: 'native',
  trusted: true,
  kind: 'sms',
  sender: 'Jawali',
  package: '',
  title: '',
  text: 'text',
  simSlot: 'SIM1',
  sentAt: null,
  phoneReceivedAt: now,
  receivedAt: now,
  normaliserVersion: 1,
  fingerprint: Buffer.alloc(32, 7),
  walletId,
  identity,
  templateId: null,
  direction: 'credit',
  amount,
  currency: 'YER',
  reference: `${openWith}-${n}`,
  referenceKey: `${openWith}-${n}`,
  payer: null,
  balance: null,
  chain: 'unknown',
  chainMissing: null,
  chainSince: null,
  state: 'matched',
  reason: '',
  duplicateOf: null,
  intentId: id<IntentId>(openWith, n),
  unmatchedOwed: false,
  phoneNew: false,
  senderNew: false,
  deniedBy: null,
  similarTo: null,
  hidden: '',
  sealedText: null,
  forgetAt: null,
}
/** The start of the current hour. All earlier hours are tallied. */
const hour = Math.floor(now / 3_600_000) * 3_600_000
const awaited = [{ identity, referenceKey: `${openWith}-${n}` }]
const attachment = {
  accountId,
  id: id(openWithout, n),
  reference: `4-${n}`,
  referenceKey: `4-${n}`,
  entryId: timeOrderedId<string>(now),
  by: 'story',
  now,
}
const resolution = (from: 'waiting' | null, kind: number): Resolution => ({
  accountId,
  at: now,
  intent: {
    id: id<IntentId>(kind, n),
    status: 'VERIFIED',
    payable: amount,
    paid: null,
    arrival: null,
    verifiedAt: now,
    manual: false,
  },
  alert: { id: id<AlertId>(4, n), state: 'matched', from, similarTo: null },
  timeline: { id: id(9, n + 1), kind: 'verified', by: 'alert', facts: '{}' },
  event: { id: id<EventId>(9, n + 2), walletId, body: '{}', testBody: null },
  attachment: null,
})
const holder = {
  accountId,
  intentId: id(openWithout, n),
  referenceKey: `${openWith}-${n}`,
  entryId: timeOrderedId<string>(now),
}
const answered = { phoneId, requestId: id(7, n), answer: '{}', now }
const created = {
  intent,
  wallet,
  createdBy: 'story',
  idempotency: { key: 'new key', fingerprint: Buffer.alloc(32), answer: '{}' },
}

/** On empty tables the statements are only planned: those that must change a row would fail. */
const hot: Record<string, (session: Session) => Promise<unknown>> = {
  insertIntents: (session) => insertIntents(session, [created], now, now - 86_400_000),
  findAnswer: (session) => findAnswer(session, wholeAccount(accountId), `key ${n}`, now - 1),
  findIntents: (session) => findIntents(session, [{ accountId, id: id(verified, n) }]),
  findMatched: (session) => findMatched(session, [{ accountId, alertId: id<AlertId>(verified, n) }]),
  lockForReferences: (session) => lockForReferences(session, [attachment]),
  // The same for an intent of the wallet on which an alert waits for the reference.
  lockWithAlert: (session) => lockForReferences(session, [{ ...attachment, id: id(openWith, n) }]),
  attachReferences: (session) => attachReferences(session, [attachment]),
  resolveWithReferences: (session) =>
    resolveWithReferences(session, [{ ...resolution('waiting', openWithout), attachment }]),
  expireHolder: (session) => expireHolder(session, holder, now),
  expireDue: (session) => expireDue(session as Tx, [timeOrderedId(now)], now),
  expireOneIntent: (session) =>
    expireOneIntent(session as Tx, { accountId, id: id(openWith, n), entryId: timeOrderedId(now) }, now),
  cancelPending: (session) =>
    cancelPending(
      session as Tx,
      wholeAccount(accountId),
      { id: id(openWithout, n), entryId: timeOrderedId(now), by: 'story' },
      now,
    ),
  findPhoneRequests: (session) => findPhoneRequests(session, [{ phoneId, requestId: id(5, n) }]),
  phonesOn: (session) => phonesOn(session, [phoneId]),
  knownAlerts: (session) => knownAlerts(session, [{ phoneId, clientId: `4 ${n}`, fingerprint: Buffer.alloc(32, 7) }]),
  recentParts: (session) =>
    recentParts(session, wholeAccount(accountId), ['Jawali'], [{ identity, amount }], [tenMinutes]),
  recentlyBooked: (session) => recentlyBooked(session, wholeAccount(accountId), [walletId], [tenMinutes]),
  alertsByReference: (session) => alertsByReference(session, [{ identity, referenceKey: `4-${n}` }]),
  lockIntentsByReference: (session) => lockIntentsByReference(session, awaited),
  lockBalances: (session) => lockBalances(session, [identity]),
  // Every open intent of this wallet has a reference, so the statement reads the most before it finds none.
  walletsAwaiting: (session) => walletsAwaiting(session, [identity], now),
  walletsOfPhone: (session) => walletsOfPhone(session, wholeAccount(accountId), phoneId),
  // Unique amounts, on wallets that have them.
  amountUses: (session) => amountUses(session, [{ accountId, identity, amount: minor(150_300n) }], 3_600_000, now),
  openAmounts: (session) => openAmounts(session, [{ id: walletId, identity }]),
  lockAmountHolders: (session) => lockAmountHolders(session, [{ accountId, identity, amount: minor(150_300n) }], now),
  recentAmounts: (session) =>
    recentAmounts(session, [
      {
        accountId,
        identity,
        amount: minor(150_300n),
        withoutReference: true,
        uniqueAmounts: true,
        since: now - 86_400_000,
      },
    ]),
  insertAlerts: (session) => insertAlerts(session, [newAlert]),
  changeAlerts: (session) =>
    changeAlerts(session, [
      {
        accountId,
        id: id<AlertId>(4, n),
        from: 'waiting',
        state: 'matched',
        reason: '',
        intentId: id<IntentId>(openWithout, n),
        duplicateOf: null,
        unmatchedOwed: false,
      },
    ]),
  // First with an alert of the same transaction, then with a stored alert.
  resolveIntents: (session) => resolveIntents(session, [resolution(null, openWith)]),
  resolveByStored: (session) => resolveIntents(session, [resolution('waiting', openWith)]),
  insertEvents: (session) =>
    insertEvents(session, [
      {
        accountId,
        id: timeOrderedId<EventId>(now),
        kind: 'payment.verified',
        walletId,
        intentId: id<IntentId>(openWith, n),
        alertId: id<AlertId>(4, n),
        body: '{}',
        createdAt: now,
      },
    ]),
  saveBalances: (session) =>
    saveBalances(session, [
      { walletId: identity, balance: amount, alertId: id<AlertId>(4, n), at: now, doubts: '{}', toRelease: false },
    ]),
  rememberPhoneRequests: (session) => rememberPhoneRequests(session, [answered]),
  firstPage: (session) => {
    const everything = createdSince(wholeAccount(accountId), 0)
    const newestFirst = [{ field: 'created_at', down: true }] as const
    return session.run(firstPageQuery(everything, newestFirst, 20, countPlanOf(0, undefined, hour, now), now))
  },
}

const mostRows = (name: string): number => {
  // A page of twenty intents, each with its alert and its phone, counted at every node of the plan.
  if (name === 'firstPage') return 400
  // The two hundred newest open intents, counted at three nodes of the plan.
  return name === 'openAmounts' ? 620 : 60
}
/**
 * Writing a row touches every index of the table. An update that was planned on an empty table may use a longer index than
 * necessary, until the table is analysed because it has grown (postgres/maintenance/analyse-grown.ts).
 */
const mostPages = (name: string): number => {
  if (name === 'firstPage') return 400
  // These write intent, alert, timeline entry and event, and may use a longer index twice; the last two one that holds every intent.
  if (['resolveWithReferences', 'resolveByStored', 'expireOneIntent', 'cancelPending'].includes(name)) return 200
  return /^(insert|attach|change|resolve|expire)/.test(name) ? 80 : 20
}
const { planAll, measure } = preparedPlans(service.databaseUrl, hot)
const assertFewReads = async (client: pg.Client): Promise<void> => {
  const tooManyReads: string[] = []
  for (const name of Object.keys(hot)) {
    const { rows, pages, way } = await measure(client, name)
    if (rows > mostRows(name) || pages > mostPages(name))
      tooManyReads.push(`${name} reads ${rows} rows on ${pages} pages: ${way}`)
  }
  assert.deepEqual(tooManyReads, [])
}

const early = await planAll()
await fill('verified')
await fill('open')
const late = await planAll()
service.atEnd(async () => {
  await Promise.all([early.end(), late.end()])
})

test('plans that were made on empty tables use their index when the tables are full', () => assertFewReads(early))

test('plans that were made on full tables without statistics use their index', () => assertFewReads(late))

test('plans that were made on full tables with statistics use their index, and so do earlier plans then', async () => {
  await sql('analyze')
  const analysed = await planAll()
  await assertFewReads(analysed)
  await assertFewReads(early)
  await analysed.end()
})

test('plans that were made when no intent was pending use their index when many are', async () => {
  await sql('truncate intents, alerts, device_requests, idempotency_keys cascade')
  await fill('verified')
  await sql('analyze')
  const before = await planAll()
  await fill('open')
  await assertFewReads(before)
  await before.end()
})

test('a statement that scans all pending rows is reported', async () => {
  const text = `select id from intents where wallet_id = '${walletId}' and status = 'PENDING' and notes = 'x'`
  const { rows } = await late.query(`explain (analyze, buffers, timing off, format json) ${text}`)
  assert.ok(readBy(rows[0]['QUERY PLAN'][0].Plan).rows >= many)
})
