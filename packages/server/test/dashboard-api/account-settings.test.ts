/** The settings of an account: its name, its time zone, and the use of its quota. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { setQuota } from '../../src/intents/totals/set-quota.ts'
import { errorsOf, openTestService } from '../support/story.ts'
import { createMember, createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const show = async () => (await members.viewer.ask('GET', '/account/')).body

test('every member sees the settings, owners and managers change them', async () => {
  const before = await show()
  assert.equal(before.id, members.accountId)
  assert.equal(before.time_zone, 'Asia/Aden')
  assert.equal(before.own_time_zone, false)
  const changed = await members.owner.ask('PATCH', '/account/', {
    body: { name: ' متجر الركن ', time_zone: 'Africa/Cairo' },
  })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body, { ...before, name: 'متجر الركن', time_zone: 'Africa/Cairo', own_time_zone: true })
  assert.deepEqual(await show(), changed.body)
  const session = (await members.owner.ask('GET', '/session/')).body
  assert.equal(session.account.time_zone, 'Africa/Cairo')
  assert.equal(session.service_time_zone, 'Asia/Aden')
  const back = await members.manager.ask('PATCH', '/account/', { body: { time_zone: '' } })
  assert.equal(back.body.own_time_zone, false)
  assert.equal(back.body.name, 'متجر الركن')
  for (const member of [members.cashier, members.viewer])
    assert.equal((await member.ask('PATCH', '/account/', { body: { name: 'x' } })).status, 403)
})

test('invalid settings are refused, and nothing changes', async () => {
  const before = await show()
  const cases: readonly (readonly [unknown, string[]])[] = [
    [{ name: '' }, ['blank@name']],
    [{ name: null }, ['null@name']],
    [{ name: 'x'.repeat(201) }, ['max_length@name']],
    [{ name: 'a\0b' }, ['null_characters_not_allowed@name']],
    [{ name: 'a\nb' }, ['invalid@name']],
    [{ name: 'a\r\nBcc: b@shop.example' }, ['invalid@name']],
    [{ name: 'a\u2028b' }, ['invalid@name']],
    [{ name: 'https://bad.example' }, ['invalid@name']],
    [{ name: 'Sign in at bad.example/login' }, ['invalid@name']],
    [{ name: 'www.bad.example' }, ['invalid@name']],
    [{ name: [], time_zone: 'Mars/Olympus' }, ['invalid@name', 'invalid@time_zone']],
    [{ time_zone: '+03:00' }, ['invalid@time_zone']],
    [{ time_zone: '../../etc/passwd' }, ['invalid@time_zone']],
    [{ time_zone: 'A'.repeat(65) }, ['max_length@time_zone']],
    [[], ['invalid@non_field_errors']],
  ]
  for (const [body, errors] of cases) {
    const answer = await members.owner.ask('PATCH', '/account/', { body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.deepEqual(errorsOf(answer), errors)
  }
  assert.deepEqual(await show(), before)
})

test('a time without an offset in a filter of the audit log is in the zone of the account', async () => {
  await members.owner.ask('PATCH', '/account/', { body: { time_zone: 'America/New_York' } })
  service.clock.advance(2_000)
  const at = service.clock.now()
  await members.owner.ask('PATCH', '/account/', { body: { name: 'متجر الزاوية' } })
  service.clock.advance(2_000)
  const local = (time: number): string => zoneOf('America/New_York').format(new Date(time)).slice(0, 19)
  const found = async (query: string): Promise<number> =>
    (await members.owner.ask('GET', `/audit/?action=account.update&${query}`)).body.results.length
  assert.equal(await found(`from=${local(at - 1_000)}&until=${local(at + 1_000)}`), 1)
  assert.equal(await found(`from=${local(at + 1_000)}`), 0)
  await members.owner.ask('PATCH', '/account/', { body: { time_zone: '' } })
})

test('the use of this month is counted with and without a quota, and the test wallet is free', async () => {
  assert.deepEqual((await show()).quota, { monthly: null, used: 0, month_from: '2026-01-01T00:00:00.000000+03:00' })
  for (let i = 0; i < 3; i++) assert.equal((await service.create()).status, 201)
  assert.equal((await service.create({ wallet: service.demo.wallets.test })).status, 201)
  assert.equal((await show()).quota.used, 3)
  await service.db.transaction((tx) =>
    setQuota(tx, wholeAccount(members.accountId), 5, zoneOf('Asia/Aden'), service.clock.now()),
  )
  const { monthly, used } = (await show()).quota
  assert.deepEqual([monthly, used], [5, 3])
  service.clock.advance(2_000)
  assert.equal((await service.create()).status, 201)
  assert.equal((await show()).quota.used, 4)
  service.clock.set(Date.parse('2026-02-01T00:00:00+03:00'))
  const { body } = await (await createMember(service, members.accountId, 'viewer')).ask('GET', '/account/')
  assert.deepEqual(body.quota, { monthly: 5, used: 0, month_from: '2026-02-01T00:00:00.000000+03:00' })
})
