/**
 * Whose notifications count is the owner's: an owner sees the apps of an account's own provider before they count for a wallet,
 * in whatever order a manager creates the provider, its template and its wallets.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { phone as phoneOf } from '../support/phone.ts'
import { type Answer, ok, openTestService } from '../support/story.ts'
import { type AskAs, createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, clock } = service
const { owner, manager } = await createMembers(service)
const phone = phoneOf(service.origin, clock.now, demo.device)
const jawali = shippedProviderId('jawali')
const main = `/wallets/${demo.wallets.main}/`
const evil = 'com.evil.app'

const codeOf = (answer: Answer): string => answer.body?.errors?.[0]?.code ?? ''
const assertOwnerOnly = (answer: Answer, ...reasons: string[]): void => {
  assert.equal(`${answer.status} ${codeOf(answer)}`, '403 owner_only', answer.text)
  assert.equal(answer.body.facts.reasons, reasons.join(','))
}
const assertStale = (answer: Answer): void => assert.equal(codeOf(answer), 'approval_stale', answer.text)

let count = 0
const unique = () => ++count
const newProvider = async (packages: string[] = [], ask: AskAs = manager.ask): Promise<string> =>
  ok(await ask('POST', '/providers/', { body: { name: `own-${unique()}`, display_name: 'Jawali', packages } })).body.id
const setPackages = (provider: string, packages: string[], ask: AskAs = manager.ask) =>
  ask('PATCH', `/providers/${provider}/`, { body: { packages } })
const draft = async (provider: string, sender = 'Jawali'): Promise<string> => {
  const n = unique()
  const body = {
    provider,
    name: `Template ${n}`,
    sender_names: [sender],
    direction: 'credit',
    currency: 'YER',
    sentence: `${n} you got {amount:money} YER ref {reference:reference} thanks`,
    samples: [
      { text: `${n} you got 1,500 YER ref 1234500 thanks`, expect: { amount: '1500.00', reference: '1234500' } },
    ],
    counter_samples: [{ text: `${n} you paid 1,500 YER ref 1234500 thanks`, why: 'debit' }],
  }
  return ok(await manager.ask('POST', '/templates/', { body })).body.id
}
const askPublishing = async (template: string) => ok(await manager.ask('POST', `/templates/${template}/ask/`)).body
const confirm = (id: string) => owner.ask('POST', `/approvals/${id}/confirm/`)
const publish = async (template: string) => ok(await owner.ask('POST', `/templates/${template}/publish/`))
const newWallet = (provider: string, fields: object = {}) => ({
  name: `Wallet ${unique()}`,
  account_number: `77${String(unique()).padStart(7, '0')}`,
  provider,
  sender_name: 'Jawali',
  ...fields,
})
const create = (body: object, ask: AskAs = manager.ask) => ask('POST', '/wallets/', { body })
const rowOf = (approval: { changes: { field: string }[] }, field: string) =>
  approval.changes.find((change) => change.field === field)

/** A notification of an app: whether it verifies an order of the main wallet. */
const verifies = async (template: string, app: string): Promise<string> => {
  clock.advance(2_000)
  const reference = String(7_000_000 + unique())
  const intent = ok(await service.create({ amount: '500000.00' })).body.id
  ok(await service.ask('PATCH', `/intents/${intent}/`, { body: { reference } }))
  const n = (await owner.ask('GET', `/templates/${template}/`)).body.name.split(' ')[1]
  const text = `${n} you got 500,000 YER ref ${reference} thanks`
  const received_at = String(Math.floor(clock.now() / 1000))
  const alert = { client_id: `n-${n}-${reference}`, sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
  ok(await phone.alerts([{ ...alert, kind: 'notification', package: app }]))
  return (await service.ask('GET', `/intents/${intent}/`)).body.status
}

test('the apps of a provider changed after its template was asked for: the owner’s confirmation is refused as stale', async () => {
  const provider = await newProvider()
  const template = await draft(provider)
  const asked = await askPublishing(template)
  ok(await setPackages(provider, [evil]))
  assertStale(await confirm(asked.id))
  assert.equal((await owner.ask('GET', `/templates/${template}/`)).body.status, 'draft')
  const again = await askPublishing(template)
  assert.deepEqual(again.reasons, ['sender', 'app'])
  assert.deepEqual(rowOf(again, 'packages'), { field: 'packages', before: null, after: evil })
  // An app less changes what the owner sees as well.
  ok(await setPackages(provider, []))
  assertStale(await confirm(again.id))
})

test('a wallet that moves to a provider with another app needs an owner, although the sender stays', async () => {
  const provider = await newProvider([evil])
  const template = await draft(provider)
  const asked = await askPublishing(template)
  assert.equal(rowOf(asked, 'packages') !== undefined, true)
  ok(await confirm(asked.id))
  assertOwnerOnly(await manager.ask('PATCH', main, { body: { provider } }), 'app')
  assert.notEqual(await verifies(template, evil), 'VERIFIED')
  const moving = ok(await manager.ask('POST', `${main}ask/`, { body: { provider } })).body
  assert.deepEqual(moving.reasons, ['app'])
  assert.deepEqual(rowOf(moving, 'packages'), { field: 'packages', before: null, after: evil })
  // The legitimate twin: the owner has seen the app and confirms.
  ok(await confirm(moving.id))
  assert.equal(await verifies(template, evil), 'VERIFIED')
  ok(await manager.ask('PATCH', main, { body: { provider: jawali } }))
})

test('a wallet that moves to a provider without another app needs no owner', async () => {
  const [none, same] = [await newProvider(), await newProvider([evil])]
  for (const provider of [none, same]) await publish(await draft(provider))
  ok(await manager.ask('PATCH', main, { body: { provider: none } }))
  ok(await manager.ask('PATCH', main, { body: { provider: jawali } }))
  ok(await owner.ask('PATCH', main, { body: { provider: same } }))
  const other = await newProvider([evil])
  await publish(await draft(other))
  ok(await manager.ask('PATCH', main, { body: { provider: other } }))
  ok(await manager.ask('PATCH', main, { body: { provider: jawali } }))
})

test('a template that is retired confirms no app: the provider is not in use, and its apps are asked for again', async () => {
  const provider = await newProvider(['com.good.app'])
  const template = await draft(provider)
  ok(await confirm((await askPublishing(template)).id))
  assertOwnerOnly(await setPackages(provider, [evil]), 'app')
  ok(await manager.ask('POST', `/templates/${template}/retire/`))
  ok(await setPackages(provider, [evil]))
  const next = ok(await manager.ask('POST', `/templates/${template}/draft/`)).body.id
  assertOwnerOnly(await manager.ask('POST', `/templates/${next}/publish/`), 'sender', 'app')
  assertOwnerOnly(await create(newWallet(provider)), 'sender', 'app')
  assertOwnerOnly(await create(newWallet(provider, { sender_name: '' })), 'app')
  assertOwnerOnly(await manager.ask('PATCH', main, { body: { provider } }), 'sender', 'app')
})

test('a new wallet needs an owner for apps that no owner has confirmed, a second one does not', async () => {
  const provider = await newProvider([evil])
  const body = newWallet(provider, { sender_name: '' })
  assertOwnerOnly(await create(body), 'app')
  const asked = ok(await manager.ask('POST', '/wallets/ask/', { body })).body
  assert.deepEqual(rowOf(asked, 'packages'), { field: 'packages', before: null, after: evil })
  ok(await setPackages(provider, ['com.other.app']))
  const again = ok(await manager.ask('POST', '/wallets/ask/', { body })).body
  assert.notEqual(again.id, asked.id, 'asking again does not give an approval that shows other apps')
  assertStale(await confirm(asked.id))
  ok(await confirm(again.id))
  ok(await create(newWallet(provider, { sender_name: '' })))
  assertOwnerOnly(await setPackages(provider, ['com.other.app', evil]), 'app')
  // Confirmed by the publication of a template, before there is a wallet.
  const published = await newProvider([evil])
  ok(await confirm((await askPublishing(await draft(published))).id))
  ok(await create(newWallet(published)))
})

test('a closed wallet keeps no app confirmed: opening it again needs an owner', async () => {
  const provider = await newProvider()
  const path = `/wallets/${ok(await create(newWallet(provider, { sender_name: '' }))).body.id}/`
  ok(await manager.ask('PATCH', path, { body: { active: false } }))
  ok(await setPackages(provider, [evil]))
  assertOwnerOnly(await manager.ask('PATCH', path, { body: { active: true } }), 'app')
  const asked = ok(await manager.ask('POST', `${path}ask/`, { body: { active: true } })).body
  assert.ok(asked.reasons.includes('app'))
  assert.match(JSON.stringify(asked.changes), /com\.evil\.app/, 'the card shows the app that begins to count')
  ok(await setPackages(provider, ['com.worse.app']))
  assertStale(await confirm(asked.id))
  // Moved while it is closed, and opened there.
  const second = `/wallets/${ok(await create(newWallet(jawali, { active: false }))).body.id}/`
  ok(await manager.ask('PATCH', second, { body: { provider } }))
  assertOwnerOnly(await manager.ask('PATCH', second, { body: { active: true } }), 'sender', 'app')
  assertOwnerOnly(await manager.ask('PATCH', second, { body: { active: true, sender_name: '' } }), 'app')
})

test('an approval ends as stale if more of it needs an owner than was asked for', async () => {
  const provider = await newProvider()
  const template = await draft(provider)
  await publish(template)
  const asked = ok(
    await manager.ask('POST', '/wallets/ask/', { body: newWallet(provider, { low_trust_limit: '5.00' }) }),
  ).body
  assert.deepEqual(asked.reasons, ['low_trust_limit'])
  ok(await manager.ask('POST', `/templates/${template}/retire/`))
  assertStale(await confirm(asked.id))
})

test('apps changed while an owner confirms: either the change is refused, or the confirmation', async () => {
  for (let round = 0; round < 8; round++) {
    const provider = await newProvider()
    const asked = await askPublishing(await draft(provider))
    const [changed, confirmed] = await Promise.all([setPackages(provider, [evil]), confirm(asked.id)])
    assert.notEqual(changed.status === 200, confirmed.status === 200, `${changed.status} ${confirmed.status}`)
  }
})
