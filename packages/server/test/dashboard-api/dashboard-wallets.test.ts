/** Wallets in the dashboard over HTTP, and the effect of each change on the merchant API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '../../src/wallets/entries/create-account.ts'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const { demo, clock } = service
const { owner, manager } = members
const [jawali] = (await service.sql('select provider_id from wallets where id = $1', [demo.wallets.main]))[0]!

let numbers = 772_000_000
const createWallet = (body: Record<string, unknown> = {}): Promise<Answer> =>
  owner.ask('POST', '/wallets/', {
    body: { name: 'Branch', account_number: String(++numbers), provider: jawali, ...body },
  })
const patch = (id: string, body: unknown): Promise<Answer> => owner.ask('PATCH', `/wallets/${id}/`, { body })
const codesOf = (answer: Answer): string[] => answer.body.notes.map(({ code }: { code: string }) => code)
const audited = async (id: string): Promise<string[]> =>
  (await service.sql(`select action from audit_log where kind = 'wallet' and object_id = $1 order by id`, [id])).map(
    ([action]) => action!,
  )

test('the list has every wallet with its phone, its limits, and why it is not offered', async () => {
  const answer = await owner.ask('GET', '/wallets/')
  assert.equal(answer.status, 200, answer.text)
  const walletOf = (id: string) => answer.body.results.find((wallet: { id: string }) => wallet.id === id)
  const [main, off, bare, closed, testing] = [
    walletOf(demo.wallets.main),
    walletOf(demo.wallets.off),
    walletOf(demo.wallets.unmonitored),
    walletOf(demo.wallets.inactive),
    walletOf(demo.wallets.test),
  ]
  const codes = (wallet: { notes: { code: string }[] }) => wallet.notes.map(({ code }) => code)
  assert.equal(main.phone.name, 'Shop phone')
  assert.deepEqual([main.monitored, main.offered, main.low_trust_limit, main.review_above], [true, true, '0.00', null])
  assert.deepEqual(codes(main), ['phone_silent'])
  assert.deepEqual([codes(off), off.offered], [['phone_off', 'phone_silent'], false])
  assert.deepEqual([codes(bare), bare.offered], [['no_sender', 'no_phone'], false])
  assert.equal(codes(closed)[0], 'inactive')
  assert.deepEqual([testing.is_test, testing.offered], [true, true])
  assert.match(off.notes[0].detail, /Old phone is switched OFF/)
})

test('only roles that may change wallets see the limits of review: cashiers and viewers do not', async () => {
  const created = await createWallet({ review_above: '43210.00', low_trust_limit: '87.65', review_broken_chains: true })
  const { id } = created.body
  await patch(id, { review_above: '43210.99' })
  const limits = (wallet: Record<string, unknown>) => [
    wallet.review_above,
    wallet.low_trust_limit,
    wallet.review_broken_chains,
  ]
  const inList = async (member: typeof owner) =>
    (await member.ask('GET', '/wallets/?page_size=100')).body.results.find((wallet: { id: string }) => wallet.id === id)
  // Two alerts that are in review because of a limit.
  const limited = async (reason: string) =>
    (
      await service.sql(
        `insert into alerts (id, account_id, device_id, wallet_id, identity, kind, sender, raw_text, adapter, trusted, direction,
                             amount, currency, reference, reference_key, state, reason, received_at, client_id,
                             normaliser_version, fingerprint)
         select gen_random_uuid(), w.account_id, $2, w.id, w.identity, 'sms', 'Jawali', 'some text', 'text', false, 'credit',
                9999999, 'YER', $3::text, $3::text, 'review', $3::text, now(), $3::text, 1, sha256(convert_to($3::text, 'UTF8'))
           from wallets w where w.id = $1
         returning id`,
        [id, demo.device.id, reason],
      )
    )[0]![0]
  const alerts = [await limited('above_limit'), await limited('low_trust')]

  const readAll = async (member: typeof owner): Promise<string> => {
    const paths = ['/wallets/?page_size=100', `/wallets/${id}/`, '/unmatched/?page_size=100', '/alerts/?page_size=100']
    paths.push(
      '/search/?q=limit',
      '/search/?q=99999.99',
      ...alerts.map((alert) => `/unmatched/${alert}/`),
      `/audit/?object=${id}`,
    )
    const answers = await Promise.all(paths.map((path) => member.ask('GET', path)))
    for (const [i, { status, text }] of answers.entries())
      assert.ok(status === 200 || (status === 403 && member === members.cashier), `${paths[i]} ${text}`)
    return answers.map(({ text }) => text).join()
  }
  for (const member of [owner, manager]) {
    assert.deepEqual(limits(await inList(member)), ['43210.99', '87.65', true])
    const text = await readAll(member)
    assert.ok(text.includes('"limit":"43210.99"') && text.includes('"limit":"87.65"') && text.includes('"43210.00"'))
  }
  for (const member of [members.cashier, members.viewer]) {
    assert.deepEqual(limits(await inList(member)), [null, null, null])
    assert.deepEqual(limits((await member.ask('GET', `/wallets/${id}/`)).body), [null, null, null])
    assert.doesNotMatch(await readAll(member), /43210|87\.65/)
  }
})

test('each page of the list continues where the previous page ended', async () => {
  const names: string[] = []
  let after = ''
  do {
    const { body } = await owner.ask('GET', `/wallets/?page_size=2&after=${after}`)
    assert.ok(body.results.length <= 2)
    names.push(...body.results.map(({ name }: { name: string }) => name))
    after = body.next ?? ''
  } while (after !== '')
  assert.deepEqual(names, names.toSorted())
  assert.equal(names.length, 7)
  for (const bad of ['x', 'W10', Buffer.from('["a","b"]').toString('base64url')])
    assert.deepEqual(errorsOf(await owner.ask('GET', `/wallets/?after=${bad}`)), ['invalid@after'])
})

test('a wallet is set up, bound to a phone and offered at once; each step is in the audit log', async () => {
  const created = await createWallet({ name: 'ONE', sender_name: 'ONE Cash' })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual([created.body.offered, codesOf(created)], [false, ['no_phone']])
  const { id } = created.body
  const body = { wallet: id, amount: '10' }
  assert.deepEqual(errorsOf(await service.ask('POST', '/intents/', { body })), ['wallet_not_monitored@wallet'])

  const bound = await patch(id, { phone: demo.device.id, review_above: '50000', review_broken_chains: true })
  assert.equal(bound.status, 200, bound.text)
  assert.deepEqual([bound.body.offered, bound.body.review_above], [true, '50000.00'])
  assert.equal((await service.ask('POST', '/intents/', { body })).status, 201)

  const closed = await patch(id, { active: false })
  assert.equal(closed.body.offered, false)
  assert.deepEqual(errorsOf(await service.ask('POST', '/intents/', { body })), ['does_not_exist@wallet'])
  assert.equal((await patch(id, { phone: null, review_above: null })).body.phone, null)
  // A change without effect is not logged.
  assert.equal((await patch(id, { phone: null })).status, 200)
  assert.deepEqual(await audited(id), ['wallet.create', 'wallet.update', 'wallet.update', 'wallet.update'])
})

test('a renamed wallet has its new name in the answers of every node', async () => {
  const second = await service.startNode()
  const { body: intent } = await service.create()
  const before = (await service.sql('select version from wallets where id = $1', [demo.wallets.main]))[0]![0]
  assert.equal((await patch(demo.wallets.main, { name: 'Main till' })).body.name, 'Main till')
  const after = (await service.sql('select version from wallets where id = $1', [demo.wallets.main]))[0]![0]
  assert.equal(Number(after), Number(before) + 1)
  clock.advance(2_000)
  const { askAt } = await import('../support/story.ts')
  const seen = await askAt(`${second.origin}/api/v1/merchant/intents/${intent.id}/`, 'GET', { token: service.token })
  assert.equal(seen.body.wallet.name, 'Main till')
  await patch(demo.wallets.main, { name: 'Main wallet' })
})

test('a wallet is refused if its phone could not tell its alerts from those of another wallet, which the error names', async () => {
  const bound = { sender_name: 'Jaib', phone: demo.device.id }
  const first = await createWallet({ name: 'Jaib 1', ...bound, sim_slot: 'SIM1' })
  assert.equal(first.status, 201, first.text)
  for (const sim_slot of ['', 'SIM1']) {
    const refused = await createWallet({ name: 'Jaib 2', ...bound, sim_slot })
    assert.deepEqual(errorsOf(refused), ['sender_collision@sim_slot'])
    assert.match(refused.body.errors[0].detail, /Jaib 1/)
  }
  const second = await createWallet({ name: 'Jaib 2', ...bound, sim_slot: 'SIM2' })
  assert.equal(second.status, 201)
  assert.deepEqual(errorsOf(await patch(second.body.id, { sim_slot: '' })), ['sender_collision@sim_slot'])
  assert.deepEqual(errorsOf(await patch(second.body.id, { sim_slot: 'SIM1' })), ['sender_collision@sim_slot'])
  // A closed wallet blocks no other wallet; opening it again is refused if it would.
  assert.equal((await patch(second.body.id, { active: false, sim_slot: 'SIM1' })).status, 200)
  assert.deepEqual(errorsOf(await patch(second.body.id, { active: true })), ['sender_collision@sim_slot'])
  assert.deepEqual(errorsOf(await patch(demo.wallets.inactive, { active: true })), ['sender_collision@sim_slot'])
})

test('of many simultaneous requests for a wallet with the same phone, sender and SIM slot, only one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      createWallet({ name: `Race ${n}`, sender_name: 'Floosak', sim_slot: 'SIM1', phone: demo.device.id }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 400).length, 7)
})

test('a phone of another account, an unknown provider and the test provider are refused', async () => {
  const [[theirs]] = (await service.sql('select device_id from wallets where id = $1', [demo.other.wallet])) as [
    [string],
  ]
  assert.deepEqual(errorsOf(await createWallet({ phone: theirs })), ['does_not_exist@phone'])
  assert.deepEqual(errorsOf(await createWallet({ provider: demo.wallets.main })), ['does_not_exist@provider'])
  const [[tests]] = (await service.sql('select provider_id from wallets where id = $1', [demo.wallets.test])) as [
    [string],
  ]
  assert.deepEqual(errorsOf(await createWallet({ provider: tests })), ['provider_for_tests@provider'])
  assert.deepEqual(errorsOf(await patch(demo.wallets.main, { provider: tests })), ['provider_for_tests@provider'])
})

test('the test wallet cannot be closed or changed into another; it needs no phone', async () => {
  const { test: id } = demo.wallets
  for (const body of [{ active: false }, { provider: jawali }, { sender_name: 'Jawali' }, { sender_name: '' }])
    assert.deepEqual(errorsOf(await patch(id, body)), ['test_wallet_fixed@non_field_errors'])
  const unbound = await patch(id, { phone: null, name: 'Sandbox' })
  assert.deepEqual([unbound.status, unbound.body.offered, unbound.body.notes], [200, true, []])
  const intent = await service.ask('POST', '/intents/', { body: { wallet: id, amount: '5' } })
  assert.equal(intent.status, 201)
  assert.equal((await manager.ask('DELETE', `/wallets/${id}/`)).status, 405)
})

test('every account has a test wallet from the start', async () => {
  const account = await createAccount(service.db, 'A new shop', null, clock.now())
  const rows = await service.sql('select is_test, active, sender_name from wallets where account_id = $1', [account])
  assert.deepEqual(rows, [['t', 't', 'SanadTest']])
  const { body } = await members.stranger.ask('GET', '/wallets/')
  assert.equal(body.results.filter(({ is_test }: { is_test: boolean }) => is_test).length, 1)
})

test('an invalid change is refused with an error for each invalid field, and is not in the audit log', async () => {
  const before = await service.sql('select count(*) from audit_log')
  assert.deepEqual(errorsOf(await manager.ask('POST', '/wallets/', { body: {} })), [
    'required@name',
    'required@account_number',
    'required@provider',
  ])
  assert.deepEqual(
    errorsOf(await createWallet({ name: ' ', sim_slot: 'SIM3', review_above: '-1', active: 'perhaps' })),
    ['blank@name', 'invalid_choice@sim_slot', 'invalid@active', 'min_value@review_above'],
  )
  assert.deepEqual(errorsOf(await createWallet({ low_trust_limit: null })), ['null@low_trust_limit'])
  for (const body of ['[', '[]', '"x"', 'null', '{"name":"\\u0000"}', `{"name":"${'x'.repeat(200_000)}"}`])
    assert.equal(
      (await manager.ask('PATCH', `/wallets/${demo.wallets.main}/`, { body })).status,
      400,
      body.slice(0, 20),
    )
  assert.deepEqual(await service.sql('select count(*) from audit_log'), before)
})
