/** A message is compared with parts of it only within one wallet of one account: money of another wallet is not hidden as a part. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { templateLookup } from '../../src/alerts/publishing/template-lookup.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { AccountId, PhoneId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { reportReader } from '../../src/matching/reading/read-report.ts'
import { alertLocks } from '../../src/matching/resolve/alert-locks.ts'
import { resolveAlerts } from '../../src/matching/resolve/resolve-alerts.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { depositText, smsReports } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'

const story = await openAttacks()
const { accountId, alerts, clock, db, newShop, ok, origin, sql, stranger } = story
const mfloos = { provider: shippedProviderId('mfloos'), sender_name: 'MFloos' }
const whole = (number: string) => depositText('300.00', number)
/** Cut inside the reference: it is read without one. */
const cut = (text: string) => text.slice(0, -2)

const stateIn = async (wallet: string): Promise<string[]> =>
  (await alerts('wallet_id = $1', [wallet])).map(({ state, reason }) => `${state} ${reason}`)

test('a cut message of one wallet is no part of a whole one of another, in either order', async () => {
  const [one, other] = [await newShop(mfloos), await newShop(mfloos)]
  const sender = 'MFloos'
  await one.sms(whole('123470001'), { sender })
  await other.sms(cut(whole('123470001')), { sender })
  assert.deepEqual(await stateIn(one.wallet), ['waiting no_intent'])
  assert.deepEqual(await stateIn(other.wallet), ['review no_reference'])
  clock.advance(15 * 60_000)
  const [third, fourth] = [await newShop(mfloos), await newShop(mfloos)]
  await third.sms(cut(whole('123470002')), { sender })
  await fourth.sms(whole('123470002'), { sender })
  assert.deepEqual(await stateIn(third.wallet), ['review no_reference'])
  assert.deepEqual(await stateIn(fourth.wallet), ['waiting no_intent'])
  // In one wallet they are one message.
  await third.sms(whole('123470002'), { sender })
  assert.deepEqual(await stateIn(third.wallet), ['duplicate message_part', 'review seen_before'])
})

test('a cut message of one account is no part of a whole one of another, in one batch', async () => {
  const shop = await newShop(mfloos)
  const phone = ok(await stranger.ask('POST', '/phones/', { body: { name: 'Theirs' } })).body
  const { device_id } = ok(
    await askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code: phone.pairing.code } }),
  ).body
  const body = { name: 'Theirs', account_number: '771999888', phone: device_id, ...mfloos }
  ok(await stranger.ask('POST', '/wallets/', { body }))
  clock.advance(2_000)
  const [[theirs]] = (await sql('select account_id from devices where id = $1', [device_id])) as [[AccountId]]
  const readReport = reportReader(db, templateLookup(db), hidingBy(story.masterKey))
  const report = smsReports(clock, 'batch')
  const now = clock.now()
  const toResolve = async (account: AccountId, phoneId: PhoneId, text: string) => {
    const sent = report(text, { sender: 'MFloos', simSlot: '' })
    const reading = await readReport(wholeAccount(account), phoneId, sent, now)
    const source = { accountId: account, phoneId, adapter: 'native', trusted: true }
    return { ...source, report: sent, reading, hiding: readReport.hiding, now }
  }
  const pairs = [
    [whole('123480001'), cut(whole('123480001'))],
    [cut(whole('123590002')), whole('123590002')],
    // No template reads these: no wallet or amount tells them apart.
    ['a text that nobody reads, and its end', 'a text that nobody reads'],
  ] as const
  for (const [mine, other] of pairs) {
    const batch = [
      await toResolve(accountId, shop.phone.id as PhoneId, mine),
      await toResolve(theirs, device_id, other),
    ]
    const outcomes = await db.transaction((tx) => resolveAlerts(tx, batch, zoneOf('Asia/Aden')), alertLocks(batch))
    const states = await sql('select state, reason, duplicate_of from alerts where id = any($1::uuid[]) order by id', [
      `{${outcomes.map(({ id }) => id).join(',')}}`,
    ])
    assert.ok(
      states.every(([state]) => state !== 'duplicate'),
      JSON.stringify(states),
    )
  }
})
