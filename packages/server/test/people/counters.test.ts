/**
 * Counters: an owner makes a browser the shop's till, and cashiers with a name and a PIN take turns on it. The tests use two nodes and
 * move the clock; guesses come from many counters at once. What a counter may call is walked over all operations of the contract.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import type { Operation } from '@sanad/contract/operation'
import { sealPins } from '../../src/accounts/counters/seal-pins.ts'
import { type PinId, pinSealer } from '../../src/accounts/counters/sealed-pin.ts'
import { type Action, mayDo } from '../../src/accounts/people/permission.ts'
import { type Answer, type Ask, askAt, openTestService } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'
import {
  type AskAs,
  createMember,
  createMembers,
  dashboardAt,
  storyPassword,
  type TestMember,
} from '../support/users.ts'

const service = await openTestService({
  SANAD_LIMITS: '{"dashboard": {"burst": 10000, "sustained": 100000}, "sign_in": {"burst": 50, "sustained": 500}}',
})
const second = await service.startNode()
const members = await createMembers(service)
const minutes = (count: number): void => service.clock.advance(count * 60_000)
const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`.trim()
const pins = ['482915', '730164', '905273', '261840', '618305', '574026', '839170'] as const
const wrongPin = '195037'

const cookieOf = (answer: Answer, name: string): string | undefined => {
  const sent = [answer.headers['set-cookie'] ?? []].flat().findLast((line) => line.startsWith(`${name}=`))
  return sent?.split(';')[0]?.slice(name.length + 1)
}

/** A browser that is a counter: its calls, at either node. */
const counterAt = (token: string) => {
  const ask =
    (origin: string): AskAs =>
    (method, path, options: Ask = {}) =>
      askAt(dashboardAt(origin, path), method, {
        token: null,
        ...options,
        headers: { cookie: `sanad_counter=${token}`, origin, ...options.headers },
      })
  const [first, other] = [ask(service.origin), ask(second.origin)]
  return {
    token,
    ask: first,
    askOther: other,
    pin: (cashier: string, pin: string, at = first) => at('POST', '/counters/here/pin/', { body: { cashier, pin } }),
    here: async () => (await first('GET', '/counters/here/')).body,
  }
}
type Counter = ReturnType<typeof counterAt>

/** An owner of the account, in a browser of their own, which becomes the counter. */
const openCounter = async (name = 'Front till', accountId = members.accountId, idle_minutes = 60) => {
  const owner = await createMember(service, accountId, 'owner')
  const opened = await owner.ask('POST', '/counters/', { body: { name, idle_minutes } })
  assert.equal(opened.status, 201, opened.text)
  return { ...counterAt(cookieOf(opened, 'sanad_counter')!), id: opened.body.id as string, owner, opened }
}

let names = 0
const addCashier = async (pin: string, owner: TestMember = members.owner): Promise<{ id: string; name: string }> => {
  const name = `Cashier ${++names}`
  const added = await owner.ask('POST', '/cashiers/', { body: { name, pin } })
  assert.equal(added.status, 201, added.text)
  return { id: added.body.id, name }
}

const whoAt = async (counter: Counter): Promise<string> => {
  const me = await counter.ask('GET', '/session/')
  return me.status === 200 ? me.body.user.name : codeOf(me)
}

test('an owner makes a browser a counter: the session of the owner ends, and only a proof of the person opens it', async () => {
  const owner = await createMember(service, members.accountId, 'owner')
  minutes(11)
  const unproved = await owner.askUnproved('POST', '/counters/', { body: { name: 'Front till' } })
  assert.equal(codeOf(unproved), '403 confirmation_required')
  const opened = await owner.ask('POST', '/counters/', { body: { name: 'Front till' } })
  assert.equal(opened.status, 201, opened.text)
  assert.equal(opened.body.idle_minutes, 10)
  const setCookies = [opened.headers['set-cookie']].flat().join('\n')
  assert.match(setCookies, /sanad_counter=[\w-]{43};[^\n]*HttpOnly[^\n]*SameSite=Lax/)
  assert.match(setCookies, /sanad_session=;/)
  assert.equal((await owner.ask('GET', '/session/')).status, 401)
  const counter = counterAt(cookieOf(opened, 'sanad_counter')!)
  assert.equal(await whoAt(counter), '401 counter_locked')
  assert.doesNotMatch(JSON.stringify(await service.sql('select * from counters')), new RegExp(counter.token))
})

test('managers, cashiers and viewers cannot make a counter or add a cashier, and a token cannot become one', async () => {
  for (const role of ['manager', 'cashier', 'viewer'] as const) {
    assert.equal(
      codeOf(await members[role].ask('POST', '/counters/', { body: { name: 'Till' } })),
      '403 permission_denied',
    )
    const body = { name: 'Amal', pin: pins[0] }
    assert.equal(codeOf(await members[role].ask('POST', '/cashiers/', { body })), '403 permission_denied')
  }
  const token = await askAt(dashboardAt(service.origin, '/token/'), 'POST', {
    token: null,
    body: { email: members.owner.email, password: storyPassword },
  })
  const opened = await askAt(dashboardAt(service.origin, '/counters/'), 'POST', {
    token: token.body.access_token,
    body: { name: 'Till' },
  })
  assert.equal(codeOf(opened), '400 counter_browser_only')
})

test('cashiers take turns with their PINs, typed in either digits, and everything carries their name', async () => {
  const counter = await openCounter()
  const [amal, basim] = [await addCashier(pins[0]), await addCashier(pins[1])]
  const arabic = pins[0].replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!)
  const signedIn = await counter.pin(amal.id, arabic)
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.equal(signedIn.body.user.name, amal.name)
  assert.equal(signedIn.body.account.role, 'cashier')
  assert.deepEqual(signedIn.body.counter, { name: 'Front till', idle_minutes: 60 })
  const shift = await counter.ask('POST', '/shifts/', { body: {} })
  assert.equal(shift.status, 201, shift.text)
  // Switched at the other node: the first node knows it with the next call.
  assert.equal((await counter.pin(basim.id, pins[1], counter.askOther)).status, 200)
  assert.equal(await whoAt(counter), basim.name)
  const created = await counter.ask('POST', '/intents/', {
    body: { wallet: service.demo.wallets.main, amount: '1500.00' },
  })
  assert.equal(created.status, 201, created.text)
  const [entry] = await service.sql(
    `select actor, via, user_id from audit_log where action = 'intent.create' order by id desc limit 1`,
  )
  assert.deepEqual(entry, [basim.name, 'counter', basim.id])
  const shown = await members.owner.ask('GET', `/intents/${created.body.id}/`)
  assert.match(JSON.stringify(shown.body.timeline), new RegExp(`"kind":"person","name":"${basim.name}"`))
  assert.doesNotMatch(shown.text, /<>/)
  // The shift of the cashier before goes on.
  const shifts = await members.owner.ask('GET', '/shifts/')
  const own = shifts.body.results.find(({ id }: { id: string }) => id === shift.body.id)
  assert.equal(own.ended_at, null)
  assert.match(JSON.stringify(own), new RegExp(amal.name))
})

test('a page that shows another cashier than the one at the counter changes nothing', async () => {
  const counter = await openCounter()
  const [amal, basim] = [await addCashier(pins[0]), await addCashier(pins[1])]
  await counter.pin(amal.id, pins[0])
  await counter.pin(basim.id, pins[1])
  const body = { wallet: service.demo.wallets.main, amount: '1500.00' }
  const stale = await counter.ask('POST', '/intents/', { body, headers: { 'x-sanad-cashier': amal.id } })
  assert.equal(codeOf(stale), '403 cashier_changed')
  const right = await counter.ask('POST', '/intents/', { body, headers: { 'x-sanad-cashier': basim.id } })
  assert.equal(right.status, 201, right.text)
})

test('a locked counter shows the names of its own account and nothing else', async () => {
  const counter = await openCounter()
  const other = await openCounter('Their till', members.otherId)
  const cashier = await addCashier(pins[0])
  const here = await counter.here()
  assert.equal(here.cashier, null)
  assert.ok(here.cashiers.some(({ id }: { id: string }) => id === cashier.id))
  assert.deepEqual(Object.keys(here).sort(), [
    'account',
    'cashier',
    'cashiers',
    'name',
    'paused_until',
    'service_time_zone',
  ])
  assert.deepEqual((await other.here()).cashiers, [])
  // A PIN works at no counter of another account.
  assert.equal(codeOf(await other.pin(cashier.id, pins[0])), '400 pin_wrong')
})

test('a PIN works nowhere but at a counter', async () => {
  const cashier = await addCashier(pins[0])
  const at = (path: string, body: unknown) =>
    askAt(dashboardAt(service.origin, path), 'POST', { token: null, body, headers: { origin: service.origin } })
  assert.equal(codeOf(await at('/counters/here/pin/', { cashier: cashier.id, pin: pins[0] })), '401 not_authenticated')
  for (const email of [cashier.id, cashier.name, 'null', ' '])
    for (const path of ['/session/', '/token/'])
      assert.match(codeOf(await at(path, { email, password: pins[0] })), /^40[01] /, `${path} ${email}`)
  const reset = await at('/password/forgot/', { email: cashier.name })
  assert.equal(reset.status, 202)
  assert.deepEqual(await service.sql('select 1 from user_links where user_id = $1', [cashier.id]), [])
})

const pathOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, () => randomUUID())
const bodyFor = ({ method, example }: Operation): unknown =>
  method === 'GET' || method === 'DELETE'
    ? undefined
    : JSON.parse(JSON.stringify(example ?? {}).replaceAll(/\{\w+\}/g, () => randomUUID()))
// The stream never ends, and signing out locks the counter: both have tests of their own.
const walked = dashboardOperations.filter(
  ({ id, access }) => access !== 'open' && id !== 'openStream' && id !== 'signOut',
)

test('every call: a locked counter gets nothing', async () => {
  const counter = await openCounter()
  for (const operation of walked) {
    const answer = await counter.ask(operation.method, pathOf(operation), { body: bodyFor(operation) })
    assert.equal(codeOf(answer), '401 counter_locked', `${operation.id}: ${answer.text}`)
  }
  assert.equal(codeOf(await counter.ask('GET', '/stream/')), '401 counter_locked')
})

test('every call: with a cashier a counter may do what a cashier may, without what needs an address or the person', async () => {
  const counter = await openCounter()
  // The PIN of an owner gives no more.
  const owner = await createMember(service, members.accountId, 'owner')
  const set = await members.owner.ask('PUT', `/cashiers/${owner.userId}/pin/`, { body: { pin: pins[2] } })
  assert.equal(set.status, 200, set.text)
  const cashier = await addCashier(pins[0])
  for (const [id, pin] of [
    [cashier.id, pins[0]],
    [owner.userId, pins[2]],
  ] as const) {
    assert.equal((await counter.pin(id, pin)).status, 200)
    const allowed: string[] = []
    for (const operation of walked) {
      const answer = await counter.ask(operation.method, pathOf(operation), { body: bodyFor(operation) })
      const { access } = operation
      const may =
        access === 'self'
          ? operation.id === 'showMe'
          : access !== 'operator' &&
            mayDo('cashier', access as Action) &&
            access !== 'notifications.own' &&
            operation.proof !== 'always'
      const described = `${operation.id}: ${answer.status} ${answer.text}`
      if (may) {
        allowed.push(operation.id)
        assert.ok(![401, 403, 405].includes(answer.status) && answer.status < 500, described)
      } else assert.equal(codeOf(answer), '403 permission_denied', described)
    }
    assert.ok(allowed.length > 30, allowed.join())
  }
})

test('fifty guesses at once over two nodes: exactly five are checked, and the right PIN among the rest is refused', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  const guesses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      counter.pin(cashier.id, wrongPin, i % 2 === 0 ? counter.ask : counter.askOther),
    ),
  )
  const codes = guesses.map(codeOf)
  assert.equal(codes.filter((code) => code === '400 pin_wrong').length, 5, codes.join())
  assert.equal(codes.filter((code) => code === '429 pin_paused').length, 45)
  const right = await counter.pin(cashier.id, pins[0])
  assert.equal(codeOf(right), '429 pin_paused')
  assert.equal(right.headers['retry-after'], '60')
  assert.equal(await whoAt(counter), '401 counter_locked')
})

test('one cashier guessed at many counters: five guesses altogether', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, (_, i) => openCounter(`Till ${i}`)))
  const cashier = await addCashier(pins[0])
  const guesses = await Promise.all(
    Array.from({ length: 40 }, (_, i) => {
      const counter = all[i % 4]!
      return counter.pin(cashier.id, wrongPin, i % 8 < 4 ? counter.ask : counter.askOther)
    }),
  )
  assert.equal(guesses.filter((answer) => codeOf(answer) === '400 pin_wrong').length, 5)
  const right = await all[0]!.pin(cashier.id, pins[0])
  assert.equal(codeOf(right), '429 pin_paused')
  assert.equal(right.body.facts.of, 'cashier')
})

test('a cashier who mistypes five times is paused, and the others go on at the same counter', async () => {
  const counter = await openCounter()
  const [clumsy, other] = [await addCashier(pins[0]), await addCashier(pins[1])]
  for (let i = 0; i < 5; i++) assert.equal(codeOf(await counter.pin(clumsy.id, wrongPin)), '400 pin_wrong')
  const refused = await counter.pin(clumsy.id, pins[0])
  assert.deepEqual([codeOf(refused), refused.body.facts.of], ['429 pin_paused', 'cashier'])
  assert.equal((await counter.pin(other.id, pins[1])).status, 200)
  assert.equal((await counter.here()).paused_until, null)
  const notices = await service.sql(
    `select count(*) from owner_notices where kind = 'pins_guessed' and facts->>'name' = $1`,
    [clumsy.name],
  )
  assert.deepEqual(notices, [['0']], 'a cashier who mistypes is no news for owners')
  minutes(1)
  assert.equal((await counter.pin(clumsy.id, pins[0])).status, 200)
})

test('one PIN guessed on many cashiers at one counter over two nodes: fifteen guesses, also if the own right PIN is entered in between', async () => {
  const counter = await openCounter('Busy till')
  const own = await addCashier(pins[6])
  const others: { readonly id: string }[] = []
  for (let i = 0; i < 6; i++) others.push(await addCashier(pins[i]!))
  assert.equal(codeOf(await counter.pin(others[0]!.id, wrongPin)), '400 pin_wrong')
  assert.equal((await counter.pin(own.id, pins[6])).status, 200)
  const guesses = await Promise.all(
    Array.from({ length: 48 }, (_, i) =>
      counter.pin(others[i % 6]!.id, wrongPin, i % 2 === 0 ? counter.ask : counter.askOther),
    ),
  )
  const checked = guesses.filter((answer) => codeOf(answer) === '400 pin_wrong').length
  assert.equal(checked, 14, guesses.map(codeOf).join())
  const notices = await service.sql(
    `select facts->>'counter' from owner_notices where kind = 'pins_guessed' and facts->>'counter' = 'Busy till'`,
  )
  assert.ok(notices.length >= 1, 'owners are told that a counter was paused')
  const next = await counter.pin(others[5]!.id, wrongPin)
  assert.equal(codeOf(next), '429 pin_paused')
  assert.equal(next.body.facts.of, 'counter')
  assert.equal(codeOf(await counter.pin(own.id, pins[6])), '429 pin_paused')
  // The counter is paused; the cashier at another counter is not.
  const elsewhere = await openCounter('Other till')
  assert.equal((await elsewhere.pin(own.id, pins[6])).status, 200)
})

test('a cashier who mistypes and then types it right has their tries back, at the counter too', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  for (const typos of [4, 4, 2]) {
    for (let i = 0; i < typos; i++) assert.equal(codeOf(await counter.pin(cashier.id, wrongPin)), '400 pin_wrong')
    assert.equal((await counter.pin(cashier.id, pins[0])).status, 200, 'at most the fifth is right')
  }
  const [row] = await service.sql('select wrong, pauses, paused_until, wrong_total from pins where user_id = $1', [
    cashier.id,
  ])
  assert.deepEqual(row, ['0', '0', null, '0'])
  const [here] = await service.sql('select pauses, paused_until, wrong_total from counters where id = $1', [counter.id])
  assert.deepEqual(here, ['0', null, '0'])
})

test('pauses grow, end by time alone or by an owner, and are in the audit log', async () => {
  const counter = await openCounter('Guessed till')
  const cashier = await addCashier(pins[0])
  const fiveWrong = async () => {
    for (let i = 0; i < 5; i++) assert.equal(codeOf(await counter.pin(cashier.id, wrongPin)), '400 pin_wrong')
    return Number((await counter.pin(cashier.id, pins[0])).headers['retry-after']) / 60
  }
  const pauses: number[] = []
  for (let round = 0; round < 3; round++) {
    pauses.push(await fiveWrong())
    minutes(pauses.at(-1)!)
  }
  assert.deepEqual(pauses, [1, 5, 15])
  assert.equal(await fiveWrong(), 60)
  const list = await members.owner.ask('GET', '/members/')
  const shown = list.body.find(({ id }: { id: string }) => id === cashier.id)
  assert.equal(shown.pin.wrong, 20)
  assert.notEqual(shown.pin.paused_until, null)
  assert.equal((await members.owner.ask('POST', `/cashiers/${cashier.id}/lift/`)).status, 200)
  const lifted = await members.owner.ask('POST', `/counters/${counter.id}/lift/`)
  assert.equal(lifted.body.paused_until, null)
  assert.equal((await counter.pin(cashier.id, pins[0])).status, 200)
  const log = await service.sql(
    `select action, actor, after->>'cashier' from audit_log where object_id = $1 and action like 'counter.pins%' order by id`,
    [counter.id],
  )
  assert.deepEqual(log, [
    ['counter.pins_paused', 'Guessed till', cashier.name],
    ['counter.pins_guessed', 'Guessed till', cashier.name],
    ['counter.pins_paused', 'Guessed till', cashier.name],
    ['counter.pins_paused', 'Guessed till', cashier.name],
  ])
})

test('a cashier who is not on the list gets the answer of a wrong PIN, and counts for the counter', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  const wrong = await counter.pin(cashier.id, wrongPin)
  const unknown = [randomUUID(), members.stranger.userId, members.viewer.userId, members.manager.userId]
  for (let i = 0; i < 14; i++) {
    const answer = await counter.pin(unknown[i % 4]!, wrongPin)
    assert.equal(answer.text, wrong.text)
  }
  assert.equal(codeOf(await counter.pin(randomUUID(), wrongPin)), '429 pin_paused')
})

test('what is no PIN is refused and not counted; a simple PIN is not stored', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  for (const pin of ['', '12345', '1234567', '48291a', ' 482915'])
    for (let i = 0; i < 2; i++) assert.equal((await counter.pin(cashier.id, pin)).status, 400)
  assert.equal((await counter.pin(cashier.id, pins[0])).status, 200)
  for (const pin of ['000000', '123456', '654321', '١٢٣٤٥٦', '112233', '12345']) {
    const answer = await members.owner.ask('PUT', `/cashiers/${cashier.id}/pin/`, { body: { pin } })
    assert.match(codeOf(answer), /^400 pin_(simple|form)$/, pin)
  }
  assert.equal((await counter.pin(cashier.id, pins[0])).status, 200, 'the PIN is still the old one')
})

test('the hash of a PIN is sealed: the table alone is not enough to try all PINs; hashes of an earlier version are sealed at the start', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  const stored = async () =>
    (await service.sql('select id, hash, hash_sealed::text from pins where user_id = $1', [cashier.id]))[0]!
  const sealer = pinSealer(service.masterKey)
  const [id, plain, sealed] = await stored()
  assert.equal(plain, null)
  const bytes = Buffer.from(String(sealed).slice(2), 'hex')
  assert.doesNotMatch(bytes.toString('latin1'), /argon/)
  const hash = sealer.hashOf({ id: id as PinId, hash: null, hash_sealed: bytes })
  assert.match(hash, /^\$argon2id\$/)
  assert.throws(() => sealer.hashOf({ id: randomUUID() as PinId, hash: null, hash_sealed: bytes }), 'bound to its row')
  await service.sql('update pins set hash = $2, hash_sealed = null where user_id = $1', [cashier.id, hash])
  assert.equal((await counter.pin(cashier.id, pins[0])).status, 200)
  assert.equal(await sealPins(service.db, sealer), 1)
  assert.equal(await sealPins(service.db, sealer), 0)
  assert.equal((await stored())[1], null)
  assert.equal((await counter.pin(cashier.id, pins[0])).status, 200)
  assert.equal(codeOf(await counter.pin(cashier.id, wrongPin)), '400 pin_wrong')
})

test('guesses between the right PINs of a cashier: ten in a day are taken back, then five and a pause; owners are told at the tenth', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  const told = async () =>
    Number(
      (
        await service.sql(`select count(*) from owner_notices where kind = 'pins_guessed' and object_id = $1`, [
          cashier.id,
        ])
      )[0]![0],
    )
  let guesses = 0
  const end = service.clock.now() + 24 * 3_600_000 - 1
  while (service.clock.now() < end) {
    for (let i = 0; i < 4; i++) if (codeOf(await counter.pin(cashier.id, wrongPin)) === '400 pin_wrong') guesses++
    // Later once more, when the counter is paused.
    assert.equal((await told()) > 0, guesses >= 10, `${guesses} guesses`)
    minutes(10)
    await counter.pin(cashier.id, pins[0])
  }
  assert.ok(guesses >= 40 && guesses <= 60, `${guesses} guesses`)
})

test('five typos now and then: the pause does not grow by what happened days ago, also of a cashier who works every day', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  for (let day = 0; day < 4; day++) {
    for (let i = 0; i < 5; i++) await counter.pin(cashier.id, wrongPin)
    const paused = await counter.pin(cashier.id, pins[0])
    assert.equal(codeOf(paused), '429 pin_paused')
    assert.equal(paused.headers['retry-after'], '60', `day ${day}`)
    minutes(1)
    for (let hour = 0; hour < 24; hour += 6) {
      assert.equal((await counter.pin(cashier.id, pins[0])).status, 200)
      minutes(6 * 60)
    }
  }
})

test('a new PIN, a removed cashier, an ended counter and a suspended account count at once, on every node', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  const signIn = async (pin: string) => assert.equal((await counter.pin(cashier.id, pin)).status, 200)
  const isLocked = async () => assert.equal(codeOf(await counter.askOther('GET', '/session/')), '401 counter_locked')
  await signIn(pins[0])
  assert.equal((await members.owner.ask('PUT', `/cashiers/${cashier.id}/pin/`, { body: { pin: pins[1] } })).status, 200)
  await isLocked()
  assert.equal(codeOf(await counter.pin(cashier.id, pins[0])), '400 pin_wrong')
  await signIn(pins[1])
  await service.sql(`update accounts set status = 'SUSPENDED' where id = $1`, [members.accountId])
  assert.equal(codeOf(await counter.askOther('GET', '/session/')), '401 not_authenticated')
  assert.equal(codeOf(await counter.pin(cashier.id, pins[1])), '401 not_authenticated')
  await service.sql(`update accounts set status = 'ACTIVE' where id = $1`, [members.accountId])
  await signIn(pins[1])
  assert.equal((await members.owner.ask('DELETE', `/members/${cashier.id}/`)).status, 204)
  await isLocked()
  assert.equal(codeOf(await counter.pin(cashier.id, pins[1])), '400 pin_wrong')
  const again = await addCashier(pins[2])
  assert.equal((await counter.pin(again.id, pins[2])).status, 200)
  assert.equal((await members.owner.ask('DELETE', `/counters/${counter.id}/`)).status, 204)
  assert.equal(codeOf(await counter.askOther('GET', '/session/')), '401 not_authenticated')
  assert.equal(codeOf(await counter.pin(again.id, pins[2])), '401 not_authenticated')
})

test('an owner sees the counters among the sessions and ends one there; others see none', async () => {
  const counter = await openCounter('Back till')
  const list = await members.owner.ask('GET', '/sessions/')
  const shown = list.body.find(({ id }: { id: string }) => id === counter.id)
  assert.equal(`${shown.kind} ${shown.name}`, 'counter Back till')
  for (const other of [members.manager, members.cashier, members.stranger]) {
    const theirs = await other.ask('GET', '/sessions/')
    assert.ok(!theirs.text.includes(counter.id))
    assert.equal(codeOf(await other.ask('DELETE', `/sessions/${counter.id}/`)), '404 not_found')
  }
  assert.equal((await members.owner.ask('DELETE', `/sessions/${counter.id}/`)).status, 204)
  assert.equal(codeOf(await counter.askOther('GET', '/counters/here/')), '401 not_authenticated')
})

test('a counter ends with the right of the owner who made it, and does not come back with it', async () => {
  const removed = await openCounter('Till of a removed owner')
  await members.owner.ask('DELETE', `/members/${removed.owner.userId}/`)
  assert.equal(codeOf(await removed.ask('GET', '/counters/here/')), '401 not_authenticated')

  const lowered = await openCounter('Till of a former owner')
  const path = `/members/${lowered.owner.userId}/`
  await members.owner.ask('PATCH', path, { body: { role: 'manager' } })
  assert.equal(codeOf(await lowered.ask('GET', '/counters/here/')), '401 not_authenticated')
  await members.owner.ask('PATCH', path, { body: { role: 'owner' } })
  assert.equal(codeOf(await lowered.ask('GET', '/counters/here/')), '401 not_authenticated')

  const changed = await openCounter('Till of an owner with a new password')
  await service.sql('update users set valid_from = $2 where id = $1', [
    changed.owner.userId,
    new Date(service.clock.now() + 1).toISOString(),
  ])
  assert.equal(codeOf(await changed.ask('GET', '/counters/here/')), '401 not_authenticated')
})

test('a counter without a touch is locked, also if it goes on reading; a change and a touch keep it open', async () => {
  const counter = await openCounter('Idle till', members.accountId, 5)
  const cashier = await addCashier(pins[0])
  await counter.pin(cashier.id, pins[0])
  for (let i = 0; i < 6; i++) {
    minutes(1)
    const status = (await counter.ask('GET', '/intents/')).status
    assert.equal(status, i < 5 ? 200 : 401, `after ${i + 1} minutes`)
  }
  await counter.pin(cashier.id, pins[0])
  for (let i = 0; i < 4; i++) {
    minutes(5)
    const kept =
      i % 2 === 0
        ? await counter.ask('POST', '/counters/here/touch/')
        : await counter.ask('POST', '/intents/', { body: { wallet: service.demo.wallets.main, amount: '900.00' } })
    assert.ok(kept.status < 300, kept.text)
  }
  assert.equal(await whoAt(counter), cashier.name)
  assert.equal((await counter.ask('POST', '/counters/here/lock/')).status, 204)
  assert.equal(await whoAt(counter), '401 counter_locked')
})

test('90 days without use end a counter', async () => {
  const counter = await openCounter('Old till')
  await service.sql(`update counters set last_seen_at = last_seen_at - interval '90 days' where id = $1`, [counter.id])
  assert.equal(codeOf(await counter.ask('GET', '/counters/here/')), '401 not_authenticated')
})

test('the stream of a counter ends when another cashier signs in, and when the counter is ended', async () => {
  const counter = await openCounter()
  const [amal, basim] = [await addCashier(pins[0]), await addCashier(pins[1])]
  const cookie = `sanad_counter=${counter.token}`
  await counter.pin(amal.id, pins[0])
  const first = await openStream(second.origin, { cookie })
  await counter.pin(basim.id, pins[1])
  await first.ended
  const next = await openStream(second.origin, { cookie })
  await members.owner.ask('DELETE', `/counters/${counter.id}/`)
  await next.ended
})

test('a member who signs in with a password at a counter acts as that member, and leaves it locked', async () => {
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  await counter.pin(cashier.id, pins[0])
  const signedIn = await counter.ask('POST', '/session/', {
    body: { email: members.manager.email, password: storyPassword },
  })
  assert.equal(signedIn.status, 200, signedIn.text)
  const both = `sanad_counter=${counter.token}; sanad_session=${cookieOf(signedIn, 'sanad_session')}`
  const me = await counter.ask('GET', '/session/', { headers: { cookie: both } })
  assert.equal(me.body.user.email, members.manager.email)
  assert.equal((await counter.ask('DELETE', '/session/', { headers: { cookie: both } })).status, 204)
  assert.equal(codeOf(await counter.ask('GET', '/session/', { headers: { cookie: both } })), '401 counter_locked')
})

test('a cashier without an address has a fixed role, no address to prove, and a name of their own', async () => {
  const cashier = await addCashier(pins[0])
  const path = `/members/${cashier.id}/`
  assert.equal(codeOf(await members.owner.ask('PATCH', path, { body: { role: 'manager' } })), '400 cashier_role_fixed')
  assert.equal(codeOf(await members.owner.ask('POST', `${path}prove/`)), '404 not_found')
  const taken = await members.owner.ask('POST', '/cashiers/', {
    body: { name: cashier.name.toUpperCase(), pin: pins[1] },
  })
  assert.equal(codeOf(taken), '400 cashier_name_taken')
  for (const name of ['clock', 'A manager <manager@sanad.example>']) {
    const answer = await members.owner.ask('POST', '/cashiers/', { body: { name, pin: pins[1] } })
    assert.equal(answer.status, 400, name)
  }
  const renamed = await members.owner.ask('PATCH', `/cashiers/${cashier.id}/`, { body: { name: 'Huda at the door' } })
  assert.equal(renamed.body.name, 'Huda at the door')
  assert.equal(renamed.body.email, '')
  assert.equal(renamed.body.counter_only, true)
  const named = await members.owner.ask('PATCH', `/cashiers/${members.manager.userId}/`, {
    body: { name: 'Not theirs' },
  })
  assert.equal(codeOf(named), '400 cashier_has_address')
  assert.equal(codeOf(await members.owner.ask('DELETE', `/cashiers/${cashier.id}/pin/`)), '400 pin_needed')
})

test('the PIN of a member with an address: not for a viewer, and gone with the role', async () => {
  const counter = await openCounter()
  const member = await createMember(service, members.accountId, 'cashier')
  const path = `/cashiers/${member.userId}/pin/`
  const forViewer = await members.owner.ask('PUT', `/cashiers/${members.viewer.userId}/pin/`, {
    body: { pin: pins[0] },
  })
  assert.equal(codeOf(forViewer), '400 pin_not_for_role')
  await members.owner.ask('PUT', path, { body: { pin: pins[0] } })
  assert.equal((await counter.pin(member.userId, pins[0])).status, 200)
  const me = await counter.ask('GET', '/session/')
  assert.equal(me.body.user.email, '', 'a counter does not show the address')
  await members.owner.ask('PATCH', `/members/${member.userId}/`, { body: { role: 'viewer' } })
  assert.equal(await whoAt(counter), '401 counter_locked')
  await members.owner.ask('PATCH', `/members/${member.userId}/`, { body: { role: 'cashier' } })
  assert.equal(codeOf(await counter.pin(member.userId, pins[0])), '400 pin_wrong')
})

test('a node that dies while it checks a PIN leaves the try counted', async () => {
  const node = await service.startNode()
  const counter = await openCounter()
  const cashier = await addCashier(pins[0])
  const dying = (pin: string) =>
    askAt(dashboardAt(node.origin, '/counters/here/pin/'), 'POST', {
      token: null,
      body: { cashier: cashier.id, pin },
      headers: { cookie: `sanad_counter=${counter.token}`, origin: node.origin },
    })
  assert.equal(codeOf(await dying(wrongPin)), '400 pin_wrong')
  const broken = Array.from({ length: 2 }, () => dying(wrongPin).catch(() => undefined))
  await node.close()
  await Promise.all(broken)
  const [row] = await service.sql('select wrong from pins where user_id = $1', [cashier.id])
  const counted = Number(row![0])
  assert.ok(counted >= 1 && counted <= 3)
  for (let i = counted; i < 5; i++) assert.equal(codeOf(await counter.pin(cashier.id, wrongPin)), '400 pin_wrong')
  assert.equal(codeOf(await counter.pin(cashier.id, pins[0])), '429 pin_paused')
})

test('a manager at a counter has the limits of a cashier, and asks there for what is over them', async () => {
  // The usual limits: a cashier may not cancel, a manager may.
  await service.sql('delete from role_limits')
  const manager = await createMember(service, members.accountId, 'manager')
  const given = await members.owner.ask('PUT', `/cashiers/${manager.userId}/pin/`, { body: { pin: pins[5] } })
  assert.ok(given.status < 300, given.text)
  const counter = await openCounter('Limits till')
  assert.equal((await counter.pin(manager.userId, pins[5])).status, 200)
  const intent = (await service.create({ amount: '1500.00' })).body
  assert.equal(codeOf(await counter.ask('POST', `/intents/${intent.id}/cancel/`)), '403 over_limit')
  const asked = await counter.ask('POST', `/intents/${intent.id}/cancel/ask/`)
  assert.deepEqual([asked.status, asked.body.state], [201, 'open'], asked.text)
  const confirmed = await members.owner.ask('POST', `/requests/${asked.body.id}/confirm/`)
  assert.equal(confirmed.body.state, 'confirmed', confirmed.text)
})
