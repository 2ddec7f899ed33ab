/** The audit log: which roles may read which entries, filters, and that no entry can be changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordChange } from '../../src/accounts/audit/audit.ts'
import { errorsOf, openTestService } from '../support/story.ts'
import { createMember, createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
type Entry = Record<string, string> & { before: unknown; after: unknown }
const entries = async (query = '', member = members.owner): Promise<Entry[]> => {
  const answer = await member.ask('GET', `/audit/${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results
}

test('a change is in the log with user, action, before and after, and address', async () => {
  const renamed = await members.manager.ask('PATCH', '/account/', {
    body: { name: 'The corner shop' },
    headers: { 'user-agent': 'A browser of a story' },
  })
  assert.equal(renamed.status, 200, renamed.text)
  const [entry] = await entries()
  assert.equal(entry!.action, 'account.update')
  assert.equal(entry!.kind, 'account')
  assert.equal(entry!.object, members.accountId)
  assert.equal(entry!.user, members.manager.userId)
  assert.equal(entry!.actor, `A manager <${members.manager.email}>`)
  assert.equal(entry!.via, 'session')
  assert.equal(entry!.agent, 'A browser of a story')
  assert.equal(entry!.address, '127.0.0.1')
  assert.equal((entry!.after as Record<string, unknown>).name, 'The corner shop')
  assert.notEqual((entry!.before as Record<string, unknown>).name, 'The corner shop')
})

test('a change that changes nothing is not in the log', async () => {
  const before = await entries()
  assert.equal((await members.manager.ask('PATCH', '/account/', { body: { name: 'The corner shop' } })).status, 200)
  assert.deepEqual(await entries(), before)
})

const writeEntry = (
  action: string,
  kind: 'wallet' | 'key' | 'user' | 'session',
  id: string,
  userId = members.owner.userId,
) =>
  recordChange(
    service.db,
    { accountId: members.accountId, userId, actor: 'somebody', via: 'session', address: '', agent: '' },
    { action, kind, id },
    service.clock.now(),
  )

test('the log is listed newest first, and each entry is on exactly one page', async () => {
  for (let i = 0; i < 7; i++) {
    service.clock.advance(1)
    await writeEntry(`wallet.test_${i}`, i % 2 === 0 ? 'wallet' : 'key', 'w-1')
  }
  const seen: string[] = []
  let after = ''
  for (let pages = 0; ; pages++) {
    const answer = await members.owner.ask('GET', `/audit/?page_size=3${after}`)
    seen.push(...answer.body.results.map(({ id }: Entry) => id))
    if (answer.body.next === null) break
    after = `&after=${answer.body.next}`
    assert.ok(pages < 10)
  }
  assert.deepEqual(seen, [...seen].sort().reverse())
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(
    seen,
    (await entries('?page_size=200')).map(({ id }) => id),
  )
})

test('the log can be filtered by user, action, kind, object and time', async () => {
  service.clock.advance(60_000)
  const from = service.clock.now()
  await writeEntry('wallet.update', 'wallet', 'w-2', members.manager.userId)
  service.clock.advance(60_000)
  await writeEntry('wallet.update', 'wallet', 'w-3')
  const actions = async (query: string) => (await entries(query)).map(({ action, object }) => `${action} ${object}`)
  assert.deepEqual(await actions('?action=wallet.update'), ['wallet.update w-3', 'wallet.update w-2'])
  assert.deepEqual(await actions('?object=w-2'), ['wallet.update w-2'])
  assert.deepEqual(await actions(`?action=wallet.update&user=${members.manager.userId}`), ['wallet.update w-2'])
  assert.deepEqual(await actions(`?object=w-3&user=${members.manager.userId}`), [])
  assert.deepEqual(await actions(`?kind=wallet&from=${new Date(from + 1).toISOString()}`), ['wallet.update w-3'])
  const exactly = new Date(from).toISOString()
  assert.deepEqual(await actions(`?kind=wallet&from=${exactly}&until=${exactly}`), ['wallet.update w-2'])
  const keys = await actions(`?kind=key&user=${members.owner.userId}`)
  assert.ok(keys.length > 0 && keys.every((entry) => entry.startsWith('wallet.test_')))
  assert.deepEqual(await actions('?kind=provider'), [])
})

test('invalid filters are refused, all at once, and never with a 500', async () => {
  const refused = await members.owner.ask('GET', '/audit/?user=x&kind=spaceship&from=yesterday&until=1e9&after=%00')
  assert.equal(refused.status, 400)
  assert.deepEqual(errorsOf(refused), [
    'invalid@user',
    'invalid_choice@kind',
    'invalid@from',
    'invalid@until',
    'invalid@after',
  ])
  for (const query of ['?object=%00', '?action=%ED%A0%80', `?object=${'x'.repeat(129)}`])
    assert.ok([200, 400].includes((await members.owner.ask('GET', `/audit/${query}`)).status), query)
  for (const query of ['?page_size=0', '?page_size=999999999999999999999', '?page_size=x', '?from=9999-12-31'])
    assert.equal((await members.owner.ask('GET', `/audit/${query}`)).status, 200, query)
})

test('managers and viewers see no entries of members, keys and sessions; cashiers see no log', async () => {
  await writeEntry('key.create', 'key', 'k-1')
  await writeEntry('member.update', 'user', 'u-1')
  for (const member of [members.manager, members.viewer]) {
    const kinds = new Set((await entries('?page_size=200', member)).map(({ kind }) => kind))
    for (const hidden of ['key', 'user', 'member', 'session']) assert.ok(!kinds.has(hidden), hidden)
    assert.ok(kinds.has('wallet'))
    assert.deepEqual(await entries('?kind=key', member), [])
    assert.deepEqual(await entries('?action=key.create', member), [])
    assert.deepEqual(await entries('?object=k-1', member), [])
    assert.deepEqual(await entries(`?user=${members.owner.userId}&kind=key`, member), [])
  }
  assert.equal((await entries('?object=k-1')).length, 1)
  assert.equal((await members.cashier.ask('GET', '/audit/')).status, 403)
})

test('the log of another account is not reachable', async () => {
  const own = await entries('?page_size=200')
  const isOwn = ({ id }: Entry): boolean => own.some((entry) => entry.id === id)
  assert.ok(!(await entries('?page_size=200', members.stranger)).some(isOwn))
  for (const query of ['?object=w-2', `?user=${members.owner.userId}`, '?action=wallet.update', `?after=${own[0]!.id}`])
    assert.ok(!(await entries(query, members.stranger)).some(isOwn), query)
})

test('the database refuses to change or delete an entry of the log', async () => {
  const count = async () => (await service.sql('select count(*) from audit_log'))[0]![0]
  const before = await count()
  for (const change of [
    `update audit_log set actor = 'somebody else'`,
    'update audit_log set actor = actor where false',
    'delete from audit_log',
    'delete from audit_log where false',
    'truncate audit_log',
    'truncate accounts cascade',
  ])
    await assert.rejects(service.sql(change), /append-only/, change)
  assert.equal(await count(), before)
})

test('an entry that would contain a secret is refused', async () => {
  const actor = {
    accountId: members.accountId,
    userId: members.owner.userId,
    actor: 'x',
    via: 'session',
    address: '',
    agent: '',
  } as const
  for (const after of [{ client_secret: 'x' }, { token: 'x' }, { deep: [{ password: 'x' }] }])
    assert.throws(() =>
      recordChange(service.db, actor, { action: 'a', kind: 'key', id: 'k', after }, service.clock.now()),
    )
})

test('every filter of a long log uses an index', async () => {
  const busy = '00000000-0000-4000-8000-00000000b05e'
  await service.sql('insert into accounts (id, name, created_at) values ($1, $2, now())', [busy, 'A busy account'])
  await service.sql(
    `insert into audit_log (id, account_id, at, user_id, actor, via, action, kind, object_id)
     select (lpad(to_hex(1767000000000 + n), 12, '0') || '70008000000000000000')::uuid, $1, now(), null, 'x', 'session',
            'wallet.update', case when n % 10 = 0 then 'wallet' else 'user' end, 'w-' || n % 1000
       from generate_series(1, 60000) as n`,
    [busy],
  )
  await service.sql('analyze audit_log')
  const { auditOfAccount, auditOfAction, auditOfObject, auditOfUser } = await import(
    '../../src/accounts/audit/audit-log-sql.ts'
  )
  const commonValues = [
    busy,
    ['wallet', 'user'],
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    51,
  ]
  const queries = [
    [auditOfAccount.sql, commonValues],
    [auditOfObject.sql, [...commonValues, 'w-7', null, null]],
    [auditOfUser.sql, [...commonValues, members.owner.userId, null]],
    [auditOfAction.sql, [...commonValues, 'wallet.update']],
  ] as const
  for (const [sql, values] of queries) {
    const [[plan]] = (await service.sql(`explain (analyze, format json) ${sql}`, values as unknown[])) as [[string]]
    assert.ok(!plan.includes('Seq Scan'), plan)
    const read = [...plan.matchAll(/"Actual Rows": ([\d.]+)/g)].map(([, rows]) => Number(rows))
    assert.ok(Math.max(...read) <= 200, plan)
  }
})

test('signing out and switching the account are in the log; a name that stays the same is not', async () => {
  const member = await createMember(service, members.accountId, 'owner')
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'owner', now())`, [
    members.otherId,
    member.userId,
  ])
  const actionsOfMember = async () =>
    (await service.sql('select account_id, action from audit_log where user_id = $1 order by id', [member.userId])).map(
      ([account, action]) => `${action} ${account === members.accountId ? 'first' : 'second'}`,
    )
  const name = 'A owner'
  assert.equal((await member.ask('PATCH', '/me/', { body: { name } })).body.user.name, name)
  const act = (account: string) => member.ask('POST', '/session/account/', { body: { account } })
  assert.equal((await act(members.accountId)).status, 200)
  assert.deepEqual(await actionsOfMember(), [])
  assert.equal((await act(members.otherId)).status, 200)
  assert.equal((await member.ask('PATCH', '/me/', { body: { name: 'Renamed' } })).status, 200)
  assert.equal((await member.ask('DELETE', '/session/')).status, 204)
  assert.deepEqual(await actionsOfMember(), [
    'user.switch_account second',
    'user.update second',
    'user.sign_out second',
  ])
})

test("a change of a user's credentials is in the log of each of their accounts, a suspended one too", async (t) => {
  const member = await createMember(service, members.accountId, 'owner')
  await service.sql(`update accounts set status = 'SUSPENDED' where id = $1`, [members.otherId])
  t.after(() => service.sql(`update accounts set status = 'ACTIVE' where id = $1`, [members.otherId]))
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`, [
    members.otherId,
    member.userId,
  ])
  const body = { password: 'a password of a story', new_password: 'a better password of a story' }
  assert.equal((await member.ask('POST', '/me/password/', { body })).status, 204)
  const logged = await service.sql(
    `select account_id from audit_log where action = 'user.password_change' and user_id = $1`,
    [member.userId],
  )
  assert.deepEqual(logged.map(([account]) => account).sort(), [members.accountId, members.otherId].sort())
})
