/**
 * 0087: a change of a member's wallets holds at once on every node, for browsers, tokens of scripts and open streams. The clock does
 * not move in this file: nothing becomes true because a cache grew old.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { MemberRole } from '../../src/accounts/people/permission.ts'
import { queueStory } from '../support/queue-story.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { openStream, type StreamClient } from '../support/stream-client.ts'
import { askWith, createMember, dashboardAt, lastingToken, type TestMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, sql } = service
const { main, second, test: testWallet } = demo.wallets
const story = await queueStory(service)
const { owner, accountId } = story
const elsewhere = await service.startNode()

const give = async (member: TestMember, body: { role?: MemberRole; wallets?: readonly string[] | null }) => {
  const answer = await owner.ask('PATCH', `/members/${member.userId}/`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const limited = async (role: MemberRole, wallets: readonly string[]): Promise<TestMember> => {
  const member = await createMember(service, accountId, role)
  await give(member, { wallets })
  return member
}
const newIntent = async (wallet: string): Promise<string> => {
  const answer = await owner.ask('POST', '/intents/', { body: { wallet, amount: '150.00' } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const newMoney = async (simSlot: 'SIM1' | 'SIM2'): Promise<string> => {
  const reference = story.newReference()
  await story.record([story.report(purchaseText('12.00', reference), { simSlot })])
  return (await sql('select id from alerts where reference = $1', [reference]))[0]![0] as string
}
const walletsSeen = (answer: Answer): string[] => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results.map(({ id }: { id: string }) => id).toSorted()
}
/** Asks again until the answer fits: a message between nodes takes some milliseconds, and no clock helps it. */
const until = async (ask: () => Promise<Answer>, fits: (answer: Answer) => boolean): Promise<Answer> => {
  for (let tries = 0; tries < 2_000; tries++) {
    const answer = await ask()
    if (fits(answer)) return answer
    await new Promise((later) => setTimeout(later, 5))
  }
  throw new Error('the change never held')
}

const streams: StreamClient[] = []
service.atEnd(async () => {
  for (const stream of streams) stream.hangUp()
})
const listen = async (member: TestMember, origin: string, last?: string): Promise<StreamClient> => {
  const headers = {
    cookie: `sanad_session=${member.session.token}`,
    ...(last === undefined ? {} : { 'last-event-id': last }),
  }
  const stream = await openStream(origin, headers)
  assert.equal(stream.status, 200)
  streams.push(stream)
  return stream
}

test('wallets that are given or taken away hold at once on every node, for a browser and for a token of a script', async () => {
  for (const role of ['manager', 'cashier', 'viewer'] as const) {
    const member = await createMember(service, accountId, role)
    const token = await lastingToken(service, member, 3_600)
    const callers = [service, elsewhere].flatMap(({ origin }) => [
      (path: string) => askWith({ origin }, member.session.token)('GET', path),
      (path: string) => askAt(dashboardAt(origin, path), 'GET', { token }),
      // As a page that names the account it shows.
      (path: string) =>
        askWith({ origin }, member.session.token)('GET', path, { headers: { 'x-sanad-account': accountId } }),
    ])
    const intent = await newIntent(second)
    for (const ask of callers) assert.equal((await ask(`/intents/${intent}/`)).status, 200)
    await give(member, { wallets: [main] })
    // This node answered the change: here it holds with the answer.
    for (const ask of callers.slice(0, 3)) assert.deepEqual(walletsSeen(await ask('/wallets/')), [main])
    for (const ask of callers) {
      await until(
        () => ask(`/intents/${intent}/`),
        ({ status }) => status === 404,
      )
      assert.deepEqual(walletsSeen(await ask('/wallets/')), [main])
      const shown = await ask('/session/')
      assert.deepEqual(
        shown.body.wallets.map(({ id }: { id: string }) => id),
        [main],
      )
    }
    await give(member, { wallets: [main, second] })
    for (const ask of callers)
      await until(
        () => ask(`/intents/${intent}/`),
        ({ status }) => status === 200,
      )
  }
})

test('an empty list of wallets sees nothing, and no list sees all', async () => {
  const member = await limited('manager', [])
  const intent = await newIntent(main)
  const alert = await newMoney('SIM1')
  assert.deepEqual(walletsSeen(await member.ask('GET', '/wallets/')), [])
  assert.equal((await member.ask('GET', `/intents/${intent}/`)).status, 404)
  assert.equal((await member.ask('GET', `/alerts/${alert}/`)).status, 404)
  assert.equal((await member.ask('GET', '/intents/')).body.count, 0)
  for (const path of ['/counter/roll/', '/unmatched/', '/alerts/', '/checkouts/', '/payment-links/'])
    assert.deepEqual((await member.ask('GET', path)).body.results, [], path)
  assert.deepEqual((await member.ask('GET', '/overview/')).body.wallets, [])
  const made = await member.ask('POST', '/intents/', { body: { wallet: main, amount: '5.00' } })
  assert.deepEqual(errorsOf(made), ['does_not_exist@wallet'])
  await give(member, { wallets: null })
  assert.equal((await member.ask('GET', `/intents/${intent}/`)).status, 200)
})

test('an accepted invitation with wallets gives these wallets, also when its link was made again', async () => {
  const [headers, email] = [{ origin: service.origin }, `limited-${randomUUID()}@sanad.example`]
  const invited = await owner.ask('POST', '/invitations/', { body: { email, role: 'cashier', wallets: [second] } })
  assert.equal(invited.status, 201, invited.text)
  assert.deepEqual(invited.body.wallets, [second])
  const again = await owner.ask('POST', `/invitations/${invited.body.id}/resend/`)
  assert.deepEqual(again.body.wallets, [second], again.text)
  const body = {
    token: again.body.link.split('#')[1],
    name: 'Cashier of a branch',
    new_password: 'a password of a branch',
  }
  const joined = await askAt(dashboardAt(service.origin, '/invitation/accept/'), 'POST', { body, headers })
  assert.equal(joined.status, 200, joined.text)
  assert.deepEqual(
    joined.body.wallets.map(({ id }: { id: string }) => id),
    [second],
  )
  const session = /sanad_session=([^;]+)/.exec(String(joined.headers['set-cookie']))![1]!
  for (const { origin } of [service, elsewhere])
    assert.deepEqual(walletsSeen(await askWith({ origin }, session)('GET', '/wallets/')), [second])
})

test('an invitation with wallets of another account, or of an owner, is refused and sends nothing', async () => {
  const before = await sql('select count(*) from user_links')
  const invite = (body: object) =>
    owner.ask('POST', '/invitations/', { body: { email: 'nobody@sanad.example', ...body } })
  assert.deepEqual(errorsOf(await invite({ role: 'cashier', wallets: [demo.other.wallet] })), [
    'does_not_exist@wallets',
  ])
  assert.equal((await invite({ role: 'owner', wallets: [main] })).status, 400)
  assert.deepEqual(await sql('select count(*) from user_links'), before)
})

test('who becomes an owner loses the limit; who is no longer one sees all wallets until somebody limits them again', async () => {
  const member = await limited('manager', [main])
  assert.equal((await give(member, { role: 'owner' })).wallets, null)
  assert.equal(
    walletsSeen(await member.ask('GET', '/wallets/')).length,
    walletsSeen(await owner.ask('GET', '/wallets/')).length,
  )
  assert.equal((await give(member, { role: 'manager' })).wallets, null)
  assert.ok(walletsSeen(await member.ask('GET', '/wallets/')).includes(second))
  assert.deepEqual(await sql('select wallet_id from member_wallets where user_id = $1', [member.userId]), [])
  const audited = await sql(
    `select action from audit_log where object_id = $1 and action in ('member.role', 'member.wallets') order by id`,
    [member.userId],
  )
  assert.deepEqual(audited.flat(), ['member.wallets', 'member.role', 'member.wallets', 'member.role'])
  const refused = await owner.ask('PATCH', `/members/${member.userId}/`, { body: { role: 'owner', wallets: [main] } })
  assert.deepEqual(errorsOf(refused), ['owner_sees_all@wallets'])
  assert.equal((await member.ask('GET', '/session/')).body.account.role, 'manager')
})

test('an open stream of a limited member gets hints of its wallets only, on every node, also those it missed', async () => {
  for (const role of ['manager', 'cashier', 'viewer'] as const) {
    const member = await limited(role, [main])
    const heard = [await listen(member, service.origin), await listen(member, elsewhere.origin)]
    const hidden = [await newIntent(second), await newMoney('SIM2')]
    const last = await newIntent(main)
    for (const stream of heard) {
      await stream.untilHint('intent', last)
      for (const id of hidden) assert.ok(!JSON.stringify(stream.events).includes(id))
      assert.ok(!JSON.stringify(stream.events).includes(second))
    }
    const from = heard[0]!.lastId()
    heard[0]!.hangUp()
    const missed = [await newIntent(second), await newIntent(main)]
    const back = await listen(member, service.origin, from)
    await back.untilHint('intent', missed[1]!)
    assert.ok(!JSON.stringify(back.events).includes(missed[0]!))
  }
})

test('when the wallets change, an open stream on every node is told to load again and follows the new wallets', async () => {
  const member = await limited('cashier', [main])
  const heard = [await listen(member, service.origin), await listen(member, elsewhere.origin)]
  await give(member, { wallets: [second] })
  for (const stream of heard) await stream.until((events) => events.some(({ event }) => event === 'reset'))
  const hidden = await newIntent(main)
  const shown = await newIntent(second)
  for (const stream of heard) {
    await stream.untilHint('intent', shown)
    assert.ok(!JSON.stringify(stream.events).includes(hidden))
    stream.events.length = 0
  }
  // A page that was made before the change, and opens its stream after it.
  const [late] = [await listen(member, service.origin)]
  const from = late!.lastId()
  late!.hangUp()
  await give(member, { wallets: [main, second] })
  const back = await listen(member, service.origin, from)
  await back.until((events) => events.some(({ event }) => event === 'reset'))
  for (const stream of heard) await stream.until((events) => events.some(({ event }) => event === 'reset'))
  for (const stream of heard) stream.events.length = 0
  // None: the stream stays open and says nothing of money.
  await give(member, { wallets: [] })
  for (const stream of heard) await stream.until((events) => events.some(({ event }) => event === 'reset'))
  const ids = [await newIntent(main), await newIntent(second), await newIntent(testWallet)]
  await give(member, { wallets: null })
  for (const stream of heard)
    await stream.until((events) => events.filter(({ event }) => event === 'reset').length >= 2)
  const last = await newIntent(main)
  for (const stream of heard) {
    await stream.untilHint('intent', last)
    for (const id of ids) assert.ok(!JSON.stringify(stream.events).includes(id))
  }
})
