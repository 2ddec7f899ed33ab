/** Checks an OpenAPI document by the recommended rules of Spectral, which also holds every example against its schema. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

type Finding = { readonly code: string | number; readonly message: string; readonly path: readonly (string | number)[] }
type Spectral = { setRuleset(rules: object): void; run(document: object): Promise<Finding[]> }

/** From the folder where the tools are installed. Every finding is one line. */
export const openSpectral = (tools: string): ((document: object) => Promise<string[]>) => {
  const load = createRequire(join(tools, 'package.json'))
  const { Spectral }: { Spectral: new () => Spectral } = load('@stoplight/spectral-core')
  const { oas } = load('@stoplight/spectral-rulesets')
  const ruleset = {
    extends: [[oas, 'recommended']],
    rules: {
      // The specification has the slashes.
      'path-keys-no-trailing-slash': 'off',
      // Who hosts the service is its contact; the document does not know them.
      'info-contact': 'off',
      // A call of the dashboard whose summary says all has no description.
      'operation-description': 'off',
    },
  }
  return async (document) => {
    const spectral = new Spectral()
    spectral.setRuleset(ruleset)
    return (await spectral.run(document)).map(({ code, message, path }) => `${path.join('/')}: ${code}: ${message}`)
  }
}
