/** Account numbers are checked by the rule of their provider, and a wallet says whether money has ever come into it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { phone } from '../support/phone.ts'
import { queueStory } from '../support/queue-story.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService()
const { clock, demo, sql } = service
const { owner, operator } = await createMembers(service)
const jawali = shippedProviderId('jawali')
let lastNumber = 773_000_000
let lastReference = 771_100_330_000
const newNumber = (): string => String(++lastNumber)
const create = (account_number: string, provider: string = jawali) =>
  owner.ask('POST', '/wallets/', { body: { name: 'Shop', account_number, provider } })
const shown = async (id: string) => (await owner.ask('GET', `/wallets/${id}/`)).body
const rule = /An account number of Jawali has 9 digits and begins with 70, 71, 73, 77 or 78\./

test('a wallet with a number that its provider cannot have is refused with the rule, and nothing is stored', async () => {
  const [[before]] = (await sql('select count(*) from wallets')) as [[string]]
  for (const number of ['77300000', '7730000001', '720000001', 'shop 1', '773000001 or 773000002', '+96777300000']) {
    const refused = await create(number)
    assert.equal(refused.status, 400, number)
    assert.deepEqual(errorsOf(refused), ['account_number_form@account_number'], number)
    assert.match(refused.body.errors[0].detail, rule)
    assert.equal(refused.body.facts.prefixes, '70, 71, 73, 77, 78')
  }
  assert.deepEqual(await sql('select count(*) from wallets'), [[before]])
  for (const spelled of [newNumber(), `+967 ${newNumber()}`, `00967${newNumber()}`]) {
    const created = await create(spelled)
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.account_number, spelled, 'it is shown as it was entered')
  }
})

test('a changed number, or the number under another provider, is checked too; other changes of an earlier wallet are not', async () => {
  const { id } = (await create(newNumber())).body
  const change = (body: object) => owner.ask('PATCH', `/wallets/${id}/`, { body })
  assert.deepEqual(errorsOf(await change({ account_number: '123' })), ['account_number_form@account_number'])
  await sql("update wallets set account_number = '4471' where id = $1", [id])
  const renamed = await change({ name: 'Renamed' })
  assert.equal(renamed.status, 200, renamed.text)
  const note = renamed.body.notes.find(({ code }: { code: string }) => code === 'account_number')
  assert.equal(note.blocking, false)
  assert.match(note.detail, rule)
  assert.deepEqual(errorsOf(await change({ provider: shippedProviderId('jaib') })), [
    'account_number_form@account_number',
  ])
  assert.equal((await change({ provider: shippedProviderId('kuraimi') })).status, 200, 'no rule is known there')
  assert.equal((await change({ account_number: '5582' })).status, 200)
})

test('an account may give a provider of its own a rule, and an operator a shared one; a rule that is none is refused', async () => {
  const made = await owner.ask('POST', '/providers/', {
    body: { name: 'village-bank', number_lengths: [6, 8], number_prefixes: ['30'] },
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.body.number_lengths, made.body.number_prefixes], [[6, 8], ['30']])
  assert.deepEqual(errorsOf(await create('310000', made.body.id)), ['account_number_form@account_number'])
  assert.equal((await create('300001', made.body.id)).status, 201)
  const patch = (body: object) => owner.ask('PATCH', `/providers/${made.body.id}/`, { body })
  assert.equal((await patch({ number_prefixes: [] })).body.number_prefixes.length, 0)
  assert.equal((await create('310000', made.body.id)).status, 201)
  for (const wrong of [
    { number_lengths: [0] },
    { number_lengths: [35] },
    { number_lengths: ['x'] },
    { number_prefixes: ['7a'] },
    { number_prefixes: [''] },
    { number_lengths: Array.from({ length: 11 }, (_, n) => n + 1) },
  ])
    assert.equal((await patch(wrong)).status, 400, JSON.stringify(wrong))
  const path = `/operator/providers/${shippedProviderId('kuraimi')}/`
  const shared = await operator.ask('PATCH', path, { body: { number_lengths: [10] } })
  assert.deepEqual([shared.status, shared.body.number_lengths], [200, [10]])
  assert.deepEqual(errorsOf(await create('123456789', shippedProviderId('kuraimi'))), [
    'account_number_form@account_number',
  ])
})

test('a wallet says that no money has come, until the first credit; a new number begins again', async () => {
  const { main } = demo.wallets
  await sql('update wallets set first_received_at = null')
  assert.equal((await shown(main)).first_received_at, null)
  const handset = phone(service.origin, clock.now, demo.device)
  clock.advance(5_000)
  const report = async (text: string): Promise<void> => {
    clock.advance(1_000)
    const received_at = Math.floor(clock.now() / 1000)
    const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
    const answer = await handset.alerts([alert])
    assert.equal(answer.status, 200, answer.text)
  }
  await report('Jawali: an offer that is no money')
  assert.equal((await shown(main)).first_received_at, null, 'a message that is no money does not count')
  await report(purchaseText('1', '771100220033'))
  const first = (await shown(main)).first_received_at
  assert.equal(Date.parse(first), clock.now())
  clock.advance(60_000)
  await report(purchaseText('2', '771100220034'))
  assert.equal((await shown(main)).first_received_at, first)
  const listed = (await owner.ask('GET', '/wallets/')).body.results.find(({ id }: { id: string }) => id === main)
  assert.equal(listed.first_received_at, first)
  const { account_number } = await shown(main)
  await owner.ask('PATCH', `/wallets/${main}/`, { body: { account_number: `+967 ${account_number}`, name: 'Main' } })
  assert.equal((await shown(main)).first_received_at, first, 'the same number, spelled differently')
  await owner.ask('PATCH', `/wallets/${main}/`, { body: { account_number: newNumber() } })
  assert.equal((await shown(main)).first_received_at, null, 'nothing has come under this number yet')
  const merchant = await service.ask('GET', '/wallets/')
  assert.ok(!merchant.text.includes('first_received_at'), 'the merchant API stays as it is')
})

test('only a signed credit without a doubt about its source, or one that a member books, says that money has come', async () => {
  const { main } = demo.wallets
  const { record, report } = await queueStory(service)
  await sql('update wallets set first_received_at = null, low_trust_limit = 0')
  clock.advance(5_000)
  const nothing = async (why: string): Promise<void> => assert.equal((await shown(main)).first_received_at, null, why)
  const text = (amount: string, payer?: string): string => purchaseText(amount, String(++lastReference), payer)
  await record([report(text('4'))], false)
  await nothing('unsigned')
  await record([report(transferText('4', '400.00'))], false)
  await nothing('unsigned, without a reference')
  await record([report(text('5'), { simSlot: 'SIM2' })])
  await nothing('of another SIM')
  await record([report(text('6', 'علي المثال سيتم السداد غدا'))])
  await nothing('unexpected words')
  await record([report(`${text('7')} ملغاة`)])
  await nothing('denied')
  await record([report(text('8'), { kind: 'notification', package: 'com.other.app' })])
  await nothing('of another app')
  await sql("update wallets set currency = 'SAR' where id = $1", [main])
  clock.advance(5_000)
  await record([report(text('9'))])
  await sql("update wallets set currency = 'YER' where id = $1", [main])
  await nothing('of another currency')
  await sql('update devices set switched_on = false')
  clock.advance(5_000)
  await record([report(text('10'))])
  await nothing('held, because its phone is off')
  await sql('update devices set switched_on = true')
  clock.advance(5_000)
  const again = report(text('11'))
  await record([again])
  assert.equal(Date.parse((await shown(main)).first_received_at), clock.now(), 'a signed credit')
  await sql('update wallets set first_received_at = null')
  clock.advance(60_000)
  await record([{ ...again, clientId: 'again' }])
  await nothing('a duplicate')

  const intent = (await service.create({ amount: '12.00' })).body
  const unsigned = report(text('12'))
  await record([unsigned], false)
  const arrived = clock.now()
  await nothing('unsigned')
  clock.advance(60_000)
  const [[alert]] = (await sql('select id from alerts order by id desc limit 1')) as [[string]]
  const body = { intent: intent.id, alert_amount: '12.00', intent_amount: '12.00' }
  const booked = await owner.ask('POST', `/unmatched/${alert}/book/`, { body })
  assert.equal(booked.status, 200, booked.text)
  assert.equal(Date.parse((await shown(main)).first_received_at), arrived, 'a member has booked it')
})

test('a change that holds the row of a wallet does not hold up its alerts', async () => {
  const { main } = demo.wallets
  await sql('update wallets set first_received_at = null')
  clock.advance(5_000)
  const handset = phone(service.origin, clock.now, demo.device)
  const holder = new pg.Client({ connectionString: service.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select id from wallets where id = $1 for no key update', [main])
    const received_at = Math.floor(clock.now() / 1000)
    const text = purchaseText('3', '771100220035')
    const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
    assert.equal((await handset.alerts([alert])).status, 200)
  } finally {
    await holder.end()
  }
  assert.equal((await shown(main)).first_received_at, null, 'the next credit is noted')
})
