/** The names of SQL statements: each is that of the constant that holds it, and no two are the same. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { allStatements } from '../src/postgres/query/statement.ts'

const src = join(import.meta.dirname, '../src')
const exports: [name: string, value: unknown][] = []
for (const file of globSync('**/*-sql.ts', { cwd: src })) exports.push(...Object.entries(await import(join(src, file))))

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The name that each statement must have. In a record of statements, the key follows the constant; a key such as
 * `-created_at`, an order, becomes `created_at_down`. A sealed column is created with its place: `alerts.sealed_text`.
 */
const expected = new Map<unknown, string>()
const expectNames = (name: string, value: unknown): void => {
  if (typeof value === 'function') expected.set(value, snakeCase(name))
  else if (Array.isArray(value)) for (const item of value) expectNames(name, item)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      if (typeof inner === 'function')
        expected.set(
          inner,
          'place' in value
            ? `${key}_${String(value.place).replace('.', '_')}`
            : snakeCase(`${name}_${key.replace(/^-(.+)/, '$1_down')}`),
        )
}
for (const [name, value] of exports) expectNames(name, value)

test('a statement has the name of its constant, in snake_case', () => {
  assert.ok(allStatements.length > 400, `only ${allStatements.length} statements were found`)
  const wrong = allStatements
    // The text for a scope of some wallets belongs to the constant too.
    .filter(({ statementName }) => !/_(?:limited|today)$/.test(statementName))
    .map((statement) => ({ name: statement.statementName, constant: expected.get(statement) ?? 'not exported' }))
    .filter(({ name, constant }) => name !== constant)
  assert.deepEqual(wrong, [])
})

test('names of statements are unique', () => {
  const names = allStatements.map(({ statementName }) => statementName)
  assert.deepEqual(names.toSorted(), [...new Set(names)].sort())
  // PostgreSQL truncates longer names, and then two names could become equal.
  for (const name of names) assert.match(name, /^[a-z][a-z0-9_]{0,62}$/)
})
