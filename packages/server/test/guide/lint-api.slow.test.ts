/** The linter has no finding in the published OpenAPI documents: nothing that client generators or viewers fail on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documents, lintDocument } from './lint-api.ts'

for (const name of documents)
  test(`the linter has no finding in ${name}.json`, async () => {
    assert.deepEqual(await lintDocument(name), [])
  })
