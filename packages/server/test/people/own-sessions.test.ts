/** The sessions of a user: listed, ended one by one, ended all but this one; and a bounded number of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSession } from '../../src/accounts/sessions/sign-in.ts'
import { openTestService } from '../support/story.ts'
import { askWith, createMember, createMembers } from '../support/users.ts'

const service = await openTestService()
const all = await createMembers(service)
const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

const another = async (person: Awaited<ReturnType<typeof createMember>>, agent = chrome, address = '203.0.113.7') => {
  const who = { userId: person.userId, accountId: person.accountId, validFrom: 0 }
  const session = await openSession(service.db, who, { address, agent }, service.clock.now())
  assert.ok(!('refused' in session))
  return { ...session, ask: askWith(service, session.token) }
}

test('a user sees their sessions, with a readable browser name, and which one is this', async () => {
  const person = await createMember(service, all.accountId, 'cashier')
  service.clock.advance(1_000)
  const phone = await another(person)
  const { body } = await phone.ask('GET', '/sessions/')
  assert.equal(body.length, 2)
  const mine = body.find((one: { current: boolean }) => one.current)
  assert.equal(mine.id, phone.id)
  assert.deepEqual([mine.browser, mine.system, mine.account], ['Chrome', 'Android', all.accountId])
  assert.equal(body.filter((one: { current: boolean }) => one.current).length, 1)
  assert.ok(!JSON.stringify(body).includes(phone.token))
})

test('an ended session is refused within two seconds; it is in the audit log', async () => {
  const person = await createMember(service, all.accountId, 'cashier')
  const lost = await another(person)
  assert.equal((await lost.ask('GET', '/session/')).status, 200)
  assert.equal((await person.ask('DELETE', `/sessions/${lost.id}/`)).status, 204)
  assert.equal((await person.ask('DELETE', `/sessions/${lost.id}/`)).status, 404)
  service.clock.advance(2_000)
  assert.equal((await lost.ask('GET', '/session/')).status, 401)
  assert.equal((await person.ask('GET', '/session/')).status, 200)
  const noted = await service.sql(`select action from audit_log where object_id = $1`, [lost.id])
  assert.deepEqual(noted, [['session.end']])
})

test('ending the current session signs out', async () => {
  const person = await createMember(service, all.accountId, 'cashier')
  const answer = await person.ask('DELETE', `/sessions/${person.session.id}/`)
  assert.equal(answer.status, 204)
  assert.match(String(answer.headers['set-cookie']), /sanad_session=;/)
  assert.equal((await person.ask('GET', '/session/')).status, 401)
})

test('all others are ended at once, and those of other users are not', async () => {
  const person = await createMember(service, all.accountId, 'manager')
  const others = [await another(person), await another(person, 'curl/8')]
  assert.deepEqual((await person.ask('POST', '/sessions/end_others/')).body, { ended: 2 })
  assert.deepEqual((await person.ask('POST', '/sessions/end_others/')).body, { ended: 0 })
  service.clock.advance(2_000)
  for (const one of others) assert.equal((await one.ask('GET', '/session/')).status, 401)
  assert.equal((await person.ask('GET', '/sessions/')).body.length, 1)
  assert.equal((await all.owner.ask('GET', '/session/')).status, 200)
})

test('a fifty-first session ends the one that was unused for longest', async () => {
  const person = await createMember(service, all.accountId, 'viewer')
  for (let i = 0; i < 50; i++) {
    service.clock.advance(10)
    await another(person)
  }
  service.clock.advance(2_000)
  assert.equal((await person.ask('GET', '/session/')).status, 401)
  const newest = await another(person)
  assert.equal((await newest.ask('GET', '/sessions/')).body.length, 50)
})

test('a changed name is in the audit log with before and after', async () => {
  const person = await createMember(service, all.accountId, 'cashier')
  const answer = await person.ask('PATCH', '/me/', { body: { name: '  أمل صالح ' } })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.user.name, 'أمل صالح')
  for (const name of ['', ' ', null, {}, 'x'.repeat(201), 'a\0b', '\ud800'])
    assert.equal((await person.ask('PATCH', '/me/', { body: { name } })).status, 400, String(name))
  const [row] = await service.sql(
    `select before::text, after::text from audit_log where action = 'user.update' and object_id = $1`,
    [person.userId],
  )
  assert.deepEqual(row, ['{"name":"A cashier"}', '{"name":"أمل صالح"}'])
})
