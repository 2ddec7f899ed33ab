/** A wallet with several phones: any phone that is ON keeps it offered, and every list of phones has all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeAccount } from '../../src/core/scope.ts'
import { bestPhone } from '../../src/wallets/phones/choose-phone.ts'
import { phonesHealth } from '../../src/wallets/phones/phone-health-sql.ts'
import { phone as phoneOf } from '../support/phone.ts'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const { demo, clock, sql } = service
const { owner, manager } = members
const [jawali] = (await sql('select provider_id from wallets where id = $1', [demo.wallets.main]))[0]!

let numbers = 775_000_000
const createWallet = (body: Record<string, unknown> = {}): Promise<Answer> =>
  owner.ask('POST', '/wallets/', {
    body: { name: 'Branch', account_number: String(++numbers), provider: jawali, ...body },
  })
const patch = (id: string, body: unknown): Promise<Answer> => owner.ask('PATCH', `/wallets/${id}/`, { body })
const newPhone = async (name: string, on = true): Promise<string> => {
  const { body } = await owner.ask('POST', '/phones/', { body: { name } })
  if (on) await switchTo(body.phone.id, true)
  return body.phone.id
}
const switchTo = async (id: string, on: boolean): Promise<void> => {
  assert.equal((await owner.ask('PATCH', `/phones/${id}/`, { body: { switched_on: on } })).status, 200)
}
const namesIn = (answer: Answer): string[] =>
  answer.body.phones.map(({ name, sim_slot }: { name: string; sim_slot: string }) => `${name} ${sim_slot}`.trim())
const walletsOn = async (phone: string): Promise<string[]> =>
  (await owner.ask('GET', `/phones/${phone}/`)).body.wallets.map(
    ({ name, sim_slot }: { name: string; sim_slot: string }) => `${name} ${sim_slot}`.trim(),
  )
const create = (wallet: string) => service.ask('POST', '/intents/', { body: { wallet, amount: '10' } })

const [first, backup, spare] = [await newPhone('First'), await newPhone('Backup'), await newPhone('Spare', false)]

test('a wallet gets further phones, each with its SIM; the answers show the state of each', async () => {
  const created = await createWallet({
    name: 'Two phones',
    sender_name: 'Two',
    phones: [{ phone: first, sim_slot: 'SIM1' }, { phone: backup }],
  })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(namesIn(created), ['First SIM1', 'Backup'])
  assert.deepEqual([created.body.phone.name, created.body.sim_slot], ['First', 'SIM1'])
  assert.deepEqual(created.body.phones[1], {
    id: backup,
    name: 'Backup',
    switched_on: true,
    silent: true,
    last_seen_at: null,
    connected: false,
    sim_slot: '',
  })
  const { id } = created.body
  const added = await patch(id, { phones: [{ phone: first }, { phone: backup, sim_slot: 'SIM2' }, { phone: spare }] })
  assert.deepEqual(namesIn(added), ['First', 'Backup SIM2', 'Spare'])
  assert.deepEqual(namesIn(await manager.ask('GET', `/wallets/${id}/`)), ['First', 'Backup SIM2', 'Spare'])
  const listed = (await manager.ask('GET', '/wallets/')).body.results.find((wallet: { id: string }) => wallet.id === id)
  assert.equal(listed.phones.length, 3)

  // The fields `phone` and `sim_slot` concern the first phone only.
  assert.deepEqual(namesIn(await patch(id, { sim_slot: 'SIM1' })), ['First SIM1', 'Backup SIM2', 'Spare'])
  assert.deepEqual(namesIn(await patch(id, { name: 'Renamed' })), ['First SIM1', 'Backup SIM2', 'Spare'])
  assert.deepEqual(namesIn(await patch(id, { phone: null })), ['Backup SIM2', 'Spare'], 'the next takes its place')
  assert.deepEqual(namesIn(await patch(id, { phone: null })), ['Spare'])
  assert.deepEqual(namesIn(await patch(id, { phone: null })), [])
  const [log] = await sql(
    `select after from audit_log where kind = 'wallet' and object_id = $1 and action = 'wallet.create'`,
    [id],
  )
  assert.deepEqual(JSON.parse(log![0]!).further_phones, [{ phone: backup, sim_slot: '' }])
})

test('a wallet has at most five phones of its account, none twice; `phones` excludes `phone` and `sim_slot`', async () => {
  const six = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => newPhone(`Many ${n}`, false)))
  const { id } = (await createWallet({ name: 'Many' })).body
  const list = (phones: readonly string[]) => ({ phones: phones.map((phone) => ({ phone })) })
  assert.deepEqual(errorsOf(await patch(id, list(six))), ['max_length@phones.non_field_errors'])
  assert.equal((await patch(id, list(six.slice(0, 5)))).body.phones.length, 5)
  assert.deepEqual(errorsOf(await patch(id, list([first, backup, first]))), ['phone_twice@phones.2.phone'])
  assert.deepEqual(errorsOf(await patch(id, { ...list([first]), phone: first })), ['phones_twofold@phones'])
  assert.deepEqual(errorsOf(await patch(id, { ...list([first]), sim_slot: '' })), ['phones_twofold@phones'])
  assert.deepEqual(errorsOf(await patch(id, { phones: [{ sim_slot: 'SIM1' }] })), ['required@phones.0.phone'])
  assert.deepEqual(errorsOf(await patch(id, { phones: null })), ['null@phones'])
  const [[theirs]] = (await sql('select device_id from wallets where id = $1', [demo.other.wallet])) as [[string]]
  assert.deepEqual(errorsOf(await patch(id, list([theirs]))), ['does_not_exist@phone'])
  assert.deepEqual(errorsOf(await patch(id, list([first, theirs]))), ['does_not_exist@phones.1.phone'])
  assert.equal((await patch(id, list([]))).body.phone, null)
})

test('a further phone that could not distinguish the alerts of two wallets is refused', async () => {
  const firstWallet = (
    await createWallet({
      name: 'One',
      sender_name: 'Same',
      phones: [{ phone: first }, { phone: backup, sim_slot: 'SIM1' }],
    })
  ).body
  const other = (slot: string) => createWallet({ name: 'Other', sender_name: 'Same', phone: backup, sim_slot: slot })
  const refused = await other('SIM1')
  assert.deepEqual(errorsOf(refused), ['sender_collision@sim_slot'])
  assert.match(refused.body.errors[0].detail, /"One"/)
  assert.equal((await other('SIM2')).status, 201)
  const changed = await patch(firstWallet.id, { phones: [{ phone: first }, { phone: backup, sim_slot: 'SIM2' }] })
  assert.deepEqual(errorsOf(changed), ['sender_collision@phones.1.sim_slot'])
})

test('one phone that is ON keeps the wallet offered; another that is off is shown, and changes nothing', async () => {
  const { id } = (
    await createWallet({ name: 'Kept', sender_name: 'Kept', phones: [{ phone: first }, { phone: backup }] })
  ).body
  const offeredAndOff = async () => {
    const { body } = await manager.ask('GET', `/wallets/${id}/`)
    const off = body.notes.filter(({ code }: { code: string }) => code === 'phone_off')
    return [
      body.offered,
      off.map(({ facts, blocking }: { facts: { phone: string }; blocking: boolean }) => [facts.phone, blocking]),
    ]
  }
  assert.deepEqual(await offeredAndOff(), [true, []])
  await switchTo(first, false)
  assert.deepEqual(await offeredAndOff(), [true, [['First', false]]])
  assert.equal((await create(id)).status, 201, 'the second phone can report')
  await switchTo(backup, false)
  assert.deepEqual(await offeredAndOff(), [
    false,
    [
      ['First', true],
      ['Backup', true],
    ],
  ])
  assert.deepEqual(errorsOf(await create(id)), ['wallet_not_monitored@wallet'])
  await switchTo(backup, true)
  assert.equal((await create(id)).status, 201, 'a switch of the further phone takes effect at once')
  await sql('update devices set switched_on = false where id = $1', [backup])
  const refused = await create(id)
  assert.deepEqual(errorsOf(refused), ['wallet_not_monitored@wallet'], 'the rows decide, not the cache')
  await switchTo(first, true)
  await switchTo(backup, true)
})

test('a further phone gets the senders to report, and shows the wallet, until it is removed from the wallet', async () => {
  const { id } = (await createWallet({ name: 'Heard', sender_name: 'Heard', phone: first })).body
  const native = phoneOf(service.origin, clock.now, demo.device)
  const senders = async () => (await native.heartbeat()).body.config.senders.map(({ name }: { name: string }) => name)
  assert.ok(!(await senders()).includes('Heard'))
  await patch(id, { phones: [{ phone: first }, { phone: demo.device.id, sim_slot: 'SIM2' }] })
  assert.ok((await senders()).includes('Heard'))
  assert.ok((await walletsOn(demo.device.id)).includes('Heard SIM2'))
  const listed = (await owner.ask('GET', '/phones/')).body.results.find(
    (phone: { id: string }) => phone.id === demo.device.id,
  )
  assert.ok(listed.wallets.some(({ name }: { name: string }) => name === 'Heard'))
  const rules = () => owner.ask('POST', `/phones/${demo.device.id}/ingest/`, { body: { app: 'sms-to-url' } })
  await patch(id, { phones: [{ phone: first }] })
  assert.ok(!(await senders()).includes('Heard'))
  assert.ok(!(await walletsOn(demo.device.id)).includes('Heard SIM2'))
  await patch(id, { phones: [{ phone: first }, { phone: demo.device.id, sim_slot: 'SIM2' }] })
  assert.match((await rules()).body.rule_file.content, /Heard/)
  await patch(id, { phones: [{ phone: first }] })
  assert.doesNotMatch((await rules()).body.rule_file.content, /Heard/)
})

test('a phone that is a further phone of a wallet cannot be removed', async () => {
  const phone = await newPhone('Tied', false)
  const { id } = (await createWallet({ name: 'Tying', phones: [{ phone: first }, { phone }] })).body
  const refused = await owner.ask('DELETE', `/phones/${phone}/`)
  assert.deepEqual(errorsOf(refused), ['phone_has_wallets@non_field_errors'])
  await patch(id, { phones: [{ phone: first }] })
  assert.equal((await owner.ask('DELETE', `/phones/${phone}/`)).status, 204)
})

test('a wallet is judged by its best phone: a healthy one; if there is none, the first that is ON', async () => {
  const { id } = (
    await createWallet({ name: 'Pulse', sender_name: 'Pulse', phones: [{ phone: first }, { phone: demo.device.id }] })
  ).body
  const native = phoneOf(service.origin, clock.now, demo.device)
  await native.heartbeat()
  const best = async () => {
    const phones = await phonesHealth(service.db, wholeAccount(members.accountId))
    assert.equal(new Set(phones.map((phone) => phone.id)).size, phones.length)
    return bestPhone({ id, phoneId: first }, phones, clock.now())?.name
  }
  assert.equal(await best(), 'Shop phone')
  clock.advance(600_000)
  assert.equal(await best(), 'First', 'if no phone reports, the first one')
  await switchTo(first, false)
  assert.equal(await best(), 'Shop phone')
  await switchTo(first, true)
  const phones = await phonesHealth(service.db, wholeAccount(members.accountId))
  assert.equal(bestPhone({ id: demo.wallets.unmonitored, phoneId: null }, phones, clock.now()), undefined)
})
