/**
 * 0095: a cashier who sees today only gets nothing of another day by any call: every call of the contract, by session, by token and at
 * a counter, with the objects of today and of an earlier day. A new call is covered as soon as it is described.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import type { Operation } from '@sanad/contract/operation'
import { type Action, mayDo } from '../../../src/accounts/people/permission.ts'
import { todayIn } from '../../../src/core/scope.ts'
import { zoneOf } from '../../../src/core/zone.ts'
import { queueStory } from '../../support/queue-story.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { type Ask, askAt, ok, openTestService } from '../../support/story.ts'
import { type AskAs, createMember, dashboardAt } from '../../support/users.ts'
import { type BranchObjects, plantBranch } from './branch-objects.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, clock, sql } = service
const story = await queueStory(service)
const { owner, accountId } = story
const zone = zoneOf('Asia/Aden')
const hour_ms = 3_600_000
/** Moves the clock to an hour of the shop's next day. */
const nextDay = (hour: number): void =>
  clock.advance(todayIn(zone, clock.now()).since + (24 + hour) * hour_ms - clock.now())

ok(await owner.ask('PATCH', '/account/', { body: { time_zone: 'Asia/Aden' } }))
ok(await owner.ask('PATCH', '/limits/', { body: { cashier: { cancel: false } } }))
const cashier = await createMember(service, accountId, 'cashier')
// A phone that was connected today is a doubt.
nextDay(0)
nextDay(10)
const old = await plantBranch(service, story, {
  walletId: demo.wallets.main,
  simSlot: 'SIM1',
  mark: 'OldDay',
  digits: '8391',
  payer: 'زاهر المثال',
})
// What the cashier did on that day: a shift, a request that was refused.
const oldShift = ok(await cashier.ask('POST', '/shifts/')).body.id as string
const askedFor = ok(
  await owner.ask('POST', '/intents/', {
    body: { amount: '8391.77', wallet: demo.wallets.main, external_order_id: 'order-OldDay-asked' },
  }),
).body.id as string
const oldRequest = ok(await cashier.ask('POST', `/intents/${askedFor}/cancel/ask/`)).body.id as string
ok(await owner.ask('POST', `/requests/${oldRequest}/refuse/`, { body: { reason: 'OldDay' } }))
ok(await cashier.ask('POST', `/shifts/${oldShift}/end/`))
// Links are of every day; what is counted of them is not.
const [oldLink] = old.ids['/payment-links/{id}/']!
await sql("update payment_links set description = 'a link', amount = 4217 where id = $1", [oldLink])
await sql(
  'update payment_links set opened = 8391, chosen = 8391, sent = 8391, paid = 8391, viewed = 8391 where id = $1',
  [oldLink],
)

nextDay(12)
await sql("update checkouts set expires_at = created_at + interval '1 hour' where status = 'OPEN'")
const fresh = await plantBranch(service, story, {
  walletId: demo.wallets.second,
  simSlot: 'SIM2',
  mark: 'ThisDay',
  digits: '4217',
  payer: 'سالم المثال',
})
await sql("update wallets set name = 'Main' where id = $1", [demo.wallets.main])
const setOtherDays = async (other_days: boolean): Promise<void> => {
  ok(await owner.ask('PATCH', '/limits/', { body: { cashier: { other_days } } }))
  clock.advance(2_000)
}
await setOtherDays(false)

/** The cashier at a counter, with a PIN. */
const atCounter = await (async (): Promise<AskAs> => {
  const maker = await createMember(service, accountId, 'owner')
  ok(await owner.ask('PUT', `/cashiers/${cashier.userId}/pin/`, { body: { pin: '482915' } }))
  const made = ok(await maker.ask('POST', '/counters/', { body: { name: 'Till', idle_minutes: 60 } }))
  const line = [made.headers['set-cookie'] ?? []].flat().findLast((one) => one.startsWith('sanad_counter='))!
  const cookie = line.split(';')[0]!
  const ask: AskAs = (method, path, options: Ask = {}) =>
    askAt(dashboardAt(service.origin, path), method, {
      token: null,
      ...options,
      headers: { cookie, origin: service.origin, ...options.headers },
    })
  ok(await ask('POST', '/counters/here/pin/', { body: { cashier: cashier.userId, pin: '482915' } }))
  return ask
})()

const oldShifts = [oldShift, ...old.ids['/shifts/{id}/']!]
const isIdOfDay = (marker: string): boolean => marker !== old.walletId && marker !== oldLink
const markers = [...old.markers.filter(isIdOfDay), ':8391', askedFor, oldRequest, ...oldShifts]
const hidden: BranchObjects = {
  ...old,
  ids: {
    ...old.ids,
    '/intents/{id}/': [...old.ids['/intents/{id}/']!, askedFor],
    '/shifts/{id}/': oldShifts,
    '/requests/{id}/': [oldRequest],
    '/wallets/{id}/': [],
    '/payment-links/{id}/': [],
  },
}
const excluded = new Set(['signOut', 'openStream', 'leaveAccount', 'endOtherSessions', 'lockCounter', 'endShift'])
const tested = dashboardOperations.filter(
  ({ id, access }) =>
    !excluded.has(id) &&
    access !== 'open' &&
    access !== 'operator' &&
    (access === 'self' || mayDo('cashier', access as Action)),
)
const name = ({ method, path }: Operation): string => `${method} ${path}`
const prefixIn = (operation: Operation, objects: BranchObjects): string | undefined =>
  Object.keys(objects.ids).find((candidate) => operation.path.startsWith(candidate))
const pathsOf = (operation: Operation, objects: BranchObjects): string[] => {
  if (!operation.path.includes('{')) return [operation.path]
  const prefix = prefixIn(operation, objects)
  const ids = prefix === undefined ? [randomUUID()] : objects.ids[prefix]!
  return ids.map((id) => operation.path.replace('{id}', id).replaceAll(/\{\w+\}/g, () => randomUUID()))
}
const dateOf = (at: number): string => zone.format(new Date(at)).slice(0, 10)
const yesterday = dateOf(clock.now() - 24 * hour_ms)
/** Values of query fields that ask for the earlier day. */
const asking: Readonly<Record<string, string>> = {
  wallet: old.walletId,
  q: 'OldDay',
  search: 'OldDay',
  reference: '839100000004',
  external_order_id: 'order-OldDay-1',
  amount: '8391.01',
  status: 'VERIFIED',
  state: 'dismissed',
  link: oldLink!,
  days: '14',
  day: yesterday,
  from: `${yesterday}T00:00:00+03:00`,
  until: `${yesterday}T23:59:59+03:00`,
  created_after: `${yesterday}T00:00:00+03:00`,
  created_before: `${yesterday}T23:59:59+03:00`,
  ordering: 'created_at',
}
const queriesOf = ({ query = {}, method }: Operation): string[] => {
  if (method !== 'GET') return ['']
  const named = Object.keys(query).filter((field) => field in asking)
  const also = 'q' in query ? ['?q=8391', `?q=${encodeURIComponent('زاهر')}`, '?q=8391.01'] : []
  return ['', ...also, ...named.map((field) => `?${field}=${encodeURIComponent(asking[field]!)}`)]
}
const bodiesOf = (operation: Operation): unknown[] => {
  if (operation.method === 'GET' || operation.method === 'DELETE') return [undefined]
  const fill = JSON.parse(
    JSON.stringify(operation.example ?? {}).replaceAll(/\{(\w+)\}/g, (_, field) =>
      field === 'wallet' ? demo.wallets.second : field === 'account' ? accountId : randomUUID(),
    ),
  )
  const bodies = [fill]
  const named = JSON.stringify(operation.body ?? {})
  if (/"intent"/.test(named)) for (const intent of hidden.ids['/intents/{id}/']!) bodies.push({ ...fill, intent })
  return bodies
}

/** Rows of the earlier day: what is not seen is not changed either. */
const tables = (
  await sql(`select table_name from information_schema.columns
              where table_schema = 'public' and column_name = 'account_id'
                and table_name in ('alerts', 'intents', 'checkouts', 'handovers', 'vouchers', 'counter_sales', 'takings', 'shifts',
                                   'limit_requests', 'checkout_intents', 'claimed_payers', 'reference_claims')
              order by 1`)
).map(([table]) => table!)
const rowsOfOldDay = async (): Promise<string[]> =>
  (
    await sql(
      tables
        .map((one) => `select '${one} ' || t::text from ${one} t where account_id = '${accountId}'`)
        .join(' union all '),
    )
  )
    .map(([row]) => row as string)
    .filter((row) =>
      [...hidden.ids['/intents/{id}/']!, ...old.ids['/alerts/{id}/']!, ...oldShifts].some((id) => row.includes(id)),
    )
    .toSorted()

test('the walk would notice a leak: who sees other days gets what is marked by most calls that read', async () => {
  await setOtherDays(true)
  const seen = new Set<string>()
  // The other tests begin with today only, whatever becomes of this one.
  await using _ = { [Symbol.asyncDispose]: () => setOtherDays(false) }
  for (const operation of tested.filter(({ method }) => method === 'GET'))
    for (const path of pathsOf(operation, hidden))
      for (const query of queriesOf(operation)) {
        const answer = await cashier.ask('GET', `${path}${query}`)
        assert.ok(answer.status < 500, `${name(operation)}: ${answer.text}`)
        if (markers.some((marker) => answer.text.includes(marker))) seen.add(operation.id)
      }
  for (const id of [
    'listIntents',
    'intentsCsv',
    'showIntent',
    'listUnmatched',
    'showAlert',
    'search',
    'showCharts',
    'showCounter',
    'listRoll',
    'listCheckouts',
    'showCheckout',
    'listPaymentLinks',
    'listOwnShifts',
    'showShift',
    'downloadShift',
    'listRequests',
    'showRequest',
  ])
    assert.ok(seen.has(id), `the marker is not seen by ${id}; seen: ${[...seen]}`)
})

for (const [way, ask] of [
  ['with a session', cashier.ask],
  ['at a counter', atCounter],
] as const)
  test(`a cashier who sees today only, ${way}, gets nothing of another day by any call, and changes none of its rows`, async () => {
    const problems: string[] = []
    const before = await rowsOfOldDay()
    assert.ok(before.length > 20, String(before.length))
    for (const operation of tested)
      for (const objects of [hidden, fresh])
        for (const path of pathsOf(operation, objects))
          for (const query of queriesOf(operation))
            for (const body of bodiesOf(operation)) {
              if (objects === fresh && operation.method !== 'GET') continue
              const answer = await ask(operation.method, `${path}${query}`, { body })
              const sent = `${path}${query}${JSON.stringify(body) ?? ''}`
              const described = `${name(operation)} ${sent}: ${answer.status} ${answer.text.slice(0, 400)}`
              if (answer.status >= 500) problems.push(described)
              const leak = markers.find(
                (marker) => answer.text.includes(marker) && !(answer.status >= 400 && sent.includes(marker)),
              )
              // The address of a page of a list repeats the query.
              const repeats = operation.id === 'listIntents' && query !== '' && answer.body.results?.length === 0
              if (leak !== undefined && !repeats) problems.push(`LEAK ${leak}: ${described}`)
              if (objects === hidden && prefixIn(operation, hidden) !== undefined && answer.status < 400)
                problems.push(`allowed: ${described}`)
            }
    assert.deepEqual(await rowsOfOldDay(), before)
    assert.deepEqual(problems, [], `${problems.length} problems\n${problems.slice(0, 40).join('\n')}`)
  })

test('today is all there: the same lists as for who sees other days, without those', async () => {
  const ids = async (path: string, member = cashier) =>
    (ok(await member.ask('GET', path)).body.results as { id: string }[]).map(({ id }) => id)
  for (const path of [
    '/intents/?page_size=100',
    '/unmatched/?page_size=100',
    '/checkouts/?page_size=100',
    '/counter/roll/?page_size=100',
  ]) {
    const all = await ids(path, owner)
    const shown = await ids(path)
    assert.deepEqual(
      shown,
      all.filter((id) => !markers.includes(id)),
      path,
    )
    assert.ok(shown.length > 0 && shown.length < all.length, path)
  }
  const { body } = ok(await cashier.ask('GET', '/overview/'))
  const ofOwner = ok(await owner.ask('GET', '/overview/')).body
  assert.deepEqual(body.arrived[0].today, ofOwner.arrived[0].today)
  assert.equal(body.arrived[0].yesterday, null)
  assert.equal(body.days.length, 1)
  assert.equal(ok(await cashier.ask('GET', '/session/')).body.today_only, true)
  assert.equal(ok(await atCounter('GET', '/session/')).body.today_only, true)
  assert.equal((await cashier.ask('GET', `/overview/hours/?day=${yesterday}`)).status, 403)
  const links = ok(await cashier.ask('GET', '/payment-links/')).body.results as {
    id: string
    funnel: { paid: number }
  }[]
  assert.equal(links.find(({ id }) => id === oldLink)?.funnel.paid, 0)
})

test('a manager and an owner see every day whatever cashiers see; at a counter an owner sees today only', async () => {
  const manager = await createMember(service, accountId, 'manager')
  for (const member of [manager, owner]) {
    assert.equal(ok(await member.ask('GET', '/session/')).body.today_only, false)
    assert.equal((await member.ask('GET', `/intents/${old.ids['/intents/{id}/']![2]}/`)).status, 200)
  }
})

test('what is unfinished at midnight is not lost: waiting money for six hours, an open order until its window ends', async () => {
  nextDay(23)
  clock.advance(55 * 60_000)
  const amount = '7315.25'
  await story.record([story.report(purchaseText(amount, '731500000001', 'Night Example'), { simSlot: 'SIM1' })])
  await story.record([story.report(purchaseText('7315.26', '731500000002', 'Night Example'), { simSlot: 'SIM1' })])
  const idOf = async (reference: string) =>
    (await sql('select id from alerts where reference = $1', [reference]))[0]![0]!
  const [waiting, sold] = [await idOf('731500000001'), await idOf('731500000002')]
  const order = ok(await cashier.ask('POST', '/intents/', { body: { amount: '7315.30', wallet: demo.wallets.main } }))
    .body.id
  const shift = ok(await cashier.ask('POST', '/shifts/')).body.id
  const sale = { amount: '7315.26', not_for_order: true, looked: true }
  ok(await cashier.ask('POST', `/unmatched/${sold}/take-sale/`, { body: sale }))
  clock.advance(10 * 60_000)
  // It is the next day: the order and the money that waits are there, and the shift can be ended.
  const statusOf = async (path: string) => (await cashier.ask('GET', path)).status
  assert.equal(await statusOf(`/intents/${order}/`), 200)
  assert.equal(await statusOf(`/unmatched/${waiting}/`), 200)
  assert.equal(await statusOf(`/shifts/${shift}/`), 200)
  assert.equal(await statusOf(`/unmatched/${sold}/`), 404, 'what was sold yesterday is of yesterday')
  const roll = ok(await cashier.ask('GET', '/counter/roll/')).body.results.map(({ id }: { id: string }) => id)
  assert.deepEqual(roll, [waiting])
  ok(await cashier.ask('POST', `/unmatched/${waiting}/take-sale/`, { body: { ...sale, amount } }))
  ok(await cashier.ask('POST', `/unmatched/${waiting}/undo-sale/`))
  // The order is paid after midnight by a message of today.
  ok(await cashier.ask('POST', `/intents/${order}/reference/`, { body: { reference: '731500000003' } }))
  await story.record([story.report(purchaseText('7315.30', '731500000003', 'Night Example'), { simSlot: 'SIM1' })])
  assert.equal(ok(await cashier.ask('GET', `/intents/${order}/`)).body.status, 'VERIFIED')
  // Six hours later the money that nobody took is with managers and owners.
  clock.advance(6 * hour_ms)
  assert.equal(await statusOf(`/unmatched/${waiting}/`), 404)
  assert.equal((await owner.ask('GET', `/unmatched/${waiting}/`)).status, 200)
  assert.equal(await statusOf(`/intents/${order}/`), 200, 'paid today')
  nextDay(1)
  assert.equal(await statusOf(`/intents/${order}/`), 404)
})
