/** Checks an OpenAPI document by Spectral's recommended rules, which also check every example against its schema. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

type Finding = { readonly code: string | number; readonly message: string; readonly path: readonly (string | number)[] }
type Spectral = { setRuleset(rules: object): void; run(document: object): Promise<Finding[]> }

/** `tools`: the folder in which the tools are installed. Each finding is returned as one line. */
export const openSpectral = (tools: string): ((document: object) => Promise<string[]>) => {
  const load = createRequire(join(tools, 'package.json'))
  const { Spectral }: { Spectral: new () => Spectral } = load('@stoplight/spectral-core')
  const { oas } = load('@stoplight/spectral-rulesets')
  const ruleset = {
    extends: [[oas, 'recommended']],
    rules: {
      // The specification of the APIs has trailing slashes.
      'path-keys-no-trailing-slash': 'off',
      // The contact is the operator, whom the document does not know.
      'info-contact': 'off',
      // A dashboard operation whose summary is enough has no description.
      'operation-description': 'off',
    },
  }
  return async (document) => {
    const spectral = new Spectral()
    spectral.setRuleset(ruleset)
    return (await spectral.run(document)).map(({ code, message, path }) => `${path.join('/')}: ${code}: ${message}`)
  }
}
