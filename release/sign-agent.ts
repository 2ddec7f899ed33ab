/**
 * Signs the agent, so that a phone accepts it only from who has the secret key (docs/agent.md).
 *
 *   npm run sign-agent -- --new-key FILE              makes a key: the secret in FILE, the public one in FILE.pub
 *   npm run sign-agent -- [--key FILE] [--file AGENT]  writes AGENT.minisig
 *
 * Without --key the secret is that of SANAD_RELEASE_KEY, or of the file that SANAD_RELEASE_KEY_FILE names (SANAD_AGENT_SIGNING_KEY and
 * SANAD_AGENT_SIGNING_KEY_FILE are their earlier names). Without --file the agent is bundled to release/out/sanad-agent.mjs. `npm run
 * package` signs the agent in the package, if it finds a key.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleAgent } from '../packages/agent/src/bundle.ts'
import { version } from '../packages/agent/src/termux/version.ts'
import { newSigningKey, publicFile, publicLine, readSecret, type SigningKey, secretFile, signFile } from './minisign.ts'

/** The key of the file or of the environment; undefined: there is none. */
export const signingKey = (
  file: string | undefined,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): SigningKey | undefined => {
  const own = env.SANAD_RELEASE_KEY || env.SANAD_AGENT_SIGNING_KEY || undefined
  const named = env.SANAD_RELEASE_KEY_FILE || env.SANAD_AGENT_SIGNING_KEY_FILE || undefined
  const path = file ?? (own === undefined ? named : undefined)
  const text = path === undefined ? own : readFileSync(path, 'utf8')
  return text === undefined ? undefined : readSecret(text)
}

/** The phone compares the name, and the version with that of its agent: it refuses an older one. */
export const signAgent = (key: SigningKey, agent: Uint8Array, ofVersion: string, now: Date): string => {
  const fields = [
    `timestamp:${Math.trunc(now.getTime() / 1000)}`,
    'file:sanad-agent.mjs',
    `version:${ofVersion}`,
    'hashed',
  ]
  return signFile(key, agent, fields.join('\t'))
}

const makeKey = (path: string): string => {
  const key = newSigningKey()
  mkdirSync(dirname(resolve(path)), { recursive: true })
  // A key that exists is never replaced.
  writeFileSync(path, secretFile(key), { mode: 0o600, flag: 'wx' })
  writeFileSync(`${path}.pub`, publicFile(key), { flag: 'wx' })
  return [
    `Secret key: ${path}. It has no password: store it where the service is not, and never in the repository.`,
    `Public key: ${publicLine(key)}`,
  ].join('\n')
}

const main = async (): Promise<string> => {
  const options = { 'new-key': { type: 'string' }, key: { type: 'string' }, file: { type: 'string' } } as const
  const { values } = parseArgs({ options })
  if (values['new-key'] !== undefined) return makeKey(values['new-key'])
  const key = signingKey(values.key)
  if (key === undefined) throw new Error('There is no key: name its file with --key, or set SANAD_RELEASE_KEY_FILE.')
  const path = values.file ?? join(import.meta.dirname, 'out/sanad-agent.mjs')
  if (values.file === undefined) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, await bundleAgent())
  }
  writeFileSync(`${path}.minisig`, signAgent(key, readFileSync(path), version, new Date()))
  return `${path}.minisig: version ${version}, public key ${publicLine(key)}`
}

if (import.meta.main)
  try {
    process.stdout.write(`${await main()}\n`)
  } catch (fault) {
    process.stderr.write(`${(fault as Error).message}\n`)
    process.exitCode = 1
  }
