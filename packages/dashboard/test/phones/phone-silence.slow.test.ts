/**
 * Silent phones in a real browser: why a phone counts as not reporting and after how long it would, a phone that cannot be
 * judged yet, and a payment that two phones reported.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../../server/src/alerts/shipped/ship-templates.ts'
import { hour_ms } from '../../../server/src/core/duration.ts'
import type { PhoneId } from '../../../server/src/core/ids.ts'
import { zoneOf } from '../../../server/src/core/zone.ts'
import { addMessages } from '../../../server/src/wallets/silence/rhythm.ts'
import { queueStory } from '../../../server/test/support/queue-story.ts'
import { depositText } from '../../../server/test/support/sms-texts.ts'
import {
  bothLanguages,
  desktop,
  expectFits,
  expectGood,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { clock, sql } = service
const story = await queueStory(service)
const { owner, manager } = story

/** A phone with a forwarding app, switched on. */
const newPhone = async (name: string): Promise<PhoneId> => {
  const created = await owner.ask('POST', '/phones/', { body: { name } })
  const { id } = created.body.phone
  await owner.ask('POST', `/phones/${id}/ingest/`, { body: { app: 'sms-to-url' } })
  await owner.ask('PATCH', `/phones/${id}/`, { body: { switched_on: true } })
  return id
}
const createWallet = async (name: string, account_number: string, phones: readonly PhoneId[]): Promise<void> => {
  const provider = shippedProviderId('mfloos')
  const body = { name, account_number, provider, sender_name: 'MFloos', phones: phones.map((phone) => ({ phone })) }
  const created = await manager.ask('POST', '/wallets/', { body })
  assert.equal(created.status, 201, created.text)
}
const [counter, backup, quiet] = [await newPhone('هاتف المحل'), await newPhone('Backup'), await newPhone('Tailor')]
await createWallet('Shop', '775200001', [counter, backup])
await createWallet('Tailor', '775200002', [quiet])
clock.advance(hour_ms)
const text = depositText('1500.00', '700300001')
const reportFrom = (phone: PhoneId) =>
  story.record([story.report(text, { sender: 'MFloos', simSlot: '' })], true, phone)
await reportFrom(counter)
const [[alertId]] = (await sql('select id from alerts order by id desc limit 1')) as [[string]]
clock.advance(3_200)
await reportFrom(backup)
for (const only of [counter, counter, backup, counter]) {
  const other = depositText('100.00', String(700_400_000 + (clock.now() % 100_000)))
  await story.record([story.report(other, { sender: 'MFloos', simSlot: '' })], true, only)
  clock.advance(1_001)
}

const setLastSeen = async (phone: PhoneId, at: number): Promise<void> => {
  await sql('update devices set last_seen_at = $2, last_alert_at = $2 where id = $1', [
    phone,
    new Date(at).toISOString(),
  ])
}
/** The limits as the background job stores them. */
const setLimits = async (phone: PhoneId, heardAt: number, usual_ms: number, alarm_ms: number): Promise<void> => {
  const time = (at: number) => new Date(at).toISOString()
  await sql(
    `insert into phone_rhythms (device_id, account_id, counted_to, heard_at, usual_at, alarm_at, unjudged, due_at)
     select id, account_id, id, $2, $3, $4, '', $2 from devices where id = $1`,
    [phone, time(heardAt), time(heardAt + usual_ms), time(heardAt + alarm_ms)],
  )
}
const now = clock.now() + 7 * hour_ms
await setLastSeen(counter, now - 7 * hour_ms)
await setLimits(counter, now - 7 * hour_ms, 3 * hour_ms, 6 * hour_ms)
await setLastSeen(backup, now - hour_ms)
await setLimits(backup, now - hour_ms, 3 * hour_ms, 6 * hour_ms)
await setLastSeen(quiet, now - 20 * hour_ms)
clock.set(now)
const staff = await queueStory(service)

for (const language of bothLanguages) {
  const look = language === 'ar' ? narrow : desktop

  test(`a phone’s page says why it counts as not reporting, or that it is not judged yet, ${language}`, async () => {
    const page = await openAs(staff.owner, look)
    await visit(page, '/phones')
    await page.getByText(textPattern(language, 'phones.state.silent')).first().waitFor()
    await page.getByText(textPattern(language, 'silence.last')).first().waitFor()
    await expectFits(page, 'the phones')
    await visit(page, `/phones/${counter}`)
    await page.getByText(textPattern(language, 'silence.late')).waitFor()
    await page.getByText(textPattern(language, 'silence.closedAsk')).waitFor()
    await page.getByText(textPattern(language, 'silence.messages')).waitFor()
    await page.getByText(textPattern(language, 'silence.ask')).waitFor()
    await page.getByText(textPattern(language, 'compare.title')).waitFor()
    await page.getByText(textPattern(language, 'compare.missed')).waitFor()
    await expectGood(page, 'a silent phone')
    await visit(page, `/phones/${quiet}`)
    await page.getByText(textPattern(language, 'silence.learning')).waitFor()
    await expectFits(page, 'a phone that is not judged')
    await visit(page, '/')
    await page.getByText(textPattern(language, 'silence.lastOf')).first().waitFor()
  })

  test(`the page of an alert lists the phones that reported it, ${language}`, async () => {
    const page = await openAs(staff.cashier, look)
    await visit(page, `/unmatched/${alertId}`)
    await page.getByText(textPattern(language, 'seen.title')).waitFor()
    await page.getByText(language === 'ar' ? 'وصلت إلى هاتفين' : 'Seen by 2 phones').waitFor()
    await page.getByText('3.2').waitFor()
    await expectGood(page, 'a payment that two phones saw')
  })
}

test('the shop is closed today: one touch ends the alarm, and the screen says until when', async () => {
  // Forty days with a message in each hour from 8 to 22, until the phone fell silent.
  const heardAt = now - 7 * hour_ms
  const messages = Array.from({ length: 40 * 24 }, (_, n) => heardAt - n * hour_ms).filter((at) => {
    const hour = new Date(at + 3 * hour_ms).getUTCHours()
    return hour >= 8 && hour < 22
  })
  const { hours, lastDay } = addMessages({ hours: '', lastDay: 0 }, messages, zoneOf('Asia/Aden'))
  await sql('update phone_rhythms set hours = $2, last_day = $3 where device_id = $1', [counter, hours, lastDay])
  const page = await openAs(staff.owner, narrow)
  await visit(page, `/phones/${counter}`)
  await page.getByRole('button', { name: textPattern('ar', 'silence.closedGo') }).click()
  await page.getByText(textPattern('ar', 'silence.closedDone')).waitFor()
  await page.getByText(textPattern('ar', 'silence.closedAsk')).waitFor({ state: 'hidden' })
  await page.getByText(textPattern('ar', 'phones.state.silent')).waitFor({ state: 'hidden' })
  await expectGood(page, 'a closed day')
  if (process.env.SANAD_TEST_PICTURES !== undefined)
    await page.screenshot({ path: `${process.env.SANAD_TEST_PICTURES}/closed.png`, fullPage: true })
})
