/**
 * 0130: what waits for a merchant's receivers while its account is moved between two running cells, and moved back again when the
 * forwarding has ended: a call under way, retries whose time is over, an endpoint whose breaker is open, one that was disabled.
 */
import '../../runner/own-process.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { minute_ms } from '../../../src/core/duration.ts'
import { openDatabase } from '../../../src/postgres/connection/database.ts'
import { eraseAccounts } from '../../../src/work/erase-accounts.ts'
import { randomFrom } from '../../crashes/crash-service.ts'
import { openMerchantServer } from '../../support/merchant-server.ts'
import { assertMoneyInvariants } from '../../support/money-invariants.ts'
import { until } from '../../support/pure/until.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { openSwitchingProxy } from '../../support/servers/switching-proxy.ts'
import type { Cell } from '../../support/servers/two-cells.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { missingOf, startTraffic } from '../../support/traffic.ts'
import { trafficClient } from '../../support/traffic-client.ts'
import {
  accountOf,
  addEndpoint,
  mover,
  openMoveStory,
  queueOf,
  rowsIn,
  stopTraffic,
  toldKinds,
  untilOrders,
} from './move-story.ts'

const { a, b, holds } = await openMoveStory({
  retry_waits_s: [0, ...Array.from({ length: 49 }, () => 2)],
  breaker_failures: 3,
  breaker_first_ms: 2_000,
  breaker_slowest_ms: 2_000,
  first_byte_ms: 60_000,
  total_ms: 60_000,
  lease_ms: 90_000,
})
const shop = await a.makeDemo()
const accountId = await accountOf(a, shop)
const { killAt, untilDone } = mover(a, accountId)

/** The events that a receiver has taken, by its path. */
const taken = new Map<string, string[]>()
const takenAt = (path: string): readonly string[] => taken.get(path) ?? []
const take = (path: string, id: string, response: ServerResponse): void => {
  taken.set(path, [...takenAt(path), id])
  response.writeHead(200).end()
}
let isLate = true
let goneCalls = 0
/** The answer of the first call, which is kept back. */
let answerHeld: (() => void) | undefined
const receiver = await openMerchantServer(({ headers, path }, response) => {
  const id = String(headers['x-service-event-id'])
  if (path === '/gone') goneCalls++
  if (path === '/gone') response.writeHead(410).end()
  else if (path === '/late' && isLate) response.writeHead(503).end()
  else if (path === '/held' && answerHeld === undefined) answerHeld = () => take(path, id, response)
  else take(path, id, response)
})
/** It does not listen at first. */
const awayPort = await freePort()
const away = createServer((request, response) => {
  request.resume().on('end', () => take('/away', String(request.headers['x-service-event-id']), response))
})
after(() => {
  away.closeAllConnections()
  away.close()
})
const endpoints = {
  late: await addEndpoint(a, accountId, receiver.at('/late')),
  gone: await addEndpoint(a, accountId, receiver.at('/gone')),
  away: await addEndpoint(a, accountId, `http://127.0.0.1:${awayPort}/away`),
}

const client = await trafficClient(a.origin, shop)
let orders = 0
/** An order that is verified: its event goes to every endpoint. Each call is repeated until it is answered. */
const pay = async (): Promise<void> => {
  const [key, amount, reference] = [randomUUID(), '700.00', `77${String(++orders).padStart(9, '0')}`]
  let id = ''
  const create = async () => {
    const answer = await client.createIntent({ key, amount })
    id = answer.body?.id
    return answer
  }
  await until('the intent is created', () => client.succeeds(create))
  await until('the reference is attached', () => client.succeeds(() => client.attachReference(id, reference)))
  const alert = client.smsReport(key, purchaseText(amount, reference))
  await until('the phone has reported', () => client.succeeds(() => client.phone.alerts([alert])))
}

const stateOf = async (cell: Cell, id: string) => {
  const [row] = await cell.sql(
    `select enabled, open_until is not null,
            (select count(*)::int from deliveries d where d.endpoint_id = w.id),
            (select count(*)::int from deliveries d where d.endpoint_id = w.id and d.lease_id is not null),
            (select coalesce(min(d.attempt), 0) from deliveries d where d.endpoint_id = w.id)
       from webhook_endpoints w where id = $1`,
    [id],
  )
  const [enabled, open, waiting, leased, tries] = row as [boolean, boolean, number, number, number]
  return { enabled, open, waiting, leased, tries }
}
const untilIn = (cell: Cell, what: string, find: () => Promise<boolean>) =>
  until(what, find, () => queueOf(cell, accountId))

/** The ids of the events of the account, the oldest first. */
const eventsIn = async (cell: Cell): Promise<string[]> =>
  (
    await cell.sql('select id::text from events where account_id = $1 and kind = any($2) order by created_at, id', [
      accountId,
      toldKinds,
    ])
  ).map(([id]) => String(id))

test('before the move: retries wait, one breaker is open, one endpoint is disabled', async () => {
  for (let n = 0; n < 4; n++) await pay()
  await untilIn(a, 'retries wait', async () => {
    const { waiting, tries } = await stateOf(a, endpoints.late)
    return waiting === 4 && tries > 0
  })
  await untilIn(a, 'the breaker is open', async () => (await stateOf(a, endpoints.away)).open)
  await untilIn(a, 'the endpoint is disabled', async () => {
    const { enabled, waiting } = await stateOf(a, endpoints.gone)
    return !enabled && waiting === 0
  })
})

test('the freeze waits for a call that is under way, whose result is recorded: it is not made again', async () => {
  const held = await addEndpoint(a, accountId, receiver.at('/held'))
  await pay()
  await untilIn(a, 'the call is under way', async () => answerHeld !== undefined)
  const killed = killAt(holds.rest, '--to', 'b', '--prepare')
  await untilIn(a, 'the account is stopping', async () => {
    const [row] = await a.sql('select state from account_freezes where account_id = $1', [accountId])
    return row?.[0] === 'stopping'
  })
  assert.equal((await stateOf(a, held)).leased, 1)
  answerHeld!()
  await killed
  assert.deepEqual(await a.sql('select outcome, attempt from delivery_attempts where endpoint_id = $1', [held]), [
    ['ok', 1],
  ])
  assert.deepEqual(
    await b.sql('select 1 from deliveries where endpoint_id = $1 union all select 2 from account_moves', [held]),
    [[2]],
  )
})

test('after the move: what was due meanwhile is sent, breakers go on, what was disabled stays disabled', async (t) => {
  await killAt(holds.switching, '--to', 'b')
  // From now on it may send to a receiver on this machine.
  await b.stop()
  await b.start()
  await untilIn(b, 'the time of every retry is over', async () => {
    const [row] = await b.sql('select bool_and(due_at < now()) from deliveries where account_id = $1', [accountId])
    return row![0] === true
  })
  assert.deepEqual(takenAt('/late'), [])
  isLate = false
  assert.match(await untilDone('--to', 'b'), /It goes on in cell b/)
  const thawed = performance.now()
  await untilIn(b, 'the retries are sent', async () => takenAt('/late').length === 5)
  t.diagnostic(`the retries arrived ${Math.round(performance.now() - thawed)} ms after the command had ended`)

  away.listen(awayPort, '127.0.0.1')
  await once(away, 'listening')
  await untilIn(b, 'the breaker closes and all is sent', async () => {
    const { open, waiting } = await stateOf(b, endpoints.away)
    return !open && waiting === 0
  })
  const events = await eventsIn(b)
  assert.equal(events.length, 5)
  assert.deepEqual(takenAt('/late').toSorted(), events.toSorted())
  assert.deepEqual(takenAt('/away').toSorted(), events.toSorted())
  assert.deepEqual(takenAt('/held'), events.slice(-1))
  const calls = goneCalls
  assert.equal((await stateOf(b, endpoints.gone)).enabled, false)

  await pay()
  const [newest] = (await eventsIn(b)).slice(-1)
  await untilIn(b, 'a new event is sent to all others', async () =>
    ['/late', '/away', '/held'].every((path) => takenAt(path).includes(newest!)),
  )
  assert.equal(goneCalls, calls)
})

test('moved back when the forwarding has ended, under load: nothing is lost or doubled', async (t) => {
  const host = await openSwitchingProxy(b.origin)
  const traffic = await startTraffic({ origin: host.origin, shop, random: randomFrom(58), workers: 2 })
  await untilOrders(traffic, 10)

  await untilDone('--end')
  const db = openDatabase({ url: a.databaseUrl, connections: 1, application: 'test', onFault: () => {} })
  // The service erases too, but waits some minutes of real time.
  let now = Date.now() + minute_ms
  await until('what stayed in the old cell is erased', async () => {
    if (!(await eraseAccounts(db, 1_000, now))) now += 5 * minute_ms
    return (await a.sql('select from account_moves')).length === 0
  })
  await db.close()
  assert.deepEqual(await a.sql('select from intents where account_id = $1', [accountId]), [])

  const back = mover(b, accountId)
  await back.killAt({ ...holds.copy, cell: a }, '--to', 'a')
  assert.match(await back.untilDone('--back'), /goes on here/)
  await untilOrders(traffic, 5)
  await back.killAt({ ...holds.rest, cell: a }, '--to', 'a')
  assert.match(await back.untilDone('--to', 'a'), /It goes on in cell a/)
  await untilOrders(traffic, 10)
  host.pointTo(a.origin)
  await untilOrders(traffic, 10)
  await stopTraffic(traffic)

  const { lost } = await missingOf(traffic.orders, rowsIn(a))
  assert.deepEqual(lost, [])
  await assertMoneyInvariants(async (text, values = []) => (await a.sql(text, values)) as (string | null)[][])
  const intents = async (cell: Cell) =>
    (await cell.sql('select id::text from intents where account_id = $1', [accountId])).map(([id]) => id)
  const home = new Set(await intents(a))
  assert.deepEqual(
    (await intents(b)).filter((id) => !home.has(id)),
    [],
  )
  await untilIn(a, 'everything is sent', async () => {
    const [row] = await a.sql('select count(*)::int from deliveries where account_id = $1', [accountId])
    return row![0] === 0
  })
  const events = await eventsIn(a)
  assert.deepEqual(takenAt('/late').toSorted(), events.toSorted())
  assert.deepEqual(takenAt('/away').toSorted(), events.toSorted())
  // It was added when there were four events.
  assert.deepEqual(takenAt('/held').toSorted(), events.slice(4).toSorted())
  t.diagnostic(`${traffic.orders.length} orders, ${events.length} events`)
})
