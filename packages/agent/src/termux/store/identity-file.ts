/**
 * The identity of this phone: the service's address, the phone's id and its secret, in a file that only its owner can
 * read. It is written as a whole or not at all.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentConfig } from '../../native-client.ts'

export type Identity = {
  readonly origin: string
  readonly device_id: string
  readonly secret: string
  readonly secret_version: number
  /** By the phone's clock, like the times of messages. */
  readonly paired_at: number
  /** Messages from before this instant are not reported. */
  readonly history_from: number
  /** From the pairing; a newer one is in the store. */
  readonly config: AgentConfig
}

const pathIn = (folder: string): string => join(folder, 'identity.json')

/** A store for each phone id: what was queued as one phone is never sent as another. */
export const storePath = (folder: string, { device_id }: Pick<Identity, 'device_id'>): string =>
  join(folder, `queue-${device_id}.db`)

/** Undefined: not paired. */
export const readIdentity = (folder: string): Identity | undefined => {
  let text: string
  try {
    text = readFileSync(pathIn(folder), 'utf8')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fault
  }
  const value = JSON.parse(text) as Identity
  for (const name of ['origin', 'device_id', 'secret'] as const)
    if (typeof value[name] !== 'string') throw new Error(`${pathIn(folder)} has no ${name}`)
  return value
}

export const writeIdentity = (folder: string, identity: Identity): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fresh = `${pathIn(folder)}.new`
  rmSync(fresh, { force: true })
  const file = openSync(fresh, 'wx', 0o600)
  try {
    writeSync(file, `${JSON.stringify(identity, undefined, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, pathIn(folder))
}

export const removeIdentity = (folder: string): void => rmSync(pathIn(folder), { force: true })
