/** In the package, in place of packages/agent/src/bundle.ts: the agent was bundled when the package was built. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

export const bundleAgent = (): Promise<Buffer> =>
  readFile(resolve(import.meta.dirname, '../../packages/agent/sanad-agent.mjs'))
