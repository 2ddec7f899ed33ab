/** 0137: `GET /wallets/` is answered from a cache of the process: what is in the next answer after a change, on two nodes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createKey } from '../../src/accounts/keys/key-secrets.ts'
import type { AccountId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { afterFreeze, beginFreeze, completeFreeze, endFreeze } from '../../src/postgres/tenancy/freeze-account.ts'
import { offeredWallets } from '../../src/views/wallets/offered-wallets.ts'
import { commandsOf } from '../support/commands.ts'
import { askAt, okBody, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, db, demo, sql } = service
const { main, second, test: testing } = demo.wallets
const other = await service.startNode()
const { owner } = await createMembers(service)
const { sanad } = commandsOf(service)
const [[accountId, provider] = []] = (await sql('select account_id, provider_id from wallets where id = $1', [
  main,
])) as [AccountId, string][]

type Listed = { readonly id: string; readonly name: string }
const listAt = async (origin: string, token = service.token, query = ''): Promise<Listed[]> =>
  okBody(await askAt(`${origin}/api/v1/merchant/wallets/${query}`, 'GET', { token }))
const here = async () => (await listAt(service.origin)).map(({ id }) => id)
const there = async () => (await listAt(other.origin)).map(({ id }) => id)
const both = [main, second]

/** Both nodes have just read the wallets, and the clock stands still: what they answer later comes from the cache, unless a hint came. */
const fill = async (): Promise<void> => {
  clock.advance(2_000)
  assert.deepEqual(await here(), both)
  assert.deepEqual(await there(), both)
}

/** Hints take some milliseconds. */
const untilThere = async (expected: readonly string[]): Promise<void> => {
  for (let tries = 0; ; tries++) {
    const listed = await there()
    if (listed.length === expected.length && listed.every((id, i) => id === expected[i])) return
    assert.ok(tries < 2_000, `the other node still lists ${listed.join()}`)
    await delay(5)
  }
}

const patch = async (path: string, body: object) => okBody(await owner.ask('PATCH', path, { body }))

test('calls within 1.5 seconds ask the database once, and the text is the same', async () => {
  await fill()
  // A change of which no hint was sent: the row alone.
  await sql(`update wallets set name = 'Renamed' where id = $1`, [main])
  assert.equal((await listAt(service.origin))[0]!.name, 'Main wallet')
  clock.advance(1_500)
  assert.equal((await listAt(service.origin))[0]!.name, 'Renamed')
  await sql(`update wallets set name = 'Main wallet' where id = $1`, [main])
})

test('a wallet that was switched off is not in the next answer of the node that switched it off, and soon in none', async () => {
  await fill()
  await patch(`/wallets/${second}/`, { active: false })
  assert.deepEqual(await here(), [main])
  await untilThere([main])
  await patch(`/wallets/${second}/`, { active: true })
  assert.deepEqual(await here(), both)
  await untilThere(both)
})

test('twenty changes one after another: each is in the next answer, while other callers ask all the time', async () => {
  await fill()
  let isOver = false
  const others = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isOver) await here()
    }),
  )
  for (let i = 0; i < 10; i++)
    for (const active of [false, true]) {
      await patch(`/wallets/${second}/`, { active })
      assert.deepEqual(await here(), active ? both : [main])
      clock.advance(300)
    }
  isOver = true
  await others
})

test('a changed name, a phone that is switched off and on, a new wallet: all in the next answer', async () => {
  await fill()
  await patch(`/wallets/${main}/`, { name: 'Main, renamed' })
  assert.equal((await listAt(service.origin))[0]!.name, 'Main, renamed')
  await patch(`/wallets/${main}/`, { name: 'Main wallet' })
  await fill()
  await patch(`/phones/${demo.device.id}/`, { switched_on: false })
  assert.deepEqual(await here(), [])
  await untilThere([])
  await patch(`/phones/${demo.device.id}/`, { switched_on: true })
  assert.deepEqual(await here(), both)
  await untilThere(both)
  const body = {
    name: 'Zz new',
    account_number: '773111222',
    provider,
    phone: demo.device.id,
    sender_name: 'JawaliShop',
    active: true,
  }
  const created = okBody(await owner.ask('POST', '/wallets/', { body }))
  assert.deepEqual(await here(), [...both, created.id])
  await untilThere([...both, created.id])
  await patch(`/wallets/${created.id}/`, { active: false })
})

test('a phone that is paired switches itself on: its wallet is in the next answer', async () => {
  const { phone, pairing } = okBody(await owner.ask('POST', '/phones/', { body: { name: 'New phone' } }))
  await patch(`/wallets/${second}/`, { phone: phone.id })
  clock.advance(2_000)
  assert.deepEqual([await here(), await there()], [[main], [main]])
  const body = { code: pairing.code, agent: 'sanad-agent', version: '1.0', model: 'A1', android: '14' }
  okBody(await askAt(`${service.origin}/api/v1/device/pair`, 'POST', { body }))
  assert.deepEqual(await here(), both)
  await untilThere(both)
  await patch(`/wallets/${second}/`, { phone: demo.device.id })
})

test('a command of the operator reaches both nodes by its hint: a provider of all accounts, and its templates', async () => {
  await fill()
  const status = async () => (await askAt(`${other.origin}/api/v1/merchant/wallets/`, 'GET', service)).body[0].provider
  assert.equal((await sanad('provider', 'status', '--provider', provider!, '--status', 'MAINTENANCE')).code, 0)
  for (let tries = 0; (await status()).provider_status !== 'MAINTENANCE'; tries++) {
    assert.ok(tries < 2_000)
    await delay(5)
  }
  assert.equal((await sanad('provider', 'status', '--provider', provider!, '--status', 'ACTIVE')).code, 0)
})

test('no hint arrives: another node answers with what is at most 1.5 seconds old, and a busy one reads again after 0.6', async () => {
  await fill()
  await sql('update wallets set active = false where id = $1', [second])
  clock.advance(1_499)
  assert.deepEqual(await there(), both)
  clock.advance(1)
  assert.deepEqual(await there(), [main])
  await sql('update wallets set active = true where id = $1', [second])
  clock.advance(600)
  // The first call after 0.6 seconds is answered at once, and reads in the background.
  assert.deepEqual(await there(), [main])
  await untilThere(both)
})

test('an intent is refused on a wallet that another node still lists', async () => {
  await fill()
  await sql('update wallets set active = false, version = version + 1 where id = $1', [second])
  assert.deepEqual(await there(), both)
  const refused = await askAt(`${other.origin}/api/v1/merchant/intents/`, 'POST', {
    token: service.token,
    body: { wallet: second, amount: '10.00' },
  })
  assert.equal(refused.status, 400)
  await sql('update wallets set active = true, version = version + 1 where id = $1', [second])
})

test('hints of other nodes were lost: everything is read again', async () => {
  const offered = offeredWallets(db)
  const scope = wholeAccount(accountId!)
  const names = async () => (await offered.list(scope, clock.now())).map(({ name }) => name)
  const before = await names()
  await sql(`update wallets set name = 'Main, lost hint' where id = $1`, [main])
  assert.deepEqual(await names(), before)
  offered.follow(accountId!, { kind: 'intent' })
  offered.follow(demo.other.client_id as unknown as AccountId, { kind: 'wallet' })
  assert.deepEqual(await names(), before)
  offered.forgetAll()
  assert.ok((await names()).includes('Main, lost hint'))
  await sql(`update wallets set name = 'Main wallet' where id = $1`, [main])
  offered.follow(null, { kind: 'provider' })
  assert.deepEqual(await names(), before)
})

test('a key of some wallets, the testing wallet and another account get their own from the cache', async () => {
  await fill()
  const { clientId, clientSecret } = await createKey(db, accountId!, 'Second shop', clock.now())
  await sql('update api_keys set wallets = array[$2::uuid] where client_id = $1', [clientId, second])
  const limited = await service.tokenFor(clientId, clientSecret)
  const theirs = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(
      (await listAt(service.origin, limited)).map(({ id }) => id),
      [second],
    )
    assert.deepEqual(
      (await listAt(service.origin, limited, '?include_test=1')).map(({ id }) => id),
      [second],
    )
    assert.deepEqual(
      (await listAt(service.origin, service.token, '?include_test=1')).map(({ id }) => id),
      [...both, testing],
    )
    assert.ok((await listAt(service.origin, theirs)).every(({ id }) => !both.some((own) => own === id)))
    assert.deepEqual(await here(), both)
  }
})

test('a frozen account is not answered from the cache, and after the thaw with what is true then', async () => {
  await fill()
  await db.transaction((tx) => beginFreeze(tx, accountId!, clock.now()))
  const options = { underWay: async () => 0, now: clock.now, most_ms: 60_000, say: () => {} }
  assert.equal(await completeFreeze(db, accountId!, options), 'frozen')
  const statusAt = async (origin: string) =>
    (await askAt(`${origin}/api/v1/merchant/wallets/`, 'GET', { token: service.token, undescribed: true })).status
  /** The nodes read the frozen accounts every second. */
  const until = async (status: number) => {
    for (const origin of [service.origin, other.origin])
      for (let tries = 0; (await statusAt(origin)) !== status; tries++) {
        assert.ok(tries < 2_000)
        await delay(5)
      }
  }
  await until(503)
  await db.transaction((tx) => endFreeze(tx, accountId!))
  assert.equal(await afterFreeze(db), true)
  await sql('update wallets set active = false where id = $1', [second])
  clock.advance(1_500)
  await until(200)
  assert.deepEqual([await here(), await there()], [[main], [main]])
  await sql('update wallets set active = true where id = $1', [second])
})
