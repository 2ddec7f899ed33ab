/**
 * 0130: an account is copied while it is at work. Rows of every table are changed, added and deleted while the command copies them and after
 * it has, and the copy has them as they are in the end.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { quoted } from '../../../src/postgres/backup/backup-sql.ts'
import { tableColumns } from '../../../src/postgres/tenancy/account-tables-sql.ts'
import { type MovedTable, movedTables } from '../../../src/postgres/tenancy/moved-tables.ts'
import { commandsOf } from '../../support/commands.ts'
import { planted, plantIntents } from '../../support/plant-intents.ts'
import { openTestService } from '../../support/story.ts'
import { accountInEveryTable, assertSameRows, cellB, holdUp, openEmptyCell } from './cell-story.ts'

const service = await openTestService()
const { sql, db } = service
const b = await openEmptyCell()
const accountId = await accountInEveryTable(service)
const { sanad } = commandsOf(service, cellB(b.url))
const tables = await movedTables(db)
const [[walletId]] = (await sql('select id::text from wallets where account_id = $1 limit 1', [accountId])) as [
  [string],
]

const session = new pg.Client({ connectionString: service.databaseUrl })
await session.connect()
// Its database may be dropped first.
session.on('error', () => {})
after(() => session.end())

/** Returns whether it was allowed, and changed a row. */
const tried = async (text: string, values: readonly unknown[] = []): Promise<boolean> => {
  await session.query('begin')
  try {
    const { rowCount } = await session.query(text, [...values])
    await session.query('commit')
    return rowCount === 1
  } catch {
    await session.query('rollback')
    return false
  }
}

/** SQL: another value of the type. */
const others: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  bigint: (column) => `coalesce(${column}, 0) + 1`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  'timestamp(3) with time zone': (column) => `${column} - interval '1 minute'`,
  'timestamp with time zone': (column) => `${column} - interval '1 minute'`,
  boolean: (column) => `not ${column}`,
}

const oneRow = ({ name, rows }: MovedTable): string =>
  `ctid = (select ctid from "${name}" where ${rows} order by ctid limit 1)`

/** Changes a row of each table. Returns the names of those that had one to be changed. */
const changeRows = async (): Promise<string[]> => {
  const changed: string[] = []
  for (const table of tables)
    for (const { name, type } of await tableColumns(db, table.name)) {
      const other = others[type]?.(quoted(name))
      if (other === undefined || table.keys.includes(name)) continue
      if (!(await tried(`update "${table.name}" set "${name}" = ${other} where ${oneRow(table)}`, [accountId])))
        continue
      changed.push(table.name)
      break
    }
  return changed
}

/** Adds a row to each table, with another key. */
const addRows = async (): Promise<string[]> => {
  const added: string[] = []
  for (const table of tables) {
    const key = (await tableColumns(db, table.name)).find(
      ({ name, type, key_place }) => key_place > 0 && name !== 'account_id' && (type === 'uuid' || type === 'text'),
    )
    if (key === undefined) continue
    const columns = table.columns.map((name) => (name === key.name ? `gen_random_uuid()::${key.type}` : quoted(name)))
    const text = `insert into "${table.name}" (${table.columns.map(quoted).join(', ')})
                  select ${columns.join(', ')} from "${table.name}" where ${oneRow(table)}`
    if (await tried(text, [accountId])) added.push(table.name)
  }
  return added
}

const deleteRows = async (): Promise<string[]> => {
  const deleted: string[] = []
  for (const table of tables.toReversed())
    if (table.name !== 'members' && (await tried(`delete from "${table.name}" where ${oneRow(table)}`, [accountId])))
      deleted.push(table.name)
  return deleted
}

/** Two alerts of one phone, by the ids that it gave them: no two may have the same. */
const alertIds = [randomUUID(), randomUUID()]
const clientIds = [randomUUID(), randomUUID()]
const clientsOf = (cell: Pick<typeof b, 'sql'>) =>
  cell.sql('select client_id::text from alerts where id = any($1::uuid[]) order by id = $2', [alertIds, alertIds[0]])

const plantAlerts = async (): Promise<void> => {
  const columns = (tables.find(({ name }) => name === 'alerts') as MovedTable).columns
  for (const [n, id] of alertIds.entries()) {
    const values = columns.map((name) =>
      name === 'id' ? `'${id}'::uuid` : name === 'client_id' ? `'${clientIds[n]}'` : quoted(name),
    )
    const { rowCount } = await session.query(
      `insert into alerts (${columns.map(quoted).join(', ')})
       select ${values.join(', ')} from alerts where account_id = $1 and state = 'dismissed' and device_id is not null limit 1`,
      [accountId],
    )
    assert.equal(rowCount, 1)
  }
}

const swapClients = async (): Promise<void> => {
  const set = 'update alerts set client_id = $2 where id = $1'
  await session.query('begin')
  for (const values of [
    [alertIds[0], randomUUID()],
    [alertIds[1], clientIds[0]],
    [alertIds[0], clientIds[1]],
  ])
    await session.query(set, values)
  await session.query('commit')
}

const makeMember = async (): Promise<string> => {
  const id = randomUUID()
  await sql(
    `insert into users (id, email, name, password_hash, created_at) values ($1, $2, 'Somebody', 'a hash', now())`,
    [id, `${id}@shop.example`],
  )
  await sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`, [
    accountId,
    id,
  ])
  return id
}

const usersThere = (ids: readonly string[]) =>
  b.sql('select id::text, email, name, password_hash from users where id = any($1::uuid[]) order by id', [ids])

type Step = readonly [url: string, lock: string, work: (cut: () => Promise<unknown>) => Promise<void>]

/** Runs the move, and does `work` each time that it waits for one of the locks, one after another. */
const moveWith = async (steps: readonly Step[], id = accountId) => {
  const holds = []
  for (const [url, lock] of steps) holds.push(await holdUp(url, lock))
  let ended: string | undefined
  const over = sanad('account', 'move', '--account', id, '--to', 'b', '--prepare')
    .catch((fault: Error) => ({ code: 1, out: '', err: fault.message }))
    .then((answer) => {
      ended = answer.err + answer.out
      return answer
    })
  try {
    for (const [n, hold] of holds.entries()) {
      await hold.isWaitedFor(() => ended)
      await steps[n]![2](hold.cut)
      await hold.release()
    }
  } finally {
    for (const hold of holds) await hold.release()
  }
  return over
}

const whileCopying = [b.url, 'lock table alerts in share mode'] as const
const beforeFrozen = [service.databaseUrl, 'lock table deliveries in share update exclusive mode'] as const

const guards = `select from pg_trigger where tgname = 'frozen_account' and tgenabled <> 'D'`
const stateHere = async () => (await sql('select state from account_moves'))[0]?.[0]

test('an account that is to be erased meanwhile, or whose master key is rotated, is not moved, and goes on here', async () => {
  const [[doneAt]] = (await sql('select done_at::text from master_keys')) as [[string]]
  for (const [change, back, why] of [
    [
      `insert into account_erasures (id, state, asked_at, due_at) values ('${accountId}', 'waiting', now(), now() + interval '1 day')`,
      'delete from account_erasures',
      /waits to be erased.*The account goes on here/,
    ],
    [
      'update master_keys set done_at = null',
      `update master_keys set done_at = '${doneAt}'`,
      /is being rotated.*The account goes on here/,
    ],
  ] as const) {
    const before = await sql('select * from master_keys')
    const { code, err } = await moveWith([[...whileCopying, async () => void (await sql(change))]])
    assert.equal(code, 1)
    assert.match(err, why)
    await sql(back)
    assert.deepEqual(await sql('select * from master_keys'), before)
    assert.deepEqual([await stateHere(), await sql('select from account_freezes')], ['copying', []])
    assert.deepEqual([await sql(guards), await b.sql('select from accounts')], [[], []])
  }
})

test('a copy is made again if the freeze was lost after it: it may be older than what is here', async () => {
  const { err } = await moveWith([
    [service.databaseUrl, 'select from account_moves for update', async (cut) => void (await cut())],
  ])
  assert.match(err, /terminating connection/)
  assert.equal((await b.sql('select from accounts where id = $1', [accountId])).length, 1)
  assert.deepEqual(await sql('select state from account_freezes'), [['frozen']])
  await sql('delete from account_freezes')
  await sql(`update accounts set name = 'Named later' where id = $1`, [accountId])
  assert.deepEqual(await b.sql(`select from accounts where name = 'Named later'`), [])
})

test('rows of every table that change while they are copied, and after, are in the copy as they are in the end', async (t) => {
  const [stays, leaves] = [await makeMember(), await makeMember()]
  await plantAlerts()
  let comes = ''
  const changed = new Set<string>()
  const changedAgain = new Set<string>()
  let [added, deleted]: [string[], string[]] = [[], []]
  const { code, out, err } = await moveWith([
    [
      ...whileCopying,
      async () => {
        assert.deepEqual(await sql('select from account_freezes'), [], 'it is at work')
        for (const name of await changeRows()) changed.add(name)
        added = await addRows()
        comes = await makeMember()
        await sql(`update users set password_hash = 'another', name = 'Renamed' where id = $1`, [stays])
        await plantIntents(
          db,
          (['PENDING', 'VERIFIED', 'EXPIRED'] as const).map((status) =>
            planted({ accountId, walletId, status, createdAt: Date.now() }),
          ),
        )
      },
    ],
    [
      ...beforeFrozen,
      async () => {
        assert.deepEqual(await sql('select state from account_freezes'), [['stopping']])
        deleted = await deleteRows()
        for (const name of await changeRows()) changedAgain.add(name)
        await swapClients()
        await sql('delete from members where user_id = $1', [leaves])
        await sql(`update users set password_hash = 'the last' where id = $1`, [stays])
      },
    ],
  ])
  assert.equal(code, 0, err)
  assert.doesNotMatch(out, /copied again/)
  await assertSameRows(db, { sql }, b, accountId)
  assert.equal((await b.sql(`select from accounts where name like 'Named later%'`)).length, 1)
  // Rows of a log that only grows are not changed, and some tables have one column more than their key.
  const unchanged = tables.filter(({ name }) => !changed.has(name) && !changedAgain.has(name)).map(({ name }) => name)
  t.diagnostic(`not changed: ${unchanged}; added: ${added.length}; deleted: ${deleted.length} of ${tables.length}`)
  assert.ok(unchanged.length <= 5 && added.length > 10 && deleted.length > 30, `${unchanged}`)

  assert.deepEqual((await clientsOf(b)).flat().toSorted(), clientIds.toSorted())
  assert.deepEqual(await clientsOf(b), await clientsOf({ sql }))
  assert.deepEqual(
    await usersThere([stays, comes]),
    [
      [stays, `${stays}@shop.example`, 'Renamed', 'the last'],
      [comes, `${comes}@shop.example`, 'Somebody', 'a hash'],
    ].toSorted((one, other) => (one[0]! < other[0]! ? -1 : 1)),
  )
  assert.deepEqual(await usersThere([leaves]), [], 'no row names who has left')
  const counted = `select hour::text, wallet_id::text, status, sum(n)::int from intent_counts where account_id = $1
                    group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3`
  const counts = await b.sql(counted, [accountId])
  assert.deepEqual(
    counts,
    await b.sql(
      `select date_trunc('hour', created_at, 'UTC')::text, wallet_id::text, status, count(*)::int
         from intents where account_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
      [accountId],
    ),
  )
  assert.ok(counts.length > 3)
})

test('a cell that has lost the switch and the freeze stops the account again, and says what it has written since', async () => {
  await sql(`update account_moves set state = 'copying', switched_at = null`)
  await sql('delete from account_freezes')
  await plantIntents(db, [planted({ accountId, walletId, status: 'VERIFIED', createdAt: Date.now() })])
  const answer = await sanad('account', 'move', '--account', accountId, '--to', 'b')
  assert.equal(answer.code, 0, answer.err)
  assert.match(answer.out, /uses the account already.*: 1 intents are here alone.*Switched/s)
  assert.deepEqual(await sql('select state from account_moves'), [['switched']])
  assert.deepEqual(await sql('select state from account_freezes'), [['frozen']])
})

test('a change that cannot be repeated row by row: the account is copied again while it is frozen', async () => {
  const shop = (await sql('select account_id::text, id::text from devices where id = $1', [service.demo.device.id]))[0]
  const demo = shop![0] as typeof accountId
  const wallet = service.demo.wallets.main
  await plantIntents(db, [planted({ accountId: demo, walletId: wallet, status: 'VERIFIED', createdAt: Date.now() })])
  const { code, out, err } = await moveWith(
    [
      [
        ...beforeFrozen,
        async () => {
          // PostgreSQL changes the rows that refer to it too.
          const { rowCount } = await session.query('update wallets set identity = $2 where id = $1', [
            wallet,
            randomUUID(),
          ])
          assert.equal(rowCount, 1)
        },
      ],
    ],
    demo,
  )
  assert.equal(code, 0, err)
  assert.match(out, /cannot be repeated one by one.*copied again, while the account is frozen.*Switched/s)
  await assertSameRows(db, { sql }, b, demo)
})
