/**
 * A manager does not get rid of the limits of a wallet by another entry: what begins to receive the messages of a sender starts from
 * the strictest limits of all entries that ever had this sender, open or closed. Each way is tried as a manager and, as its
 * legitimate twin, with an owner.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { phone as phoneOf } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, ok, openTestService } from '../support/story.ts'
import { type AskAs, createMembers } from '../support/users.ts'

const [jawali, jaib] = [shippedProviderId('jawali'), shippedProviderId('jaib')]

const codeOf = (answer: Answer): string => answer.body?.errors?.[0]?.code ?? ''
const assertOwnerOnly = (answer: Answer, ...reasons: string[]): void => {
  assert.equal(`${answer.status} ${codeOf(answer)}`, '403 owner_only', answer.text)
  assert.equal(answer.body.facts.reasons, reasons.join(','))
}

/** A shop of its own whose main wallet (sender Jawali, SIM1 of the phone) an owner has limited. */
const limitedShop = async (limits: object = { review_above: '1000.00' }) => {
  const service = await openTestService({ SANAD_LIMITS: 'off' })
  const { demo, clock } = service
  const { owner, manager } = await createMembers(service)
  const main = `/wallets/${demo.wallets.main}/`
  ok(await owner.ask('PATCH', main, { body: limits }))
  const phone = phoneOf(service.origin, clock.now, demo.device)
  let count = 0
  const newWallet = (fields: object = {}) => ({
    name: `Wallet ${++count}`,
    account_number: `7700${String(count).padStart(5, '0')}`,
    provider: jawali,
    sender_name: 'Jawali',
    phone: demo.device.id,
    sim_slot: 'SIM1',
    ...fields,
  })
  const create = (fields: object = {}, ask: AskAs = manager.ask) =>
    ask('POST', '/wallets/', { body: newWallet(fields) })
  /** A payment of 500,000 to a wallet: what becomes of its order. */
  const pay = async (wallet: string): Promise<string> => {
    const reference = String(8_800_000 + ++count)
    const intent = ok(await service.create({ wallet, amount: '500000.00' })).body.id
    ok(await service.ask('PATCH', `/intents/${intent}/`, { body: { reference } }))
    clock.advance(2_000)
    const received_at = String(Math.floor(clock.now() / 1000))
    const alert = { client_id: reference, kind: 'sms', sender: 'Jawali', sim_slot: 'SIM1', received_at }
    ok(await phone.alerts([{ ...alert, text: purchaseText('500,000.00', reference) }]))
    return (await service.ask('GET', `/intents/${intent}/`)).body.status
  }
  const close = (path = main) => manager.ask('PATCH', path, { body: { active: false } })
  return { demo, owner, manager, main, newWallet, create, pay, close }
}

test('closing a wallet and creating one with another number keeps the limit: a large payment waits', async () => {
  const { create, owner, pay, close, manager, newWallet } = await limitedShop()
  ok(await close())
  assertOwnerOnly(await create(), 'review_above')
  assertOwnerOnly(await create({ review_above: '1000.01' }), 'review_above')
  const path = `/wallets/${ok(await create({ review_above: '1000.00' })).body.id}/`
  assert.equal(await pay(path.split('/')[2]!), 'PENDING')
  assertOwnerOnly(await manager.ask('PATCH', path, { body: { review_above: null } }), 'review_above')
  // The legitimate twin: an owner confirms a wallet without the limit.
  ok(await close(path))
  const asked = ok(await manager.ask('POST', '/wallets/ask/', { body: newWallet() })).body
  assert.deepEqual(asked.reasons, ['review_above'])
  ok(await owner.ask('POST', `/approvals/${asked.id}/confirm/`))
  const confirmed = (await owner.ask('GET', '/wallets/?page_size=100')).body.results.find(
    ({ name }: { name: string }) => name === asked.object.name,
  )
  assert.equal(await pay(confirmed.id), 'VERIFIED')
})

test('taking the phone away, the sender away or the provider away does not hide the entry', async () => {
  for (const changes of [
    [{ phone: null }],
    [{ sender_name: '' }],
    [{ sender_name: '', active: false }, { provider: jaib }],
    [{ phone: null }, { sender_name: '' }, { provider: jaib }, { sender_name: 'Jaib' }],
  ]) {
    const { create, manager, main } = await limitedShop()
    for (const body of changes) ok(await manager.ask('PATCH', main, { body }))
    assertOwnerOnly(await create(), 'review_above')
    assertOwnerOnly(await create({ phone: null, sim_slot: '' }), 'review_above')
  }
})

test('every limit counts, the strictest of several entries', async () => {
  const { create, close, owner, demo } = await limitedShop({ review_above: '1000.00', low_trust_limit: '10.00' })
  const second = `/wallets/${demo.wallets.second}/`
  ok(await owner.ask('PATCH', second, { body: { review_above: '5000.00', low_trust_limit: '0.00' } }))
  ok(await close())
  assertOwnerOnly(await create({ review_above: '5000.00' }), 'review_above')
  assertOwnerOnly(await create({ review_above: '1000.00', low_trust_limit: '10.00' }), 'low_trust_limit')
  for (const [body, reason] of [
    [{ review_broken_chains: false }, 'review_broken_chains'],
    [{ review_later_messages: false }, 'review_later_messages'],
  ] as const)
    assertOwnerOnly(await create({ review_above: '1000.00', ...body }), reason)
  ok(await create({ review_above: '999.00' }))
})

test('an entry without the limit that begins to receive the messages needs an owner: by sender, phone, SIM or opening', async () => {
  const { create, close, owner, manager, demo } = await limitedShop()
  const spare = ok(await owner.ask('POST', '/phones/', { body: { name: 'Spare' } })).body.phone.id
  const loose = async (fields: object) => `/wallets/${ok(await create(fields, owner.ask)).body.id}/`
  const bySender = await loose({ sender_name: '', phone: null, sim_slot: '' })
  const byPhone = await loose({ phone: spare, sim_slot: '' })
  const byOpening = await loose({ active: false })
  ok(await close())
  const change = (path: string, body: object, ask = manager.ask) => ask('PATCH', path, { body })
  assertOwnerOnly(await change(bySender, { sender_name: 'Jawali' }), 'review_above')
  assertOwnerOnly(await change(byPhone, { phone: demo.device.id, sim_slot: 'SIM1' }), 'review_above')
  const phones = [{ phone: spare }, { phone: demo.device.id, sim_slot: 'SIM1' }]
  assertOwnerOnly(await change(byPhone, { phones }), 'review_above')
  assertOwnerOnly(await change(byOpening, { active: true }), 'review_above')
  // What does not receive more needs no owner, nor what takes the limit over.
  ok(await change(byPhone, { name: 'Renamed', sim_slot: 'SIM1' }, owner.ask))
  ok(await change(byPhone, { name: 'Renamed again' }))
  assertOwnerOnly(await change(byPhone, { sim_slot: '' }), 'review_above')
  ok(await change(byPhone, { phone: null }))
  ok(await change(bySender, { sender_name: 'Jawali', review_above: '1000.00' }))
  ok(await change(byOpening, { active: true }, owner.ask))
})

test('entries of other senders, and limits that are set later, change nothing for a wallet', async () => {
  const { create, manager, owner, main } = await limitedShop({ review_above: null })
  const path = `/wallets/${ok(await create({ phone: null, sim_slot: '' })).body.id}/`
  ok(await owner.ask('PATCH', main, { body: { review_above: '1000.00' } }))
  ok(await manager.ask('PATCH', path, { body: { name: 'Still free' } }))
  ok(await create({ provider: jaib, sender_name: 'Jaib', sim_slot: 'SIM2' }))
  ok(await create({ sender_name: '', phone: null, sim_slot: '' }))
})
