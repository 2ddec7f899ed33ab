/** A wallet with several phones: which phones reported a payment, which was first, and which missed it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhoneComparison } from '@sanad/contract/dashboard/wallets/phones'
import type { Report } from '../../src/alerts/alert.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { PhoneId } from '../../src/core/ids.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { depositText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const story = await queueStory(service)
const { clock, sql } = service
/** Sessions expire while a test moves the clock by days. */
let staff = await createMembers(service)

const newPhone = async (name: string): Promise<PhoneId> => {
  const created = await staff.owner.ask('POST', '/phones/', { body: { name } })
  await staff.owner.ask('PATCH', `/phones/${created.body.phone.id}/`, { body: { switched_on: true } })
  return created.body.phone.id
}
const [counter, backup, alone] = [await newPhone('Counter'), await newPhone('Backup'), await newPhone('Alone')]
const createWallet = async (account_number: string, phones: readonly PhoneId[]): Promise<string> => {
  const created = await staff.manager.ask('POST', '/wallets/', {
    body: {
      name: `Till ${account_number}`,
      account_number,
      provider: shippedProviderId('mfloos'),
      sender_name: 'MFloos',
      phones: phones.map((phone) => ({ phone })),
    },
  })
  assert.equal(created.status, 201, created.text)
  return created.body.id
}
const wallet = await createWallet('775100001', [counter, backup])
await createWallet('775100002', [alone])
clock.advance(2_000)

let references = 700_000_000
const send = (phone: PhoneId, text: string, more: Partial<Report> = {}) =>
  story.record([story.report(text, { sender: 'MFloos', simSlot: '', ...more })], true, phone)
const newest = async (): Promise<string> => (await sql('select id from alerts order by id desc limit 1'))[0]![0]!
const seenBy = async (id: string): Promise<string[]> => {
  const answer = await staff.cashier.ask('GET', `/unmatched/${id}/`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.seen_by.map(
    ({ phone, kind, after_s }: { phone: { name: string }; kind: string; after_s: number }) =>
      `${phone.name} ${kind} +${after_s}`,
  )
}
const comparisonOf = async (id: PhoneId) => {
  const answer = await staff.viewer.ask('GET', `/phones/${id}/comparison/`)
  assert.equal(answer.status, 200, answer.text)
  fits(PhoneComparison, answer)
  const { shared_wallets, messages, reported, missed, first } = answer.body
  return { shared_wallets, messages, reported, missed, first }
}

test('each alert of a payment lists the phones that reported the payment, in the order of their reports', async () => {
  const text = depositText('500.00', String(++references))
  await send(counter, text)
  const id = await newest()
  assert.deepEqual(await seenBy(id), ['Counter sms +0'])
  clock.advance(3_200)
  await send(backup, text)
  const repeated = await newest()
  assert.notEqual(repeated, id)
  assert.deepEqual(await seenBy(id), ['Counter sms +0', 'Backup sms +3.2'])
  assert.deepEqual(await seenBy(repeated), ['Counter sms +0', 'Backup sms +3.2'])
  const listed = (await staff.cashier.ask('GET', '/unmatched/')).body.results.find(
    (alert: { id: string }) => alert.id === id,
  )
  assert.equal(listed.seen_by.length, 2)
  // The same phone again does not count as a second phone.
  await send(backup, text)
  assert.equal((await seenBy(id)).length, 2)
})

test('SMS and notification of one payment are two sightings of one phone', async () => {
  const reference = String(++references)
  await send(counter, depositText('700.00', reference))
  const id = await newest()
  clock.advance(1_000)
  await send(counter, `${depositText('700.00', reference)} `, {
    kind: 'notification',
    package: 'com.example.mfloos',
    title: 'MFloos',
  })
  assert.deepEqual(await seenBy(id), ['Counter sms +0', 'Counter notification +1'])
})

test('an alert that supersedes another keeps what the other phones saw', async () => {
  const text = depositText('900.00', String(++references))
  // First unsigned, then signed by another phone: the signed alert counts.
  await story.record([story.report(text, { sender: 'MFloos', simSlot: '' })], false, backup)
  const unsigned = await newest()
  clock.advance(2_000)
  await send(counter, text)
  const id = await newest()
  assert.equal(await story.stateOf(unsigned), 'duplicate')
  assert.deepEqual(await seenBy(id), ['Backup sms +0', 'Counter sms +2'])
})

test('a phone’s missed messages are counted by comparison with the other phones of its wallets', async () => {
  clock.advance(8 * 86_400_000)
  staff = await createMembers(service)
  const report = async (phones: readonly PhoneId[]): Promise<void> => {
    const text = depositText('100.00', String(++references))
    for (const phone of phones) {
      await send(phone, text)
      clock.advance(1_000)
    }
  }
  for (let n = 0; n < 3; n++) await report([counter, backup])
  for (let n = 0; n < 2; n++) await report([backup, counter])
  await report([counter])
  await report([counter])
  await report([backup])
  await report([alone])
  clock.advance(11 * 60_000)
  await report([counter])
  assert.deepEqual(await comparisonOf(counter), { shared_wallets: 1, messages: 8, reported: 7, missed: 1, first: 5 })
  assert.deepEqual(await comparisonOf(backup), { shared_wallets: 1, messages: 8, reported: 6, missed: 2, first: 3 })
  assert.deepEqual(await comparisonOf(alone), { shared_wallets: 0, messages: 0, reported: 0, missed: 0, first: 0 })
})

test('messages from before a phone was added to the wallet do not count as missed', async () => {
  const late = await newPhone('Late')
  clock.advance(60_000)
  const changed = await staff.manager.ask('PATCH', `/wallets/${wallet}/`, {
    body: { phones: [{ phone: counter }, { phone: backup }, { phone: late }] },
  })
  assert.equal(changed.status, 200, changed.text)
  clock.advance(11 * 60_000)
  assert.deepEqual(await comparisonOf(late), { shared_wallets: 1, messages: 0, reported: 0, missed: 0, first: 0 })
})
