/**
 * Whose messages count as money is the owner's: a template for a new sender, the sender of a wallet, looser limits. A manager asks,
 * an owner confirms. Each chain of steps is walked as a manager and, as its legitimate twin, with an owner.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostOpenApprovals } from '../../src/accounts/approvals/approval.ts'
import { type MemberRole, roles } from '../../src/accounts/people/permission.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { day_ms } from '../../src/core/duration.ts'
import { phone as phoneOf } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, ok, openTestService } from '../support/story.ts'
import { type AskAs, createMember, createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, clock, sql } = service
const members = await createMembers(service)
const { owner, manager } = members
const notOwners = roles.filter((role): role is Exclude<MemberRole, 'owner'> => role !== 'owner')
const phone = phoneOf(service.origin, clock.now, demo.device)
const jawali = shippedProviderId('jawali')
const main = `/wallets/${demo.wallets.main}/`

const codeOf = (answer: Answer): string => answer.body?.errors?.[0]?.code ?? ''
const assertOwnerOnly = (answer: Answer, ...reasons: string[]): void => {
  assert.equal(`${answer.status} ${codeOf(answer)}`, '403 owner_only', answer.text)
  assert.equal(answer.body.facts.reasons, reasons.join(','))
  assert.match(answer.body.errors[0].detail, /^Only an owner may /)
}

let count = 0
const unique = () => ++count
const sentence = 'you got {amount:money} YER ref {reference:reference} thanks'
const draft = async (ask: AskAs, provider: string, ...senders: string[]): Promise<string> => {
  const n = unique()
  const body = {
    provider,
    name: `Template ${n}`,
    sender_names: senders,
    direction: 'credit',
    currency: 'YER',
    sentence: `${n} ${sentence}`,
    samples: [
      { text: `${n} you got 1,500 YER ref 1234500 thanks`, expect: { amount: '1500.00', reference: '1234500' } },
    ],
    counter_samples: [{ text: `${n} you paid 1,500 YER ref 1234500 thanks`, why: 'debit' }],
  }
  return ok(await ask('POST', '/templates/', { body })).body.id
}
const numberOf = async (template: string): Promise<string> =>
  (await owner.ask('GET', `/templates/${template}/`)).body.name.split(' ')[1]
const publish = (ask: AskAs, id: string) => ask('POST', `/templates/${id}/publish/`)
const settings = async (path = main) => {
  const { sender_name, low_trust_limit, review_above, review_broken_chains, provider, active } = (
    await owner.ask('GET', path)
  ).body
  return { sender_name, low_trust_limit, review_above, review_broken_chains, provider: provider.id, active }
}
const intentWith = async (reference: string, amount = '500000.00'): Promise<string> => {
  const intent = ok(await service.create({ amount }))
  ok(await service.ask('PATCH', `/intents/${intent.body.id}/`, { body: { reference } }))
  return intent.body.id
}
const statusOf = async (id: string) => (await service.ask('GET', `/intents/${id}/`)).body.status
const report = async (sender: string, text: string) => {
  clock.advance(2_000)
  const received_at = String(Math.floor(clock.now() / 1000))
  ok(await phone.alerts([{ client_id: `a-${unique()}`, kind: 'sms', sender, text, sim_slot: 'SIM1', received_at }]))
}
const doubtsOf = async (intent: string): Promise<string[]> => {
  const [[id]] = (await sql('select id from alerts where intent_id = $1', [intent])) as [[string]]
  return (await owner.ask('GET', `/unmatched/${id}/`)).body.doubts.map(({ code }: { code: string }) => code)
}
const openApprovals = async (ask: AskAs = owner.ask) => (await ask('GET', '/approvals/?open=1')).body.results
const confirm = (id: string, ask: AskAs = owner.ask) => ask('POST', `/approvals/${id}/confirm/`)
const decline = (id: string, ask: AskAs = owner.ask) => ask('POST', `/approvals/${id}/decline/`)

test('a manager cannot make their own number count: one message of it verifies nothing', async () => {
  const before = await settings()
  const number = '+967777000001'
  const template = await draft(manager.ask, jawali, number)
  assertOwnerOnly(await publish(manager.ask, template), 'sender')
  assertOwnerOnly(await manager.ask('PATCH', main, { body: { sender_name: number } }), 'sender')
  const intent = await intentWith('1234501')
  await report(number, `${await numberOf(template)} you got 500,000 YER ref 1234501 thanks`)
  assert.equal(await statusOf(intent), 'PENDING')
  assert.deepEqual(await settings(), before)
  assert.equal((await owner.ask('GET', `/templates/${template}/`)).body.status, 'draft')
})

test('other ways to the same end are refused as well', async () => {
  const number = '+967777000002'
  // A provider of one's own: its first sender needs an owner, and so does a wallet that moves to it.
  const provider = ok(await manager.ask('POST', '/providers/', { body: { name: 'mine' } })).body.id
  const template = await draft(manager.ask, provider, number)
  assertOwnerOnly(await publish(manager.ask, template), 'sender')
  assertOwnerOnly(await manager.ask('PATCH', main, { body: { provider, sender_name: number } }), 'sender')
  assertOwnerOnly(await manager.ask('PATCH', main, { body: { provider } }), 'sender')
  // A debit template reads no credit, but would make the sender one of the provider.
  const debit = await draft(manager.ask, jawali, number)
  ok(await manager.ask('PATCH', `/templates/${debit}/`, { body: { direction: 'debit' } }))
  assertOwnerOnly(await publish(manager.ask, debit), 'sender')
  // A known sender beside a new one.
  const both = await draft(manager.ask, jawali, 'Jawali', number)
  assertOwnerOnly(await publish(manager.ask, both), 'sender')
  // A new version of a template of the operator.
  const shared = (await manager.ask('GET', `/templates/?provider=${jawali}&status=active`)).body.results[0].id
  const copy = ok(await manager.ask('POST', `/templates/${shared}/draft/`)).body.id
  ok(await manager.ask('PATCH', `/templates/${copy}/`, { body: { sender_names: [number] } }))
  assertOwnerOnly(await publish(manager.ask, copy), 'sender')
  ok(await manager.ask('DELETE', `/templates/${copy}/`))
  // A new wallet with the sender, open or opened later.
  const body = { name: 'Mine', account_number: '770001111', provider: jawali, sender_name: number }
  assertOwnerOnly(await manager.ask('POST', '/wallets/', { body }), 'sender')
  const closed = ok(await manager.ask('POST', '/wallets/', { body: { ...body, active: false } })).body.id
  assertOwnerOnly(await manager.ask('PATCH', `/wallets/${closed}/`, { body: { active: true } }), 'sender')
  for (const spelled of ['jawali', 'Jawali\u200b', 'JAWALI'])
    assertOwnerOnly(await manager.ask('PATCH', main, { body: { sender_name: spelled } }), 'sender')
})

test('a manager sets up a wallet with a sender of its provider, and reads it in another way', async () => {
  const body = { name: 'Branch', account_number: '770002222', provider: jawali, sender_name: 'Jawali' }
  const id = ok(await manager.ask('POST', '/wallets/', { body })).body.id
  ok(await manager.ask('PATCH', `/wallets/${id}/`, { body: { sender_name: '' } }))
  ok(await manager.ask('PATCH', `/wallets/${id}/`, { body: { sender_name: 'Jawali' } }))
  ok(await manager.ask('PATCH', `/wallets/${id}/`, { body: { active: false } }))
  ok(await manager.ask('PATCH', `/wallets/${id}/`, { body: { active: true, name: 'Branch 2' } }))
  const template = await draft(manager.ask, jawali, 'Jawali')
  ok(await publish(manager.ask, template))
  const next = ok(await manager.ask('POST', `/templates/${template}/draft/`)).body.id
  ok(await publish(manager.ask, next))
  ok(await manager.ask('POST', `/templates/${next}/retire/`))
  ok(await manager.ask('PATCH', `/wallets/${id}/`, { body: { active: false } }))
})

test('limits: a manager makes them stricter, an owner makes them looser', async () => {
  const limits = { review_above: '1000.00', low_trust_limit: '100.00', review_broken_chains: true }
  ok(await owner.ask('PATCH', main, { body: limits }))
  for (const [body, reason] of [
    [{ low_trust_limit: '100.01' }, 'low_trust_limit'],
    [{ review_above: '1000.01' }, 'review_above'],
    [{ review_above: null }, 'review_above'],
    [{ review_broken_chains: false }, 'review_broken_chains'],
  ] as const) {
    assertOwnerOnly(await manager.ask('PATCH', main, { body }), reason)
    assertOwnerOnly(await manager.ask('PATCH', main, { body: { name: 'Main wallet', ...body } }), reason)
  }
  assert.partialDeepStrictEqual(await settings(), limits)
  for (const body of [{ low_trust_limit: '99.99' }, { review_above: '999.99' }, { review_broken_chains: true }])
    ok(await manager.ask('PATCH', main, { body }))
  // A form that sends the values as they are.
  const { sender_name, low_trust_limit, review_above, review_broken_chains } = await settings()
  ok(await manager.ask('PATCH', main, { body: { sender_name, low_trust_limit, review_above, review_broken_chains } }))
  ok(await owner.ask('PATCH', main, { body: { low_trust_limit: '0.00', review_above: null } }))
  const body = { name: 'Loose', account_number: '770003333', provider: jawali, sender_name: 'Jawali' }
  assertOwnerOnly(
    await manager.ask('POST', '/wallets/', { body: { ...body, low_trust_limit: '5.00', review_broken_chains: false } }),
    'low_trust_limit',
    'review_broken_chains',
  )
})

test('closing a wallet and creating it again does not loosen its limits', async () => {
  const body = { name: 'Twice', account_number: '770004444', provider: jawali, sender_name: 'Jawali' }
  const first = ok(await owner.ask('POST', '/wallets/', { body: { ...body, review_above: '500.00' } })).body.id
  ok(await manager.ask('PATCH', `/wallets/${first}/`, { body: { active: false } }))
  assertOwnerOnly(await manager.ask('POST', '/wallets/', { body }), 'review_above')
  assertOwnerOnly(await manager.ask('POST', '/wallets/', { body: { ...body, review_above: '500.01' } }), 'review_above')
  const again = ok(await manager.ask('POST', '/wallets/', { body: { ...body, review_above: '500.00' } })).body.id
  ok(await manager.ask('PATCH', `/wallets/${again}/`, { body: { active: false } }))
  const third = ok(await owner.ask('POST', '/wallets/', { body })).body.id
  ok(await owner.ask('PATCH', `/wallets/${third}/`, { body: { active: false } }))
})

test('apps of a provider: free until it is in use, then the owner’s', async () => {
  const provider = ok(await manager.ask('POST', '/providers/', { body: { name: 'apps', packages: ['com.a.b'] } })).body
    .id
  const path = `/providers/${provider}/`
  ok(await manager.ask('PATCH', path, { body: { packages: ['com.a.b', 'com.a.c'] } }))
  ok(await publish(owner.ask, await draft(owner.ask, provider, 'Apps')))
  assertOwnerOnly(
    await manager.ask('PATCH', path, { body: { packages: ['com.a.b', 'com.a.c', 'com.evil.app'] } }),
    'app',
  )
  ok(await manager.ask('PATCH', path, { body: { packages: ['com.a.b'] } }))
  ok(await manager.ask('PATCH', path, { body: { display_name: 'Apps' } }))
  const asked = ok(await manager.ask('POST', `${path}ask/`, { body: { packages: ['com.a.b', 'com.good.app'] } })).body
  assert.deepEqual(asked.changes, [{ field: 'packages', before: 'com.a.b', after: 'com.a.b, com.good.app' }])
  ok(await confirm(asked.id))
  assert.deepEqual((await manager.ask('GET', path)).body.packages, ['com.a.b', 'com.good.app'])
})

test('the chain with an owner: asked, confirmed with one touch, and its first day carries sender_new', async () => {
  const number = '+967777000003'
  const template = await draft(manager.ask, jawali, number)
  assertOwnerOnly(await publish(manager.ask, template), 'sender')
  const [[notices]] = (await sql(`select count(*) from owner_notices where kind = 'approval_asked'`)) as [[string]]
  const first = ok(await manager.ask('POST', `/templates/${template}/ask/`)).body
  assert.equal(first.state, 'open')
  assert.deepEqual(first.reasons, ['sender'])
  assert.equal(first.changes.find(({ field }: { field: string }) => field === 'sender_names').after, number)
  const second = ok(await manager.ask('POST', `${main}ask/`, { body: { sender_name: number } })).body
  assert.deepEqual(second.changes, [{ field: 'sender_name', before: 'Jawali', after: number }])
  const again = ok(await manager.ask('POST', `${main}ask/`, { body: { sender_name: number } })).body
  assert.equal(again.id, second.id, 'asking again gives the open approval')
  const rows = (
    await sql(`select facts::text, object_kind from owner_notices where kind = 'approval_asked' order by id`)
  ).slice(Number(notices))
  assert.equal(rows.length, 2, 'one notice for each')
  assert.match(rows[0]![0]!, /\+967777000003/)
  assert.equal(rows[0]![1], 'approval')

  const intent = await intentWith('1234502')
  const text = (reference: string) => async () =>
    `${await numberOf(template)} you got 500,000 YER ref ${reference} thanks`
  await report(number, await text('1234502')())
  assert.equal(await statusOf(intent), 'PENDING', 'nothing counts before an owner confirms')
  assert.equal((await openApprovals(manager.ask)).length, 2)

  ok(await confirm(first.id))
  assert.equal((await owner.ask('GET', `/templates/${template}/`)).body.status, 'active')
  const done = ok(await confirm(second.id)).body
  assert.match(done.decided_by, /A owner/)
  assert.equal((await settings()).sender_name, number)
  assert.deepEqual(await openApprovals(), [])
  const log = (await owner.ask('GET', '/audit/')).body.results
  for (const [action, actor] of [
    ['approval.ask', 'A manager'],
    ['approval.confirm', 'A owner'],
    ['wallet.update', 'A owner'],
    ['template.publish', 'A owner'],
  ] as const) {
    const entry = log.find((row: { action: string }) => row.action === action)
    assert.match(entry.actor ?? entry.by ?? JSON.stringify(entry), new RegExp(actor), action)
    assert.match(JSON.stringify(entry), /A manager/, `${action} names who asked`)
  }

  const paid = await intentWith('1234503')
  await report(number, await text('1234503')())
  assert.equal(await statusOf(paid), 'VERIFIED')
  assert.ok((await doubtsOf(paid)).includes('sender_new'))
  const timeline = (await owner.ask('GET', `/intents/${paid}/`)).body.timeline
  assert.match(timeline.at(-1).facts.doubts, /sender_new/)

  clock.advance(day_ms - 10_000)
  const last = await intentWith('1234504')
  await report(number, await text('1234504')())
  assert.ok((await doubtsOf(last)).includes('sender_new'))
  clock.advance(20_000)
  const later = await intentWith('1234505')
  await report(number, await text('1234505')())
  assert.equal(await statusOf(later), 'VERIFIED')
  assert.ok(!(await doubtsOf(later)).includes('sender_new'))
  ok(await owner.ask('PATCH', main, { body: { sender_name: 'Jawali' } }))
  const usual = await intentWith('1234506', '1500.00')
  await report('Jawali', purchaseText('1,500.00', '1234506'))
  assert.equal(await statusOf(usual), 'VERIFIED')
  assert.ok(!(await doubtsOf(usual)).includes('sender_new'), 'the operator’s templates name this sender')
})

test('a message that came before its sender counted carries sender_new when it is read at last', async () => {
  const number = '+967777000004'
  ok(await owner.ask('PATCH', main, { body: { sender_name: number } }))
  const template = await draft(owner.ask, jawali, number)
  clock.advance(2 * day_ms)
  const text = `${await numberOf(template)} you got 1,500 YER ref 1234507 thanks`
  ok(await publish(owner.ask, template))
  const intent = await intentWith('1234507', '1500.00')
  await report(number, text)
  assert.equal(await statusOf(intent), 'VERIFIED')
  assert.ok((await doubtsOf(intent)).includes('sender_new'), 'the wallet had it, but no template read it')
  ok(await owner.ask('PATCH', main, { body: { sender_name: 'Jawali' } }))
  ok(await owner.ask('POST', `/templates/${template}/retire/`))
  const next = ok(await owner.ask('POST', `/templates/${template}/draft/`)).body.id
  assertOwnerOnly(await publish(manager.ask, next), 'sender')
})

test('who may ask, see, confirm, decline and withdraw', async () => {
  const asked = ok(await manager.ask('POST', `${main}ask/`, { body: { low_trust_limit: '70.00' } })).body
  for (const role of notOwners) {
    const { ask } = members[role]
    for (const way of ['confirm', 'decline'])
      assert.equal((await ask('POST', `/approvals/${asked.id}/${way}/`)).status, 403, `${role} ${way}`)
    assert.equal((await ask('GET', '/approvals/')).status, role === 'manager' ? 200 : 403)
    if (role === 'manager') continue
    assert.equal((await ask('POST', `${main}ask/`, { body: { low_trust_limit: '70.00' } })).status, 403)
    assert.equal((await ask('POST', `/approvals/${asked.id}/withdraw/`)).status, 403)
  }
  const other = await createMember(service, members.accountId, 'manager')
  assert.equal(codeOf(await other.ask('POST', `/approvals/${asked.id}/withdraw/`)), 'approval_of_another')
  assert.equal((await other.ask('GET', `/approvals/${asked.id}/`)).body.own, false)
  assert.equal((await manager.ask('GET', `/approvals/${asked.id}/`)).body.own, true)
  assert.equal(ok(await manager.ask('POST', `/approvals/${asked.id}/withdraw/`)).body.state, 'withdrawn')
  for (const end of [confirm, decline]) assert.equal(codeOf(await end(asked.id)), 'approval_over')
  assert.equal((await settings()).low_trust_limit, '0.00')
  const declined = ok(await manager.ask('POST', `${main}ask/`, { body: { low_trust_limit: '70.00' } })).body
  assert.notEqual(declined.id, asked.id)
  assert.equal(ok(await decline(declined.id)).body.state, 'declined')
  assert.equal((await settings()).low_trust_limit, '0.00')
  assert.equal((await members.stranger.ask('POST', `/approvals/${declined.id}/confirm/`)).status, 404)
})

test('what needs no owner, and what an owner could not do either, is not asked for', async () => {
  const refused = (answer: Answer) => `${answer.status} ${codeOf(answer)}`
  assert.equal(refused(await manager.ask('POST', `${main}ask/`, { body: { name: 'New' } })), '400 approval_not_needed')
  assert.equal(refused(await owner.ask('POST', `${main}ask/`, { body: { name: 'New' } })), '400 approval_not_needed')
  assert.equal(
    refused(await manager.ask('POST', `${main}ask/`, { body: { sender_name: 7, active: 'x' } })),
    '400 invalid',
  )
  const missing = { sender_name: '777', phone: demo.wallets.main }
  assert.equal(refused(await manager.ask('POST', `${main}ask/`, { body: missing })), '400 does_not_exist')
  const test_ = `/wallets/${demo.wallets.test}/ask/`
  assert.equal(refused(await manager.ask('POST', test_, { body: { sender_name: '777' } })), '400 test_wallet_fixed')
  const broken = await draft(manager.ask, jawali, '+967777000005')
  ok(await manager.ask('PATCH', `/templates/${broken}/`, { body: { samples: [] } }))
  assert.equal(refused(await manager.ask('POST', `/templates/${broken}/ask/`)), '400 template_not_green')
  const taken = { name: 'Twin', account_number: '771000001', provider: jawali, sender_name: '777' }
  assert.equal(refused(await manager.ask('POST', '/wallets/ask/', { body: taken })), '400 wallet_exists')
  assert.deepEqual(await openApprovals(), [])
})

test('a wallet that a manager asks for is created by the confirmation', async () => {
  const body = { name: 'Asked for', account_number: '770005555', provider: jawali, sender_name: '+967777000006' }
  const asked = ok(await manager.ask('POST', '/wallets/ask/', { body })).body
  assert.deepEqual([asked.kind, asked.object], ['wallet.create', { id: '', name: 'Asked for' }])
  assert.equal(asked.changes.find(({ field }: { field: string }) => field === 'provider').after, 'Jawali')
  const names = async () =>
    (await owner.ask('GET', '/wallets/?page_size=100')).body.results.map(({ name }: { name: string }) => name)
  assert.ok(!(await names()).includes('Asked for'))
  ok(await confirm(asked.id))
  assert.ok((await names()).includes('Asked for'))
  assert.equal(codeOf(await confirm(asked.id)), 'approval_over')
})

test('stale: the wallet or the draft changed meanwhile, or who asked may no longer ask', async () => {
  const ask = async (body: object = { low_trust_limit: '30.00' }, by: AskAs = manager.ask) =>
    ok(await by('POST', `${main}ask/`, { body })).body.id as string
  const first = await ask()
  ok(await owner.ask('PATCH', main, { body: { review_above: '9000.00' } }))
  const answer = await confirm(first)
  assert.equal(`${answer.status} ${codeOf(answer)}`, '400 approval_stale')
  assert.match(answer.body.errors[0].detail, /has changed since this was asked for/)
  assert.equal((await settings()).low_trust_limit, '0.00')
  assert.equal((await owner.ask('GET', `/approvals/${first}/`)).body.state, 'stale')
  assert.equal(codeOf(await confirm(first)), 'approval_over')
  ok(await owner.ask('PATCH', main, { body: { review_above: null } }))

  const template = await draft(manager.ask, jawali, '+967777000007')
  const publishing = ok(await manager.ask('POST', `/templates/${template}/ask/`)).body.id
  ok(await manager.ask('PATCH', `/templates/${template}/`, { body: { sender_names: ['+967777000008'] } }))
  assert.equal(codeOf(await confirm(publishing)), 'approval_stale')
  assert.equal((await owner.ask('GET', `/templates/${template}/`)).body.status, 'draft')
  const deleted = ok(await manager.ask('POST', `/templates/${template}/ask/`)).body.id
  ok(await manager.ask('DELETE', `/templates/${template}/`))
  assert.equal(codeOf(await confirm(deleted)), 'approval_stale')

  const leaving = await createMember(service, members.accountId, 'manager')
  const theirs = await ask({ low_trust_limit: '31.00' }, leaving.ask)
  ok(await owner.ask('PATCH', `/members/${leaving.userId}/`, { body: { role: 'cashier' } }))
  const refused = await confirm(theirs)
  assert.equal(codeOf(refused), 'approval_stale')
  assert.match(refused.body.errors[0].detail, /may no longer ask/)
  assert.equal((await settings()).low_trust_limit, '0.00')
})

test('of two owners at once, and of two touches, the change is made once', async () => {
  const asked = ok(await manager.ask('POST', `${main}ask/`, { body: { low_trust_limit: '40.00' } })).body.id
  const second = await createMember(service, members.accountId, 'owner')
  const answers = await Promise.all([confirm(asked), confirm(asked, second.ask), decline(asked), confirm(asked)])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers) if (answer.status !== 200) assert.equal(codeOf(answer), 'approval_over')
  ok(await owner.ask('PATCH', main, { body: { low_trust_limit: '0.00' } }))
})

test('an approval expires after seven days; open ones are bounded', async () => {
  const asked = ok(await members.manager.ask('POST', `${main}ask/`, { body: { low_trust_limit: '50.00' } })).body.id
  clock.advance(7 * day_ms)
  // Their sessions have ended as well.
  const [owner, manager] = [
    await createMember(service, members.accountId, 'owner'),
    await createMember(service, members.accountId, 'manager'),
  ]
  assert.equal((await owner.ask('GET', `/approvals/${asked}/`)).body.state, 'expired')
  const answer = await confirm(asked, owner.ask)
  assert.equal(codeOf(answer), 'approval_over')
  assert.match(answer.body.errors[0].detail, /has passed/)
  assert.deepEqual(await openApprovals(owner.ask), [])
  const all = await Promise.all(
    Array.from({ length: mostOpenApprovals + 3 }, (_, n) =>
      manager.ask('POST', `${main}ask/`, { body: { low_trust_limit: `${100 + n}.00` } }),
    ),
  )
  assert.equal(all.filter(({ status }) => status === 201).length, mostOpenApprovals)
  for (const refused of all) if (refused.status !== 201) assert.equal(codeOf(refused), 'approval_limit')
  for (const { id } of (await owner.ask('GET', '/approvals/?open=1&page_size=100')).body.results)
    ok(await decline(id, owner.ask))
})
