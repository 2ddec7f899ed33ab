import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { freshDatabase } from '../support/test-databases.ts'
import { dumps } from './dumps.ts'

const database = await freshDatabase()
after(() => database.drop())

for (const { path, text } of await dumps(database.url)) {
  test(`${path.split('/').at(-1)} equals what the code generates (if not: npm run dumps)`, () => {
    assert.equal(readFileSync(path, 'utf8'), text)
  })
}
