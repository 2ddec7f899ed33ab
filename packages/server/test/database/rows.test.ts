/** Rows as a connection receives them: each query gets its own, whatever comes between them, and values are read the same everywhere. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { faultCode, openDatabase } from '../../src/postgres/connection/database.ts'
import { bytes, instant } from '../../src/postgres/query/columns.ts'
import { statement } from '../../src/postgres/query/statement.ts'
import { freshDatabase } from '../support/test-databases.ts'

const database = await freshDatabase()
const open = (url = database.url) => openDatabase({ url, connections: 2, application: 'test', onFault: () => {} })
const db = open()
/** No statement counts as slow, however busy this machine is. */
const session = db.pipelined(Number.POSITIVE_INFINITY)
after(async () => {
  await db.close()
  await database.drop()
})

const query = (text: string, values: readonly unknown[] = []) => ({ text, values })
const echo = (texts: readonly (string | null)[]) =>
  query(`select * from (values (${texts.map((_, n) => `$${n + 1}::text`).join(', ')})) as v`, texts)

await db.run(
  query(`
  create function noisy(n int) returns text language plpgsql as $$
  begin
    raise notice 'row %', repeat('ü', n % 700);
    perform pg_notify('rows', repeat('n', n % 700));
    return repeat('é', n % 50) || n;
  end $$`),
)

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((one) => one.replaceAll('\0', '')),
  fc.constantFrom('', '\u{1F600}', 'طلب ١٢', '\\x00', '"', '\u001f', 'D'),
  // Around the longest row that is read as one text, the size of a packet, and lengths that look like other bytes.
  fc
    .constantFrom(127, 128, 255, 256, 4_050, 4_080, 4_095, 4_096, 4_097, 8_192, 65_500, 65_536, 70_000)
    .chain((size) =>
      fc.constantFrom('a', 'ü', '\u{1F600}').map((sign) => sign.repeat(Math.ceil(size / Buffer.byteLength(sign)))),
    ),
)
const row = fc.array(fc.option(text), { minLength: 1, maxLength: 6 })

test('property: what is sent comes back, to the query that asked for it, also beside queries that fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      const answers = rows.map((one, n) => {
        // The first rows of this one are sent before it fails.
        if (n % 3 === 2)
          void session.run(query('select n, 1 / (900 - n) from generate_series(1, 1000) as n')).catch(() => {})
        return session.run(echo(one))
      })
      assert.deepEqual(
        await Promise.all(answers),
        rows.map((one) => [one]),
      )
    }),
    { numRuns: 60 },
  )
})

test('notices, notifications and parameters between rows change no row', async () => {
  const noisy = query('select noisy(n), n from generate_series(1, 1500) as n')
  const [, first, , second] = await Promise.all([
    session.run(query('listen rows')),
    session.run(noisy),
    session.run(query(`set application_name = 'another'`)),
    session.run(noisy),
  ])
  const expected = Array.from({ length: 1500 }, (_, i) => [`${'é'.repeat((i + 1) % 50)}${i + 1}`, String(i + 1)])
  assert.deepEqual(first, expected)
  assert.deepEqual(second, expected)
})

test('a query that fails or is cancelled after its first rows has none, and the next one its own', async () => {
  const [failed, cancelled, copied, next] = await Promise.allSettled([
    session.run(query(`select repeat('x', 9000), 1 / (90 - n) from generate_series(1, 100) as n`)),
    session.run(
      query(`select repeat('x', 9000), case when n = 90 then pg_cancel_backend(pg_backend_pid()) end, pg_sleep(0.001)
      from generate_series(1, 5000) as n`),
    ),
    session.run(query(`copy (select repeat('D', 9000) from generate_series(1, 20)) to stdout`)),
    session.run(echo(['own', null, ''])),
  ])
  const codeOf = (one: PromiseSettledResult<unknown>) => (one.status === 'rejected' ? faultCode(one.reason) : one.value)
  assert.equal(codeOf(failed), '22012')
  assert.equal(codeOf(cancelled), '57014')
  assert.deepEqual(codeOf(copied), [])
  assert.deepEqual(codeOf(next), [['own', null, '']])
})

test('no row at all, no column, and an empty statement', async () => {
  const answers = await Promise.all([
    session.run(query('select 1 where false')),
    session.run(query('select from generate_series(1, 3)')),
    session.run(query('')),
    session.run(query('select 2')),
  ])
  assert.deepEqual(answers, [[], [[], [], []], [], [['2']]])
})

test('times and bytes are read the same whatever the server, the database or the URL has set', async () => {
  const [[name]] = (await db.run(query('select current_database()'))) as [[string]]
  for (const setting of [`datestyle = 'SQL, DMY'`, `timezone = 'Asia/Aden'`, `bytea_output = 'escape'`])
    await db.run(query(`alter database "${name}" set ${setting}`))
  const options = encodeURIComponent(
    '-c timezone=Asia/Kathmandu -c datestyle=German -c bytea_output=escape -c work_mem=7MB',
  )
  const read = statement(
    'read_settings',
    { at: instant(), data: bytes() },
    () => [],
    `select timestamptz '2026-01-02 03:04:05.678+00' as at, bytea '\\x00ff5c' as data`,
  )
  for (const url of [database.url, `${database.url}${database.url.includes('?') ? '&' : '?'}options=${options}`]) {
    const fresh = open(url)
    const [values] = await read(fresh)
    assert.equal(values!.at, Date.parse('2026-01-02T03:04:05.678Z'))
    assert.deepEqual([...values!.data], [0, 255, 92])
    const [[memory]] = (await fresh.run(query('show work_mem'))) as [[string]]
    assert.equal(memory === '7MB', url !== database.url)
    await fresh.close()
  }
})
