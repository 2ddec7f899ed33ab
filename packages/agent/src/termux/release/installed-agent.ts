/** The installed agent: its file, its signature, the key that its user trusts, and where it came from. In the agent's folder. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '../environment.ts'

export type InstalledAgent = {
  readonly origin: string | undefined
  readonly rememberedKey: string | undefined
  readonly signature: string | undefined
}

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fault
  }
}

/** As a whole or not at all. */
const replaceFile = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, content, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
}

const agentPath = (folder: string): string => join(folder, 'sanad-agent.mjs')
const signaturePath = (folder: string): string => `${agentPath(folder)}.minisig`
export const keyPath = (folder: string): string => join(folder, 'release-key')

export const readInstalled = (folder: string): InstalledAgent => ({
  origin: textOf(join(folder, 'origin'))?.trim() || undefined,
  rememberedKey: textOf(keyPath(folder)),
  signature: textOf(signaturePath(folder)),
})

export const rememberKey = (folder: string, key: string): void => replaceFile(keyPath(folder), `${key}\n`)

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Replaces the agent and writes its command, as the install script does. */
export const installFile = (
  { folder, shell, programs }: Environment,
  file: Uint8Array,
  signature: string | undefined,
  origin: string,
): void => {
  replaceFile(agentPath(folder), file)
  if (signature === undefined) rmSync(signaturePath(folder), { force: true })
  else replaceFile(signaturePath(folder), signature)
  replaceFile(join(folder, 'origin'), `${origin}\n`)
  const command = join(programs, 'sanad-agent')
  const start = `exec node --disable-warning=ExperimentalWarning ${quoted(agentPath(folder))} "$@"`
  replaceFile(command, `#!${shell}\n${start}\n`)
  chmodSync(command, 0o700)
}
