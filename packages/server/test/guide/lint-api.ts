/**
 * `npm run lint:api`: checks the OpenAPI documents by Redocly's recommended rules. The slow tests run it too, and also run
 * Spectral (public-tools/).
 */
import { join, resolve } from 'node:path'
import { createConfig, lint } from '@redocly/openapi-core'

const root = resolve(import.meta.dirname, '../../../..')
export const documents = ['merchant', 'checkout', 'dashboard', 'developer']

/** Every finding, as one line. */
export const lintDocument = async (name: string): Promise<string[]> => {
  const config = await createConfig({
    extends: ['recommended'],
    // The specification of the APIs has trailing slashes.
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
