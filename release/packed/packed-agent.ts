/** In the package, in place of packages/agent/src/bundle.ts: the agent was bundled, and perhaps signed, when the package was built. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

const path = resolve(import.meta.dirname, '../../packages/agent/sanad-agent.mjs')

export const bundleAgent = (): Promise<Buffer> => readFile(path)

export const agentSignature = (): Promise<string | undefined> =>
  readFile(`${path}.minisig`, 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return undefined
    throw fault
  })
