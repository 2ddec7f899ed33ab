/**
 * Checks every SQL statement against a real database: it prepares, and it returns the columns that it declares, in this
 * order and with these types.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { allStatements } from '../../src/postgres/query/statement.ts'
import { freshDatabase } from '../support/test-databases.ts'

const src = join(import.meta.dirname, '../../src')
const files = globSync('**/*-sql.ts', { cwd: src }).sort()
for (const file of files) await import(join(src, file))

const database = await freshDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

type Field = { readonly name: string; readonly dataTypeID: number }
type Wire = {
  parse(query: { name: string; text: string; types: number[] }): void
  describe(statement: { type: 'S'; name: string }): void
  sync(): void
}

/** Parses and describes a statement without running it. */
class Description {
  readonly text: string
  readonly done: Promise<readonly Field[]>
  #fields: readonly Field[] = []
  #settle!: { resolve: (fields: readonly Field[]) => void; reject: (fault: Error) => void }

  constructor(text: string) {
    this.text = text
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    wire.parse({ name: '', text: this.text, types: [] })
    wire.describe({ type: 'S', name: '' })
    wire.sync()
  }

  handleRowDescription(message: { fields: readonly Field[] }): void {
    this.#fields = message.fields
  }

  handleError(fault: Error): void {
    this.#settle.reject(fault)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#fields)
  }
}

const describe = (text: string): Promise<readonly Field[]> => client.query(new Description(text)).done

const typeNames = new Map<number, string>(
  (await client.query('select oid::int as oid, typname from pg_type')).rows.map((row) => [row.oid, row.typname]),
)

test('statements are only in files named -sql, so that none is missed here', () => {
  assert.ok(allStatements.length >= 20, `only ${allStatements.length} statements were found`)
  const others = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('-sql.ts'))
  const withStatements = others.filter((file) => /(^|[^.\w])statement\(/m.test(readFileSync(join(src, file), 'utf8')))
  assert.deepEqual(withStatements, [])
})

for (const { statementName, sql, columns } of allStatements) {
  test(`${statementName} prepares, and its columns are those it declares`, async () => {
    const described = (await describe(sql)).map((field) => ({
      name: field.name,
      type: typeNames.get(field.dataTypeID) ?? String(field.dataTypeID),
    }))
    assert.deepEqual(
      described.map(({ name }) => name),
      Object.keys(columns),
    )
    for (const { name, type } of described)
      assert.ok(
        columns[name]!.types.includes(type),
        `${name} is of type ${type}, not ${columns[name]!.types.join(' or ')}`,
      )
  })
}

test('a statement that does not prepare, or returns other columns, is reported', async () => {
  await assert.rejects(describe('select no_such_column from intents'), { code: '42703' })
  assert.deepEqual(
    (await describe('select 1::int8 as n, now() as t')).map(({ name, dataTypeID }) => [
      name,
      typeNames.get(dataTypeID),
    ]),
    [
      ['n', 'int8'],
      ['t', 'timestamptz'],
    ],
  )
})
