import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phonePrograms } from './phone-programs.ts'
import { type ListPage, pageSize, readInbox } from './read-inbox.ts'
import { rowKey, type SmsRow } from './sms-row.ts'

const begin = Date.parse('2026-01-02T00:00:00Z')
const minute_ms = 60_000
const local = (instant: number) => new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
const message = (id: number, received = begin + id * minute_ms): SmsRow => ({
  id,
  sender: 'Jaib',
  text: `message ${id}`,
  received: local(received),
})
const messages = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => message(from + i))

/** Lists messages as Termux does: the page with the newest dates first; within a page, the oldest first. */
const inbox = (rows: SmsRow[]) => {
  let calls = 0
  const list: ListPage = async (limit, offset) => {
    calls++
    const page = rows
      .toSorted((one, other) => (one.received < other.received ? 1 : one.received > other.received ? -1 : 0))
      .slice(offset, offset + limit)
      .reverse()
    return { rows: page, leftOut: [] }
  }
  return { list, calls: () => calls }
}

const read = (list: ListPage, known: readonly SmsRow[], more: { whole?: boolean; now?: number } = {}) => {
  const keys = new Set(known.map(rowKey))
  const isKnown = (key: string) => keys.has(key)
  const { whole = false, now = begin + 10_000 * minute_ms } = more
  return readInbox(list, { isKnown, wanted: (_, key) => !isKnown(key), whole, zone: 'UTC', now })
}
const ids = (rows: readonly SmsRow[]) => rows.map(({ id }) => id)
const upTo = (from: number, to: number) => ids(messages(from, to))

test('if no message is new, only one page is read', async () => {
  const { list, calls } = inbox(messages(1, 1000))
  assert.deepEqual(ids((await read(list, messages(1, 1000))).rows), [])
  assert.equal(calls(), 1)
})

test('a thousand messages that came while the agent was not running are found, the oldest first', async () => {
  const { list } = inbox(messages(1, 1500))
  const { rows, complete } = await read(list, messages(1, 500))
  assert.deepEqual(ids(rows), upTo(501, 1500))
  assert.equal(complete, false)
})

test('an inbox of any size is read to its end', async () => {
  for (const size of [0, 1, pageSize - 1, pageSize, pageSize + 1, 2 * pageSize - 10, 2 * pageSize, 517]) {
    const { list } = inbox(messages(1, size))
    const { rows, keys, complete } = await read(list, [], { whole: true })
    assert.deepEqual(ids(rows), size === 0 ? [] : upTo(1, size), String(size))
    assert.deepEqual([keys.size, complete], [size, true])
  }
})

test('messages behind others that are dated in the future are found', async () => {
  // The clock was a year ahead for 250 messages; the next ones have the right time again, and are listed behind them.
  const year_ms = 365 * 86_400_000
  const ahead = messages(501, 750).map((row) => message(row.id, begin + row.id * minute_ms + year_ms))
  const known = [...messages(1, 500), ...ahead]
  const { list } = inbox([...known, ...messages(751, 760)])
  assert.deepEqual(ids((await read(list, known)).rows), upTo(751, 760))
})

test('a whole reading finds messages that were dated far in the past', async () => {
  const known = messages(1, 300)
  const { list } = inbox([...known, message(301, 0)])
  assert.deepEqual(ids((await read(list, known)).rows), [])
  assert.deepEqual(ids((await read(list, known, { whole: true })).rows), [301])
  // A quick reading finds it too while the clock is still wrong, because all other messages are then dated in the future.
  assert.deepEqual(ids((await read(list, known, { now: 60_000 })).rows), [301])
})

test('no message is missed if others arrive or are deleted while the pages are read', async () => {
  const rows = messages(1, 600)
  const { list } = inbox(rows)
  let pages = 0
  const busy: ListPage = async (limit, offset) => {
    const page = await list(limit, offset)
    pages++
    if (pages === 2) rows.push(...messages(601, 640))
    // A whole conversation is deleted: everything after it moves up by more than the overlap.
    if (pages === 4) rows.splice(600, 40)
    return page
  }
  const { rows: found } = await read(busy, messages(1, 20))
  assert.deepEqual(
    upTo(21, 600).filter((id) => !ids(found).includes(id)),
    [],
  )
})

test('an inbox that changes all the time is left for the next sweep', async () => {
  const rows = messages(1, 9_000)
  const { list } = inbox(rows)
  const busy: ListPage = async (limit, offset) => {
    const page = await list(limit, offset)
    rows.splice(-50, 50)
    return page
  }
  await assert.rejects(read(busy, []), /deleted while the inbox was read/)
})

/** The inbox through the real reading of what Termux prints. `elements` are printed as they are, the newest first. */
const printedInbox = (elements: readonly unknown[]): ListPage =>
  phonePrograms(async (_, args) => {
    const [limit, offset] = [Number(args[3]), Number(args[5])]
    return JSON.stringify(elements.slice(offset, offset + limit).reverse())
  }, undefined).inbox
const printed = ({ id, sender, text, received }: SmsRow) => ({ _id: id, address: sender, body: text, received })

test('elements that are no messages do not end the reading: the messages behind them are found', async () => {
  const newest = messages(1, 250).toReversed().map(printed)
  // One alone; as many as the pages overlap by, just there; a whole page and more; and elements that are all different.
  for (const [at, odd] of [
    [3, [null]],
    [pageSize - 10, Array(10).fill(null)],
    [20, Array(2 * pageSize + 30).fill({ type: 'sent' })],
    [pageSize, Array.from({ length: pageSize + 5 }, (_, i) => ({ _id: `x${i}` }))],
  ] as const) {
    const { rows, keys, complete } = await read(printedInbox(newest.toSpliced(at, 0, ...odd)), [], { whole: true })
    assert.deepEqual(ids(rows), upTo(1, 250), `${odd.length} at ${at}`)
    assert.deepEqual([keys.size, complete], [250, true])
  }
})

test('a list without an end is read up to a bound, and does not count as the whole inbox', async () => {
  let calls = 0
  const endless: ListPage = phonePrograms(async () => {
    calls++
    return `[${Array(pageSize).fill('null').join()}]`
  }, undefined).inbox
  assert.equal((await read(endless, [], { whole: true })).complete, false)
  assert.ok(calls < 1200, String(calls))
})
