/**
 * 0095: notices of security reach the devices of owners, and of the member whom they are about, whatever they chose and in quiet hours
 * too; the payload is a count. A member who must have a second factor by now, and has none, gets nothing.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pushStory } from './push-story.ts'

const story = await pushStory()
const { clock, node, sql, subscribe, walkIn } = story

const groupsOf = (messages: readonly { groups: readonly { kind: string; count: number }[] }[]) =>
  messages.map(({ groups }) => groups.map(({ kind, count }) => `${kind} ${count}`))
const makeKey = async (name: string): Promise<void> => {
  const made = await story.owner.ask('POST', '/keys/', { body: { name } })
  assert.equal(made.status, 201, made.text)
}
/** Quiet hours that hold for the next hours. */
const beQuiet = async (member: { ask: typeof story.owner.ask }, kinds: readonly string[]): Promise<void> => {
  const hour = (later: number): string =>
    `${String((new Date(clock.now() + later * 3_600_000).getUTCHours() + 3) % 24).padStart(2, '0')}:00`
  const set = await member.ask('PATCH', '/notifications/', {
    body: { kinds, quiet_from: hour(0), quiet_until: hour(5) },
  })
  assert.equal(set.status, 200, set.text)
}

test('a key is made: the devices of owners hear of it in quiet hours and whatever they chose; others do not', async () => {
  const [owner, cashier] = [await story.newMember('owner'), await story.newMember('cashier')]
  await beQuiet(owner, ['money'])
  const [device, other] = [await subscribe(owner), await subscribe(cashier)]
  await walkIn('500.00')
  await node.run()
  assert.deepEqual(device.messages(), [], 'money waits for the end of the quiet hours')
  await makeKey('Secret name of a key')
  await node.run()
  assert.deepEqual(groupsOf(device.messages()), [['notice 1']])
  const [message] = device.messages()
  assert.ok(!JSON.stringify(message).includes('Secret name'))
  for (const group of message!.groups) assert.deepEqual(Object.keys(group).sort(), ['count', 'kind', 'sums'])
  await node.run()
  assert.equal(device.messages().length, 1, 'once')
  clock.advance(6 * 3_600_000)
  await node.run()
  assert.deepEqual(groupsOf(device.messages()).slice(1), [['money 1']], 'and the money comes at their end')
  assert.ok(groupsOf(other.messages()).every((groups) => groups.every((group) => !group.startsWith('notice'))))
})

test('a message that fails when the quiet hours begin does not hold a notice back, and is told at their end', async () => {
  const owner = await story.newMember('owner')
  assert.equal((await owner.ask('PATCH', '/notifications/', { body: { kinds: ['money'] } })).status, 200)
  const device = await subscribe(owner)
  story.push.answers.set(device.path, (response) => void response.writeHead(503).end())
  await walkIn('500.00')
  await node.run()
  assert.equal(device.requests().length, 1)
  await beQuiet(owner, ['money'])
  clock.advance(60_000)
  await node.run()
  assert.equal(device.requests().length, 1, 'money is not tried again in the quiet hours')
  story.push.answers.delete(device.path)
  await makeKey('A key in the night')
  await node.run()
  assert.deepEqual(groupsOf(device.messages()).slice(1), [['notice 1']])
  await walkIn('250.00')
  await node.run()
  clock.advance(6 * 3_600_000)
  await node.run()
  assert.deepEqual(groupsOf(device.messages()).slice(2), [['money 2']], 'the money that failed, and what came later')
})

test('a member hears of what concerns their own membership, and owners not twice', async () => {
  const member = await story.newMember('cashier')
  await member.ask('PATCH', '/notifications/', { body: { kinds: [] } })
  const device = await subscribe(member)
  const changed = await story.owner.ask('PATCH', `/members/${member.userId}/`, { body: { role: 'viewer' } })
  assert.equal(changed.status, 200, changed.text)
  await node.run()
  assert.deepEqual(groupsOf(device.messages()), [['notice 1']])
})

test('two nodes that look at once tell a notice once', async () => {
  const owner = await story.newMember('owner')
  await owner.ask('PATCH', '/notifications/', { body: { kinds: [] } })
  const device = await subscribe(owner)
  await makeKey('Another key')
  const other = story.newNode()
  await Promise.all([node.collect(), other.collect()])
  clock.advance(3_000)
  await Promise.all([node.send(), other.send()])
  assert.deepEqual(groupsOf(device.messages()), [['notice 1']])
})

test('past the days of the required second factor nothing is sent; with one, what comes then is', async () => {
  const owner = await story.newMember('owner')
  const device = await subscribe(owner)
  await sql(`update accounts set factor_rule_since = $2, factor_grace_days = 1 where id = $1`, [
    story.accountId,
    new Date(clock.now()),
  ])
  await walkIn('600.00')
  await makeKey('Within the days')
  await node.run()
  assert.equal(device.messages().length, 1, 'within the days')
  clock.advance(24 * 3_600_000)
  await walkIn('700.00')
  await sql(
    `insert into owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at)
     select account_id, id, kind, object_kind, object_id, by_whom, facts, $2 from (
       select account_id, gen_random_uuid() as id, kind, object_kind, object_id, by_whom, facts from owner_notices
        where account_id = $1 limit 1) as one`,
    [story.accountId, new Date(clock.now())],
  )
  await node.run()
  assert.equal(device.messages().length, 1)
  await sql(`update users set totp_since = $2, totp_sealed = '\\x00' where id = $1`, [
    owner.userId,
    new Date(clock.now()),
  ])
  await walkIn('800.00')
  await node.run()
  const texts = JSON.stringify(device.messages().slice(1))
  assert.equal(device.messages().length, 2)
  assert.ok(texts.includes('800.00') && !texts.includes('700.00') && !texts.includes('1500.00'), texts)
  await sql('update accounts set factor_rule_since = null where id = $1', [story.accountId])
})
