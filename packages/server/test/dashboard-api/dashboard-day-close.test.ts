/** The day close of a wallet over HTTP: figures, lines, CSV, list of days; and the number of rows that its queries read. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@sanad/contract/dashboard/money/day-close'
import type { AlertFilter } from '../../src/alerts/alert-list.ts'
import { minute_ms } from '../../src/core/duration.ts'
import { firstIdAt } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { likelyOf } from '../../src/matching/queue/queue-sql.ts'
import { pageQuery } from '../../src/views/alerts/alert-list-sql.ts'
import { dayRows, daysOfWallet, movementsBefore } from '../../src/views/day-close/day-close-sql.ts'
import { planted, plantIntents } from '../support/plant-intents.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { slowTest } from '../support/runs.ts'
import { errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo, sql, create } = service
const story = await queueStory(service)
const { viewer, cashier, manager } = story
const wallet = demo.wallets.main
const close = (query: string, path = '') => viewer.ask('GET', `/day-close/${path}?wallet=${wallet}&${query}`)
const at = (time: string): void => clock.set(Date.parse(`2026-01-${time}:00.000+03:00`))

test('a day close has opening and closing balance, received money, gaps with their times, and what was matched', async () => {
  at('03T23:00')
  await story.reportTransfer('100', '1000')
  at('04T08:00')
  await story.reportTransfer('50', '1050')
  const reference = story.newReference()
  const intent = (await create({ amount: '200.00' })).body
  clock.advance(minute_ms)
  await story.attach(intent.id, reference)
  await story.money('200.00', reference)
  clock.advance(minute_ms)
  // A message of 30 was lost.
  const late = clock.now()
  await story.reportTransfer('20', '1300')
  clock.advance(minute_ms)
  const dismissed = await story.reportTransfer('900', '77777')
  await cashier.ask('POST', `/unmatched/${dismissed}/dismiss/`, { body: { reason: 'made up' } })
  clock.advance(minute_ms)
  await story.reportTransfer('5', '1305')
  await story.record([story.report('nobody understands this')])
  at('05T00:00')
  await story.reportTransfer('1', '1306')

  const answer = await close('day=2026-01-04')
  assert.equal(answer.status, 200, answer.text)
  fits(contract.showDayClose.answer, answer)
  const { body } = answer
  assert.deepEqual(body.opening, { balance: '1000.00', known: 'shown' })
  assert.equal(body.closing, '1305.00')
  assert.deepEqual(body.credits, { count: 4, amount: '275.00' })
  assert.deepEqual(body.missing, { count: 1, amount: '30.00' })
  assert.equal(body.gaps[0].until, new Date(late + 3 * 3_600_000).toISOString().replace('Z', '000+03:00'))
  assert.deepEqual(body.verified, {
    count: 1,
    amount: '200.00',
    payable: '200.00',
    forgiven_amount: '0.00',
    excess_amount: '0.00',
    by_hand: 0,
  })
  assert.deepEqual(body.unmatched, { count: 3, amount: '75.00' })
  assert.deepEqual(
    [body.dismissed.amount, body.left_out.amount, body.unread, body.closed],
    ['900.00', '900.00', 1, true],
  )
  // The next day starts with this day's closing balance.
  assert.equal((await close('day=2026-01-05')).body.opening.balance, '1305.00')
  assert.equal((await close('')).body.day, '2026-01-05')
})

test('the lines are paged, and the CSV has the same lines and contains no formula', async () => {
  const first = await close('day=2026-01-04&page_size=4', 'lines/')
  fits(contract.listDayLines.answer, first)
  const second = await close(`day=2026-01-04&page_size=4&after=${first.body.next}`, 'lines/')
  assert.deepEqual([first.body.results.length, second.body.results.length, second.body.next], [4, 2, null])
  await sql(`update alerts set payer = '=HYPERLINK("http://x","y")' where id = $1`, [first.body.results[0].alert])
  const table = await close('day=2026-01-04', 'csv/')
  assert.equal(table.headers['content-type'], 'text/csv; charset=utf-8')
  assert.match(String(table.headers['content-disposition']), /attachment; filename="day-close-2026-01-04-/)
  const lines = table.text.slice(1).split('\r\n').slice(0, -1)
  assert.equal(lines.filter((line) => line.startsWith('alert,')).length, 6)
  assert.ok(lines.some((line) => line.includes(`"'=HYPERLINK(""http://x"",""y"")"`)))
  assert.ok(lines.some((line) => line.startsWith('missing,,,,30.00,YER,')))
  assert.ok(lines.at(-1)!.startsWith('closing,2026-01-05T00:00:00.000000+03:00,,,,YER,1305.00,'))
  for (const line of lines) assert.ok(!/(^|,)[=+@]/.test(line), line)
})

test('an alert that comes late closes the gap; the list of days keeps the breaks that were seen at the time', async () => {
  const days = await close('until=2026-01-05&days=3', 'days/')
  fits(contract.listDays.answer, days)
  assert.deepEqual(
    days.body.results.map(({ day, alerts, breaks }: { day: string; alerts: boolean; breaks: number }) => [
      day,
      alerts,
      breaks,
    ]),
    [
      ['2026-01-05', true, 0],
      // The alert after the lost message, and the made-up alert.
      ['2026-01-04', true, 2],
      ['2026-01-03', true, 0],
    ],
  )
  assert.equal(days.body.next, '2026-01-02')
  at('04T23:59')
  await story.reportTransfer('30', '1280')
  const { body } = await close('day=2026-01-04')
  assert.deepEqual([body.gaps, body.closing, body.credits.amount], [[], '1305.00', '305.00'])
})

test('days begin at midnight of the account’s zone', async () => {
  at('05T12:00')
  await sql(`update accounts set time_zone = 'Asia/Tokyo' where id = $1`, [story.accountId])
  const { body } = await close('day=2026-01-05')
  assert.deepEqual([body.time_zone, body.from], ['Asia/Tokyo', '2026-01-05T00:00:00.000000+09:00'])
  assert.equal((await close('')).body.day, '2026-01-05')
  await sql(`update accounts set time_zone = '' where id = $1`, [story.accountId])
})

test('invalid queries are refused; another account’s wallet is not found', async () => {
  for (const path of ['', 'lines/', 'csv/', 'days/']) {
    const day = path === 'days/' ? 'until' : 'day'
    assert.deepEqual(errorsOf(await viewer.ask('GET', `/day-close/${path}`)), ['required@wallet'])
    assert.deepEqual(errorsOf(await viewer.ask('GET', `/day-close/${path}?wallet=x&${day}=2026-02-30`)), [
      'invalid@wallet',
      `invalid@${day}`,
    ])
    for (const id of [randomUUID(), demo.other.wallet])
      assert.deepEqual(errorsOf(await manager.ask('GET', `/day-close/${path}?wallet=${id}`)), ['does_not_exist@wallet'])
    assert.equal((await cashier.ask('GET', `/day-close/${path}?wallet=${wallet}`)).status, 403)
  }
  assert.deepEqual(errorsOf(await close('day=9999-12-31')), ['invalid@day'])
  for (const odd of ['day=9998-12-31', 'day=1970-01-01', 'until=1970-01-02&days=62'])
    for (const path of ['', 'lines/', 'csv/', 'days/'])
      assert.ok([200, 400].includes((await close(odd, path)).status), odd)
  const nothing = (await close('day=2025-06-01')).body
  assert.deepEqual([nothing.opening, nothing.closing, nothing.gaps], [null, null, []])
})

slowTest('a busy day is streamed, and every query of a large account uses its index', async () => {
  const base = Date.parse('2026-03-01T00:00:00+03:00')
  await sql(
    `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                         normaliser_version, fingerprint, wallet_id, direction, amount, currency, balance, chain, state, reason,
                         reference, reference_key)
     select $1, (lpad(to_hex($4::bigint + n * 2000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
            $2, 'many-' || n, 'native', true, 'sms', 'Jawali', 'x', to_timestamp(($4::bigint + n * 2000) / 1000.0), 1,
            decode(md5(n::text), 'hex'), $3, 'credit', 100, 'YER', 1000000 + n * 100, 'fits',
            case when n % 10 = 0 then 'waiting' when n % 10 = 1 then 'unread' else 'review' end, '', 'R' || n, 'R' || n
       from generate_series(1, 60000) as n`,
    [story.accountId, demo.device.id, wallet, base],
  )
  // Enough rows for the planner to prefer an index to a sequential scan.
  await plantIntents(
    service.db,
    Array.from({ length: 5000 }, (_, n) =>
      planted({ accountId: story.accountId, walletId: wallet as never, createdAt: base - n * 1000 }),
    ),
  )
  await sql('vacuum analyze alerts')
  await sql('vacuum analyze intents')
  const { body } = await close('day=2026-03-01')
  assert.equal(body.credits.count, 43_199)
  assert.equal(
    Number(body.opening.balance) +
      Number(body.credits.amount) -
      Number(body.debits.amount) +
      Number(body.missing.amount),
    Number(body.closing),
  )
  const table = await close('day=2026-03-01', 'csv/')
  assert.equal(table.text.split('\r\n').length, 1 + 43_199 + 12 + 1)
  const counts = (await cashier.ask('GET', '/unmatched/counts/')).body
  assert.deepEqual(counts.waiting, { count: 1000, more: true })

  const rowsRead = async (text: string, values: readonly unknown[]): Promise<number> => {
    const [[plan]] = (await service.db.run({ text: `explain (format json, analyze, timing off) ${text}`, values })) as [
      [string],
    ]
    let read = 0
    const walk = (node: Record<string, unknown>): void => {
      assert.notEqual(`${node['Node Type']} ${node['Relation Name']}`, 'Seq Scan alerts', text)
      assert.notEqual(`${node['Node Type']} ${node['Relation Name']}`, 'Seq Scan intents', text)
      if (node['Relation Name'] === 'alerts')
        read +=
          Number(node['Actual Loops']) * (Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0))
      for (const child of (node.Plans ?? []) as Record<string, unknown>[]) walk(child)
    }
    walk(JSON.parse(plan)[0].Plan)
    return read
  }
  const plain: AlertFilter = {
    scope: wholeAccount(story.accountId),
    states: ['waiting', 'review', 'held', 'unread', 'wrong_amount'],
    walletId: undefined,
    phoneId: undefined,
    templateId: undefined,
    from: undefined,
    until: undefined,
    amount: undefined,
    terms: [],
  }
  const boundedFilters: Partial<AlertFilter>[] = [
    {},
    { states: undefined },
    { states: ['held'] },
    { states: ['unread'] },
    { states: ['dismissed'] },
    { walletId: wallet },
    { walletId: wallet, states: undefined },
    { phoneId: demo.device.id, states: undefined },
    { from: base, until: base + 3_600_000 },
  ]
  for (const newestFirst of [true, false])
    for (const filter of boundedFilters) {
      const { text, values } = pageQuery({ ...plain, ...filter }, { newestFirst, after: undefined, size: 50 })
      const read = await rowsRead(text, values)
      assert.ok(
        read <= 200,
        `${JSON.stringify(filter, (_, v) => (typeof v === 'bigint' ? String(v) : v))} reads ${read}`,
      )
    }
  // A search for a text that occurs nowhere is bounded, and returns where to continue.
  const rare = await cashier.ask('GET', '/unmatched/?search=nowhere')
  assert.deepEqual(rare.body.results, [])
  assert.notEqual(rare.body.next, null)
  const { text, values } = pageQuery(
    { ...plain, terms: ['nowhere'] },
    { newestFirst: true, after: undefined, size: 50 },
  )
  assert.ok((await rowsRead(text, values)) <= 10_000)
  const [first, last] = [firstIdAt(base), firstIdAt(base + 86_400_000)]
  assert.ok((await rowsRead(dayRows.sql, [story.accountId, wallet, first, last, 1000])) <= 1000)
  assert.ok((await rowsRead(movementsBefore.sql, [story.accountId, wallet, 'YER', last, 5000])) <= 5000)
  assert.ok((await rowsRead(daysOfWallet.sql, [story.accountId, wallet, [first], [last]])) <= 10)
  const [[id]] = (await sql(`select id from alerts where client_id = 'many-10'`)) as [[string]]
  await rowsRead(likelyOf.sql, [story.accountId, [id], [wallet], ['100'], ['R10'], [first], [last]])
})
