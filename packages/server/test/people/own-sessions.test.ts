/** The sessions and tokens of a user: listed, ended one by one, ended all but the current one, and bounded in number. */
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endOldestSessions } from '../../src/accounts/sessions/session-sql.ts'
import { openSession } from '../../src/accounts/sessions/sign-in.ts'
import { openTokens } from '../../src/accounts/sessions/token.ts'
import { askAt, openTestService } from '../support/story.ts'
import { askWith, createMember, createMembers, dashboardAt, type TestMember } from '../support/users.ts'

const service = await openTestService({
  SANAD_LIMITS: '{"sign_in": {"burst": 1000, "sustained": 1000}, "sign_in_address": {"burst": 1000}}',
})
const members = await createMembers(service)
const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

const newSession = async (
  member: Awaited<ReturnType<typeof createMember>>,
  agent = chrome,
  address = '203.0.113.7',
) => {
  const signedIn = { userId: member.userId, accountId: member.accountId, validFrom: 0 }
  const session = await openSession(service.db, signedIn, { address, agent }, service.clock.now())
  assert.ok(!('refused' in session))
  return { ...session, ask: askWith(service, session.token) }
}

test('a user sees their sessions, each with a readable browser name, and which one is the current one', async () => {
  const member = await createMember(service, members.accountId, 'cashier')
  service.clock.advance(1_000)
  const phone = await newSession(member)
  const { body } = await phone.ask('GET', '/sessions/')
  assert.equal(body.length, 2)
  const current = body.find((session: { current: boolean }) => session.current)
  assert.equal(current.id, phone.id)
  assert.deepEqual([current.browser, current.system, current.account], ['Chrome', 'Android', members.accountId])
  assert.equal(body.filter((session: { current: boolean }) => session.current).length, 1)
  assert.ok(!JSON.stringify(body).includes(phone.token))
})

test('an ended session is refused within two seconds, and its end is in the audit log', async () => {
  const member = await createMember(service, members.accountId, 'cashier')
  const lost = await newSession(member)
  assert.equal((await lost.ask('GET', '/session/')).status, 200)
  assert.equal((await member.ask('DELETE', `/sessions/${lost.id}/`)).status, 204)
  assert.equal((await member.ask('DELETE', `/sessions/${lost.id}/`)).status, 404)
  service.clock.advance(2_000)
  assert.equal((await lost.ask('GET', '/session/')).status, 401)
  assert.equal((await member.ask('GET', '/session/')).status, 200)
  const logged = await service.sql(`select action from audit_log where object_id = $1`, [lost.id])
  assert.deepEqual(logged, [['session.end']])
})

test('ending the current session signs out', async () => {
  const member = await createMember(service, members.accountId, 'cashier')
  const answer = await member.ask('DELETE', `/sessions/${member.session.id}/`)
  assert.equal(answer.status, 204)
  assert.match(String(answer.headers['set-cookie']), /sanad_session=;/)
  assert.equal((await member.ask('GET', '/session/')).status, 401)
})

test('all other sessions of a user are ended at once; those of other users are not', async () => {
  const member = await createMember(service, members.accountId, 'manager')
  const others = [await newSession(member), await newSession(member, 'curl/8')]
  assert.deepEqual((await member.ask('POST', '/sessions/end_others/')).body, { ended: 2 })
  assert.deepEqual((await member.ask('POST', '/sessions/end_others/')).body, { ended: 0 })
  service.clock.advance(2_000)
  for (const session of others) assert.equal((await session.ask('GET', '/session/')).status, 401)
  assert.equal((await member.ask('GET', '/sessions/')).body.length, 1)
  assert.equal((await members.owner.ask('GET', '/session/')).status, 200)
})

test('a fifty-first session ends the session that was unused for the longest time', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  for (let i = 0; i < 50; i++) {
    service.clock.advance(10)
    await newSession(member)
  }
  service.clock.advance(2_000)
  assert.equal((await member.ask('GET', '/session/')).status, 401)
  const newest = await newSession(member)
  assert.equal((await newest.ask('GET', '/sessions/')).body.length, 50)
})

const password = 'a password of a story'

/** A token, as a script gets it. */
const tokenOf = async (member: TestMember) => {
  const answer = await askAt(dashboardAt(service.origin, '/token/'), 'POST', {
    body: { email: member.email, password },
    headers: { 'user-agent': 'nightly-report/1' },
  })
  assert.equal(answer.status, 200, answer.text)
  const token: string = answer.body.access_token
  const ask = (method: string, path: string, origin = service.origin) =>
    askAt(dashboardAt(origin, path), method, { token })
  const statusAt = async (origin: string) => (await ask('GET', '/session/', origin)).status
  return { token, ask, statusAt, status: () => statusAt(service.origin) }
}

type Listed = { id: string; kind: string; agent: string; current: boolean }
const listed = async (member: TestMember): Promise<Listed[]> => (await member.ask('GET', '/sessions/')).body

test('a token is listed beside the browsers, and ended alone: within two seconds no node accepts it', async () => {
  const member = await createMember(service, members.accountId, 'manager')
  const node = await service.startNode()
  const token = await tokenOf(member)
  const other = await tokenOf(member)
  const rows = await listed(member)
  assert.deepEqual(rows.map(({ kind, agent, current }) => [kind, agent, current]).sort(), [
    ['browser', '', true],
    ['token', 'nightly-report/1', false],
    ['token', 'nightly-report/1', false],
  ])
  assert.ok(!JSON.stringify(rows).includes(token.token))
  const own = (await token.ask('GET', '/sessions/')).body.find(({ current }: Listed) => current)
  assert.equal(own.kind, 'token')

  assert.deepEqual([await token.status(), await token.statusAt(node.origin)], [200, 200])
  assert.equal((await member.ask('DELETE', `/sessions/${own.id}/`)).status, 204)
  service.clock.advance(1_500)
  assert.deepEqual([await token.status(), await token.statusAt(node.origin)], [401, 401])
  assert.deepEqual([await other.status(), (await member.ask('GET', '/session/')).status], [200, 200])
  assert.equal((await listed(member)).length, 2)
  assert.deepEqual(await service.sql('select action from audit_log where object_id = $1', [own.id]), [['session.end']])
})

test('"all others" ends tokens too; the token that makes the call stays valid, and the browsers are signed out', async () => {
  const member = await createMember(service, members.accountId, 'manager')
  const [a, b] = [await tokenOf(member), await tokenOf(member)]
  const browser = await newSession(member)
  assert.deepEqual((await a.ask('POST', '/sessions/end_others/')).body, { ended: 3 })
  service.clock.advance(1_500)
  assert.deepEqual([await a.status(), await b.status()], [200, 401])
  assert.equal((await browser.ask('GET', '/session/')).status, 401)
  const again = await newSession(member)
  assert.deepEqual((await again.ask('POST', '/sessions/end_others/')).body, { ended: 1 })
  service.clock.advance(1_500)
  assert.equal(await a.status(), 401)
})

test('a script signs out with its token: the token is invalid at once', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  const token = await tokenOf(member)
  assert.equal((await token.ask('DELETE', '/session/')).status, 204)
  assert.equal(await token.status(), 401)
  assert.equal((await member.ask('GET', '/session/')).status, 200)
})

test('a stream that was opened with a token ends when the token is ended', async () => {
  const member = await createMember(service, members.accountId, 'manager')
  const { token } = await tokenOf(member)
  const ended = new Promise<number>((done, fail) => {
    get(dashboardAt(service.origin, '/stream/'), { headers: { authorization: `Bearer ${token}` } }, async (answer) => {
      assert.equal(answer.statusCode, 200)
      answer.resume()
      const began = performance.now()
      answer.on('end', () => done(performance.now() - began))
      await member.ask('POST', '/sessions/end_others/')
    }).on('error', fail)
  })
  assert.ok((await ended) < 2_500)
})

test('a user has at most fifty tokens and fifty browser sessions; neither kind ends the other', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  const first = await tokenOf(member)
  for (let i = 0; i < 50; i++) {
    service.clock.advance(10)
    await newSession(member)
  }
  service.clock.advance(1_500)
  assert.equal(await first.status(), 200)
  const browser = await newSession(member)
  for (let i = 0; i < 50; i++) {
    service.clock.advance(10)
    await tokenOf(member)
  }
  service.clock.advance(1_500)
  assert.equal(await first.status(), 401)
  const rows: Listed[] = (await browser.ask('GET', '/sessions/')).body
  assert.deepEqual(
    ['browser', 'token'].map((kind) => rows.filter((row) => row.kind === kind).length),
    [50, 50],
  )
})

test('a token is valid for its whole life, whether it is used or not', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  const token = await tokenOf(member)
  const life_ms = service.config.tokenTtl_s * 1000
  service.clock.advance(8 * 86_400_000)
  assert.equal(await token.status(), 200)
  service.clock.advance(life_ms - 8 * 86_400_000 - 2_000)
  assert.equal(await token.status(), 200)
  service.clock.advance(3_000)
  assert.equal(await token.status(), 401)
})

test('a token from before tokens had sessions is valid until it expires; the id of a session is no credential', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  const { userId: sub, accountId: acc } = member
  const tokens = openTokens(service.masterKey)
  const now = service.clock.now()
  const statusOf = async (token: string) =>
    (await askAt(dashboardAt(service.origin, '/session/'), 'GET', { token })).status
  const old = await tokens.issue({ typ: 'user', sub, acc }, 60, now)
  assert.equal(await statusOf(old), 200)
  await member.ask('POST', '/sessions/end_others/')
  service.clock.advance(2_000)
  assert.equal(await statusOf(old), 200)
  service.clock.advance(60_000)
  assert.equal(await statusOf(old), 401)

  const own = await tokenOf(member)
  const { id } = (await own.ask('GET', '/sessions/')).body.find(({ current }: Listed) => current)
  assert.equal((await askWith(service, id)('GET', '/session/')).status, 401)
  // A token with the session of a browser or of another user is refused.
  const browserId = member.session.id
  for (const [user, sessionId] of [
    [sub, browserId],
    [members.owner.userId, id],
  ] as const)
    assert.equal(
      await statusOf(await tokens.issue({ typ: 'user', sub: user, acc, sessionId }, 60, service.clock.now())),
      401,
    )
})

test('a user changes their name, and the audit log has the old and the new name', async () => {
  const member = await createMember(service, members.accountId, 'cashier')
  const answer = await member.ask('PATCH', '/me/', { body: { name: '  أمل صالح ' } })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.user.name, 'أمل صالح')
  for (const name of ['', ' ', null, {}, 'x'.repeat(201), 'a\0b', '\ud800', 'a\nb', 'a\u2028b', 'http://bad.example'])
    assert.equal((await member.ask('PATCH', '/me/', { body: { name } })).status, 400, String(name))
  const [row] = await service.sql(
    `select before::text, after::text from audit_log where action = 'user.update' and object_id = $1`,
    [member.userId],
  )
  assert.deepEqual(row, ['{"name":"A cashier"}', '{"name":"أمل صالح"}'])
})

test('sign-ins of one user at once end old sessions in one order, so that none is undone by a deadlock', async () => {
  const member = await createMember(service, members.accountId, 'cashier')
  const opened: string[] = []
  for (let n = 0; n < 4; n++) opened.push((await newSession(member)).id)
  const [first, ...others] = opened.sort()
  // The session with the lowest id was seen least lately: by the time they were seen it would be locked last.
  await service.sql(`update sessions set last_seen_at = last_seen_at - interval '1 hour' where id = $1`, [first])
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const lock = (id: string) => ({ text: 'select 1 from sessions where id = $1 for update nowait', values: [id] })
  const holder = service.db.transaction(async (tx) => {
    await tx.run(lock(first!))
    await mayEnd
  })
  const ending = service.db.transaction((tx) => endOldestSessions(tx, member.userId, 'browser', 0, service.clock.now()))
  const isWaiting = async () =>
    (
      await service.sql(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%offset $3%'`,
      )
    ).length > 0
  while (!(await isWaiting())) await delay(5)
  // It waits for the first one and holds none of the others.
  for (const id of others) await service.db.transaction((tx) => tx.run(lock(id)))
  end()
  await Promise.all([holder, ending])
})
