/**
 * `npm run lint:api`: the three OpenAPI documents by the recommended rules of Redocly. The slow tests run it too. Spectral was tried by
 * hand: it asks for a contact, for paths without a slash at their end, and for descriptions of calls whose summary says all. It is no
 * dependency, because it brings 130 packages and an install script that reports to its maker.
 */
import { join, resolve } from 'node:path'
import { createConfig, lint } from '@redocly/openapi-core'

const root = resolve(import.meta.dirname, '../../../..')
export const documents = ['merchant', 'checkout', 'dashboard', 'developer']

/** Every finding, as one line. */
export const lintDocument = async (name: string): Promise<string[]> => {
  const config = await createConfig({
    extends: ['recommended'],
    // The specification has the slashes.
    rules: { 'no-path-trailing-slash': 'off' },
  })
  const problems = await lint({ ref: join(root, `openapi/${name}.json`), config })
  return problems.map(
    ({ severity, ruleId, message, location }) =>
      `${name}.json ${location[0]?.pointer}: ${severity} ${ruleId}: ${message}`,
  )
}

if (import.meta.main) {
  const found = (await Promise.all(documents.map(lintDocument))).flat()
  process.stdout.write(found.length === 0 ? 'Nothing found.\n' : `${found.join('\n')}\n`)
  process.exitCode = found.length === 0 ? 0 : 1
}
