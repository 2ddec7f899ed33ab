/** The CSV of intents: complete, safe to open in a spreadsheet, and cheap to send at any length. */
import assert from 'node:assert/strict'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Instant } from '../../../src/core/clock.ts'
import type { IntentId } from '../../../src/core/ids.ts'
import { minor } from '../../../src/core/money.ts'
import { wholeAccount } from '../../../src/core/scope.ts'
import { zoneOf } from '../../../src/core/zone.ts'
import { tableOf } from '../../../src/http/dashboard/intents/csv-intents.ts'
import type { Intent } from '../../../src/intents/intent.ts'
import type { Filter } from '../../../src/intents/list/intent-list.ts'
import { batchSize, eachIntent } from '../../../src/views/intents/each-intent.ts'
import { intentLister } from '../../../src/views/intents/list-intents.ts'
import { filterOf, type Planted, planted, plantIntents } from '../../support/plant-intents.ts'
import { openTestService } from '../../support/story.ts'
import { type AskAs, createMember, createMembers, dashboardAt } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo, sql } = service
const members = await createMembers(service)
const { viewer, accountId } = members
const main = demo.wallets.main

const rowsOf = (text: string): string[] => text.split('\r\n').slice(1, -1)
const get = (path: string): Promise<{ answer: IncomingMessage; request: ClientRequest }> =>
  new Promise((done, fail) => {
    const headers = { cookie: `sanad_session=${viewer.session.token}` }
    const request = httpRequest(dashboardAt(service.origin, path), { headers, agent: false }, (answer) =>
      done({ answer, request }),
    )
    request.on('error', fail)
    request.end()
  })
const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isTrue())) await new Promise(setImmediate)
}

test('the CSV file has a name, a byte order mark, times in the account’s zone, and no formula', async () => {
  const created = await service.create({
    amount: '1500.00',
    external_order_id: '=1+1',
    notes: '@SUM(A1), "quoted"\nsecond line',
  })
  assert.equal(created.status, 201)
  await sql(`update accounts set time_zone = 'Asia/Kathmandu' where id = $1`, [accountId])
  clock.advance(2_000)
  const answer = await viewer.ask('GET', '/intents/csv/?search=1%2B1')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="intents-2026-01-02.csv"')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(
    answer.text,
    '\uFEFFcreated_at,code,status,payable_amount,paid_amount,arrived_amount,forgiven_amount,currency,wallet,reference,' +
      'external_order_id,verified_at,expires_at,booked_by_hand,notes,id\r\n' +
      `2026-01-02 08:49:05,${created.body.code},PENDING,1500.00,,,,YER,Main wallet,,'=1+1,,2026-01-02 09:49:05,no,` +
      `"'@SUM(A1), ""quoted""\nsecond line",${created.body.id}\r\n`,
  )
  await sql(`update accounts set time_zone = '' where id = $1`, [accountId])
  clock.advance(2_000)
  assert.equal((await viewer.ask('HEAD', '/intents/csv/')).text, '')
})

test('the CSV has the rows that the list finds with the same filters, and refuses the same filters', async () => {
  const base = clock.now() - 86_400_000
  const statuses = ['VERIFIED', 'EXPIRED', 'CANCELLED', 'WRONG_AMOUNT'] as const
  await plantIntents(
    service.db,
    Array.from({ length: 60 }, (_, i) =>
      planted({
        accountId,
        walletId: i % 3 === 0 ? demo.wallets.second : main,
        createdAt: base + i * 1000,
        status: statuses[i % 4]!,
        externalOrderId: `csv-${i}`,
      }),
    ),
  )
  for (const query of [
    'search=csv-',
    'search=csv-&status=VERIFIED,CANCELLED',
    `search=csv-&wallet=${demo.wallets.second}`,
    'external_order_id=csv-7',
    `created_before=${encodeURIComponent(new Date(base + 30_500).toISOString())}`,
    'search=nothing-of-this',
  ]) {
    const list = await viewer.ask('GET', `/intents/?page_size=100&${query}`)
    const table = await viewer.ask('GET', `/intents/csv/?${query}&page=3&ordering=payable_amount`)
    assert.deepEqual(
      rowsOf(table.text).map((row) => row.slice(-36)),
      list.body.results.map(({ id }: { id: string }) => id),
      query,
    )
  }
  const [csvRefusal, listRefusal] = [
    await viewer.ask('GET', '/intents/csv/?status=NO'),
    await viewer.ask('GET', '/intents/?status=NO'),
  ]
  assert.equal(`${csvRefusal.status} ${csvRefusal.text}`, `${listRefusal.status} ${listRefusal.text}`)
})

const everything = filterOf(accountId)

test('every intent is read once, newest first, also when more than one batch was created in one millisecond', async () => {
  const other = await createMembers(service)
  const walletId = demo.other.wallet
  const at = (ms: number, count: number): Planted[] =>
    Array.from({ length: count }, () => planted({ accountId: other.otherId, walletId, createdAt: clock.now() - ms }))
  const intents = [...at(0, 3), ...at(5, batchSize - 4), ...at(6, 2 * batchSize + 3), ...at(7, 1), ...at(9, batchSize)]
  for (let i = 0; i < intents.length; i += 1000) await plantIntents(service.db, intents.slice(i, i + 1000))
  const list = intentLister({ db: service.db, shared: service.db, talliedUntil: () => 0 })
  for (const statuses of [undefined, new Set(['PENDING', 'EXPIRED'] as const)]) {
    const seen: string[] = []
    for await (const batch of eachIntent(
      list,
      { ...everything, scope: wholeAccount(other.otherId), statuses },
      clock.now(),
    )) {
      assert.ok(batch.length <= batchSize)
      seen.push(...batch.map(({ id }) => id))
    }
    assert.deepEqual(
      seen,
      intents
        .map(({ id }) => id)
        .sort()
        .reverse(),
    )
  }
})

/** A list of any number of intents that counts the pages that are read. */
const longList = (count: number) => {
  const reads = { pages: 0 }
  const intent = (n: number, now: Instant): Intent => ({
    ...planted({ accountId, walletId: main, createdAt: now - n }),
    id: `${1e9 - n}` as IntentId,
    accountId,
    walletId: main,
    base: minor(1n),
    payable: minor(1n),
    paid: null,
    arrival: null,
    currency: 'YER',
    notes: 'n'.repeat(300),
    items: '[]',
    manual: false,
    matched: null,
  })
  const page = async (filter: Filter, _order: unknown, limit: number, _offset: number, now: Instant) => {
    reads.pages++
    const first = now + 1 - filter.until!
    return Array.from({ length: Math.min(limit, count - first) }, (_, i) => intent(first + i, now))
  }
  const list = { page, count: async () => count, first: async () => ({ count, intents: [] }) }
  return { reads, table: () => tableOf({ list, wallets, clock }, everything, zoneOf('Asia/Aden'), clock.now()) }
}
const wallets = { get: () => undefined, forget: () => {} }

test('the header row is sent before anything is read; batches are read as they are sent, none after a disconnect', async () => {
  const { reads, table } = longList(1_000_000)
  const stream = table()
  const chunks = stream[Symbol.asyncIterator]()
  const head = await chunks.next()
  assert.ok(String(head.value).startsWith('\uFEFFcreated_at,'))
  for (let taken = 0; taken < 20; taken++) {
    // The batches that are being sent or buffered: their number does not depend on the length of the file.
    assert.ok(reads.pages <= taken + 3, `${reads.pages} batches were read when ${taken} were taken`)
    await chunks.next()
  }
  stream.destroy()
  const last = reads.pages
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
  assert.equal(reads.pages, last)
})

test('a long file is complete over HTTP, and no transaction is held open meanwhile', async () => {
  const walletId = demo.wallets.second
  const count = 20_000
  for (let i = 0; i < count; i += 4_000)
    await plantIntents(
      service.db,
      Array.from({ length: 4_000 }, (_, n) =>
        planted({ accountId, walletId, createdAt: clock.now() - 10 * 86_400_000 - (i + n) * 7 }),
      ),
    )
  await sql('analyze intents')
  const openTransactions = async () =>
    Number(
      (
        await sql(
          `select count(*) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`,
        )
      )[0]![0],
    )
  /** Other transactions of the service are short. A transaction of the CSV would stay open while the client does not read. */
  const noneStaysOpen = async (): Promise<boolean> => {
    for (let tries = 0; tries < 100; tries++) {
      if ((await openTransactions()) === 0) return true
      await delay(20)
    }
    return false
  }
  const { answer } = await get(`/intents/csv/?wallet=${walletId}&created_before=2025-12-30`)
  const seen = new Set<string>()
  let rest = ''
  let looked = false
  for await (const chunk of answer.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop()!
    for (const line of lines) seen.add(line.slice(-36))
    if (!looked) assert.ok(await noneStaysOpen(), 'a transaction is held open')
    looked = true
  }
  assert.equal(rest, '')
  // Plus the header row.
  assert.equal(seen.size, count + 1)
})

test('an account can download four files at once; after a disconnect another one can start', async () => {
  const path = `/intents/csv/?wallet=${demo.wallets.second}`
  const open = await Promise.all(Array.from({ length: 4 }, () => get(path)))
  for (const { answer } of open) {
    assert.equal(answer.statusCode, 200)
    answer.pause()
  }
  const fifth = await viewer.ask('GET', path)
  assert.equal(fifth.status, 429)
  assert.equal(fifth.headers['retry-after'], '5')
  // Another account has its own limit.
  assert.equal((await members.stranger.ask('GET', '/intents/csv/?code=0000000000')).status, 200)
  for (const { request } of open) request.destroy()
  await until(async () => (await viewer.ask('GET', '/intents/csv/?code=0000000000')).status === 200)
  const ends = service.lines.filter((line) => line.includes('"level":50'))
  assert.deepEqual(ends, [], 'a disconnect is not logged as an error')
})

for (const [name, takeAway] of [
  ['is removed', (owner: AskAs, id: string) => owner('DELETE', `/members/${id}/`)],
  [
    'is given other wallets',
    (owner: AskAs, id: string) => owner('PATCH', `/members/${id}/`, { body: { wallets: [main] } }),
  ],
] as const)
  test(`a member who ${name} while a file is downloaded gets no further part of it`, async () => {
    const member = await createMember(service, accountId, 'viewer')
    const headers = { cookie: `sanad_session=${member.session.token}` }
    // The first batch waits for this lock; the line with the names of the columns was sent before.
    const blocker = new pg.Client({ connectionString: service.databaseUrl })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('lock table intents in access exclusive mode')
    const url = dashboardAt(service.origin, `/intents/csv/?wallet=${demo.wallets.second}`)
    const answer = await new Promise<IncomingMessage>((done, fail) =>
      httpRequest(url, { headers, agent: false }, done).on('error', fail).end(),
    )
    assert.equal(answer.statusCode, 200)
    const removed = await takeAway(members.owner.ask, member.userId)
    assert.ok(removed.status < 300, removed.text)
    clock.advance(2_000)
    await blocker.query('commit')
    await blocker.end()
    let received = ''
    await assert.rejects(async () => {
      for await (const chunk of answer.setEncoding('utf8')) received += chunk
    }, /aborted/)
    assert.equal(rowsOf(received).length, 0, received.slice(0, 1000))
    const faults = service.lines.filter((line) => line.includes('"level":50'))
    assert.deepEqual(faults, [])
  })
