/**
 * 0095: what waits of a member who was removed, disabled, given another role or fewer wallets ends in the same change, and can be
 * confirmed by nobody, whichever comes first; confirms at once, on two nodes, do the act once.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disableUser } from '../../../src/accounts/members/disable-user.ts'
import { joinTransaction } from '../../../src/postgres/query/joined.ts'
import { assertMoneyInvariants } from '../../support/money-invariants.ts'
import { queueStory } from '../../support/queue-story.ts'
import { type Answer, ok, openTestService } from '../../support/story.ts'
import { askWith, createMember, type TestMember } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const other = await service.startNode()
const { clock, create, sql, db, demo } = service
const story = await queueStory(service, { limits: true })
const { owner, money, newReference, accountId } = story
const secondOwner = await createMember(service, accountId, 'owner')
clock.advance(2 * 24 * 3_600_000)

const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`
/** A cashier asks to book less than an order asks for. */
const request = async (asker: TestMember) => {
  const intent: string = ok(await create({ amount: '1500.00' })).body.id
  const alert = await money('1400.00', newReference())
  const body = { intent, alert_amount: '1400.00', intent_amount: '1500.00' }
  const id: string = ok(await asker.ask('POST', `/unmatched/${alert}/book/ask/`, { body })).body.id
  return { intent, alert, id }
}
const confirm = (id: string, by = owner) => by.ask('POST', `/requests/${id}/confirm/`)
/** The same call at the other node. */
const confirmThere = (id: string, by: TestMember) =>
  askWith(other, by.session.token)('POST', `/requests/${id}/confirm/`)
const stateOf = async (id: string): Promise<string> =>
  (await sql('select state from limit_requests where id = $1', [id]))[0]![0]!
const paid = async (intent: string) => ({
  status: (await sql('select status from intents where id = $1', [intent]))[0]![0]!,
  events: (await sql('select count(*) from events where intent_id = $1', [intent]))[0]![0]!,
})

const lossOf = {
  removed: async (member: TestMember) => void ok(await owner.ask('DELETE', `/members/${member.userId}/`)),
  'made a viewer': async (member: TestMember) =>
    void ok(await owner.ask('PATCH', `/members/${member.userId}/`, { body: { role: 'viewer' } })),
  'given another wallet only': async (member: TestMember) =>
    void ok(await owner.ask('PATCH', `/members/${member.userId}/`, { body: { wallets: [demo.wallets.second] } })),
  disabled: async (member: TestMember) => {
    const done = await db.transaction((tx) => disableUser(joinTransaction(tx), () => {}, member.email, clock.now()))
    assert.deepEqual(done, { changed: true })
  },
} as const

for (const [name, lose] of Object.entries(lossOf)) {
  test(`who asked was ${name}: what waits ends at once, and nobody can confirm it`, async () => {
    const asker = await createMember(service, accountId, 'cashier')
    const { id, intent } = await request(asker)
    await lose(asker)
    assert.equal(await stateOf(id), 'over')
    assert.equal(codeOf(await confirm(id)), '400 request_over')
    assert.deepEqual(await paid(intent), { status: 'PENDING', events: '0' })
    const [entry] = await sql(
      `select action, after->>'reason' from audit_log where object_id = $1 order by id desc limit 1`,
      [id],
    )
    assert.deepEqual(entry, ['request.over', 'asker'])
  })

  test(`who asked is ${name} while it is confirmed on another node: done before, or not at all`, async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 4; round++) {
      const asker = await createMember(service, accountId, 'cashier')
      const { id, intent } = await request(asker)
      const [answer] = await Promise.all([confirmThere(id, secondOwner), lose(asker)])
      const after = await paid(intent)
      seen.add(after.status)
      assert.deepEqual(
        [answer.status, await stateOf(id), after.events],
        after.status === 'VERIFIED' ? [200, 'confirmed', '1'] : [400, 'over', '0'],
      )
    }
    assert.ok(seen.size >= 1)
  })
}

test('the rights of who asked are read again when it is confirmed, also if the change did not end the request', async () => {
  for (const change of [
    `update members set limited = true where user_id = $1`,
    `update users set disabled_at = now() where id = $1`,
  ]) {
    const asker = await createMember(service, accountId, 'cashier')
    const { id, intent } = await request(asker)
    await sql(change, [asker.userId])
    assert.equal(codeOf(await confirm(id)), '400 request_impossible')
    assert.equal(await stateOf(id), 'over')
    assert.deepEqual(await paid(intent), { status: 'PENDING', events: '0' })
  }
})

test('the wallets of who confirms are read again too: this node may know of those from a second ago', async () => {
  const { id, intent } = await request(await createMember(service, accountId, 'cashier'))
  const manager = await createMember(service, accountId, 'manager')
  assert.equal((await manager.ask('GET', `/requests/${id}/`)).status, 200)
  await sql('update members set limited = true where user_id = $1', [manager.userId])
  assert.equal(codeOf(await manager.ask('POST', `/requests/${id}/confirm/`)), '403 permission_denied')
  assert.equal(await stateOf(id), 'open')
  assert.deepEqual(await paid(intent), { status: 'PENDING', events: '0' })
})

test('who asked keeps the wallet: their request stays and can be confirmed', async () => {
  const asker = await createMember(service, accountId, 'cashier')
  const { id, intent } = await request(asker)
  ok(await owner.ask('PATCH', `/members/${asker.userId}/`, { body: { wallets: [demo.wallets.main] } }))
  ok(await confirm(id))
  assert.deepEqual(await paid(intent), { status: 'VERIFIED', events: '1' })
})

test('two owners confirm at once on two nodes: the act is done once', async () => {
  const asker = await createMember(service, accountId, 'cashier')
  for (let round = 0; round < 5; round++) {
    const { id, intent } = await request(asker)
    const answers = await Promise.all([
      confirm(id),
      confirmThere(id, secondOwner),
      confirm(id, secondOwner),
      confirmThere(id, owner),
    ])
    assert.deepEqual(answers.map(codeOf).sort(), ['200 ', '400 request_over', '400 request_over', '400 request_over'])
    assert.deepEqual(await paid(intent), { status: 'VERIFIED', events: '1' })
  }
  await assertMoneyInvariants(sql)
})
