/**
 * What an owner reads before confirming is whole: every sender and every app, however many there are, and each value that
 * changes, also if it looks the same. The notice to owners names what is new, or says how many more there are.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { ownersMailer } from '../../src/accounts/notices/email-owners.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { openMail } from '../../src/mail.ts'
import { notifyOwners } from '../../src/work/notify-owners.ts'
import { smtpServer } from '../support/servers/smtp-server.ts'
import { ok, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, clock, db } = service
const { owner, manager } = await createMembers(service)
const jawali = shippedProviderId('jawali')
const main = `/wallets/${demo.wallets.main}/`
const smtp = await smtpServer()
const mail = openMail({ url: smtp.url, from: 'Sanad <sanad@sanad.test>' }, pino({ level: 'silent' }))
test.after(async () => {
  await mail.close()
  await smtp.close()
})

type Asked = {
  id: string
  changes: { field: string; before: string | null; after: string | null }[]
  lists: { field: string; added: string[]; kept: string[]; removed: string[] }[]
}
const rowOf = ({ changes }: Asked, field: string) => changes.find((row) => row.field === field)
const listOf = ({ lists }: Asked, field: string) => lists.find((list) => list.field === field)
const withdraw = (id: string) => manager.ask('POST', `/approvals/${id}/withdraw/`)
const lastNotice = async () => (await owner.ask('GET', '/notices/')).body.results[0]
const letters = async (): Promise<string[]> => {
  const emailOwners = ownersMailer(db, mail.sendNow)
  while (await notifyOwners({ db, clock, zone: zoneOf('Asia/Aden'), origin: 'https://pay.example.com', emailOwners }));
  return smtp.received.splice(0).map(({ text }) => text)
}

let count = 0
const draft = async (senders: string[], fields: object = {}): Promise<string> => {
  const n = ++count
  const body = {
    provider: jawali,
    name: `Template ${n}`,
    sender_names: senders,
    direction: 'credit',
    currency: 'YER',
    sentence: `${n} you got {amount:money} YER ref {reference:reference} thanks`,
    samples: [
      { text: `${n} you got 1,500 YER ref 1234500 thanks`, expect: { amount: '1500.00', reference: '1234500' } },
    ],
    counter_samples: [{ text: `${n} you paid 1,500 YER ref 1234500 thanks`, why: 'debit' }],
    ...fields,
  }
  return ok(await manager.ask('POST', '/templates/', { body })).body.id
}
const askPublishing = async (id: string): Promise<Asked> => ok(await manager.ask('POST', `/templates/${id}/ask/`)).body
const longSender = (n: number) => `sender-${n}-`.padEnd(62, 'x') + String(n).padStart(2, '0')
const longPackage = (n: number) => `com.example${n}.${'a'.repeat(130)}`

test('twenty senders of 64 characters are all shown, the new ones marked', async () => {
  const senders = ['Jawali', ...Array.from({ length: 18 }, (_, n) => longSender(n)), '+967777000009']
  const asked = await askPublishing(await draft(senders))
  assert.equal(rowOf(asked, 'sender_names')?.after, senders.join(', '))
  assert.deepEqual(listOf(asked, 'sender_names'), {
    field: 'sender_names',
    added: senders.slice(1),
    kept: ['Jawali'],
    removed: [],
  })
  const { facts } = await lastNotice()
  const named = facts.senders.split(', ')
  assert.deepEqual(named, senders.slice(1, 1 + named.length), 'whole names only, and only new ones')
  assert.equal(named.length + facts.more_senders, 19)
  const [letter] = await letters()
  assert.match(letter!, new RegExp(`Senders: ${named[0]}.* and ${facts.more_senders} more`))
  assert.match(letter!, new RegExp(`المرسل: \u2068${named[0]}.* و\u2068${facts.more_senders}\u2069 غيرها`))
  ok(await withdraw(asked.id))
})

test('a new sender after eight that the provider has is the one that the notice names', async () => {
  const known = Array.from({ length: 8 }, (_, n) => longSender(20 + n))
  ok(await owner.ask('POST', `/templates/${await draft(known)}/publish/`))
  const asked = await askPublishing(await draft([...known, '+967777000010']))
  assert.deepEqual(listOf(asked, 'sender_names')?.added, ['+967777000010'])
  const { facts } = await lastNotice()
  assert.equal(facts.senders, '+967777000010')
  assert.equal(facts.more_senders, undefined)
  ok(await withdraw(asked.id))
})

test('twenty apps of 150 characters: the one that is added is shown, and named in the notice', async () => {
  const packages = Array.from({ length: 19 }, (_, n) => longPackage(n))
  const provider = ok(await owner.ask('POST', '/providers/', { body: { name: 'long', packages } })).body.id
  ok(await owner.ask('POST', `/templates/${await draft(['Long'], { provider })}/publish/`))
  await letters()
  const path = `/providers/${provider}/ask/`
  const asked: Asked = ok(await manager.ask('POST', path, { body: { packages: [...packages, 'com.evil.app'] } })).body
  assert.equal(rowOf(asked, 'packages')?.before, packages.join(', '))
  assert.equal(rowOf(asked, 'packages')?.after, [...packages, 'com.evil.app'].join(', '))
  assert.deepEqual(listOf(asked, 'packages'), {
    field: 'packages',
    added: ['com.evil.app'],
    kept: packages,
    removed: [],
  })
  assert.equal((await lastNotice()).facts.packages, 'com.evil.app')
  assert.match((await letters())[0]!, /Apps: com\.evil\.app$/m)
  ok(await withdraw(asked.id))
  // One in, one out.
  const swapped: Asked = ok(
    await manager.ask('POST', path, { body: { packages: [...packages.slice(1), 'com.evil.app'] } }),
  ).body
  assert.deepEqual(listOf(swapped, 'packages')?.removed, [packages[0]])
  ok(await withdraw(swapped.id))
})

test('a text of 2,400 characters is shown whole, also if only its end changes', async () => {
  const provider = ok(await owner.ask('POST', '/providers/', { body: { name: 'steps', packages: [] } })).body.id
  ok(await owner.ask('POST', `/templates/${await draft(['Steps'], { provider })}/publish/`))
  const steps = (last: string) => ({
    ar: Array(6).fill('a'.repeat(200)),
    en: [...Array(5).fill('b'.repeat(200)), last],
  })
  ok(await owner.ask('PATCH', `/providers/${provider}/`, { body: { pay_steps: steps('pay here') } }))
  const body = { pay_steps: steps('pay there'), packages: ['com.a.b'] }
  const asked: Asked = ok(await manager.ask('POST', `/providers/${provider}/ask/`, { body })).body
  assert.equal(rowOf(asked, 'pay_steps')?.before, JSON.stringify(steps('pay here')))
  assert.equal(rowOf(asked, 'pay_steps')?.after, JSON.stringify(steps('pay there')))
  ok(await withdraw(asked.id))
})

test('another provider with the same name is shown as another one', async () => {
  const own = ok(await manager.ask('POST', '/providers/', { body: { name: 'Jawali', display_name: 'Jawali' } })).body.id
  const asked: Asked = ok(await manager.ask('POST', `${main}ask/`, { body: { provider: own } })).body
  assert.deepEqual(rowOf(asked, 'provider'), { field: 'provider', before: 'Jawali', after: 'Jawali' })
  assert.deepEqual(rowOf(asked, 'provider_kind'), { field: 'provider_kind', before: 'operators', after: 'own' })
  ok(await withdraw(asked.id))
})

test('the SIM of a further phone is shown', async () => {
  const phones = [
    { phone: demo.device.id, sim_slot: 'SIM1' },
    { phone: ok(await owner.ask('POST', '/phones/', { body: { name: 'Second' } })).body.phone.id, sim_slot: 'SIM1' },
  ]
  ok(await owner.ask('PATCH', main, { body: { phones } }))
  const changed = [phones[0], { ...phones[1], sim_slot: 'SIM2' }]
  const asked: Asked = ok(
    await manager.ask('POST', `${main}ask/`, { body: { phones: changed, low_trust_limit: '9.00' } }),
  ).body
  assert.deepEqual(rowOf(asked, 'further_phones'), {
    field: 'further_phones',
    before: 'Second (SIM1)',
    after: 'Second (SIM2)',
  })
  ok(await withdraw(asked.id))
})

test('a new wallet whose limit needs an owner shows that it has none', async () => {
  const body = { name: 'Loose', account_number: '770009999', provider: jawali, sender_name: 'Jawali' }
  const first = ok(await owner.ask('POST', '/wallets/', { body: { ...body, review_above: '500.00' } })).body.id
  ok(await owner.ask('PATCH', `/wallets/${first}/`, { body: { active: false } }))
  const asked: Asked = ok(await manager.ask('POST', '/wallets/ask/', { body })).body
  assert.deepEqual(rowOf(asked, 'review_above'), { field: 'review_above', before: null, after: null })
})
