/**
 * Connects this phone: pairs it by its one-time code, keeps its secret, and prepares its store. Pairing the same phone
 * again keeps its queue; another phone gets a store of its own. The installer may have used the code already, before it
 * downloaded Node: then the service's answer and the link are in two files beside the identity, and no call is made.
 */
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Paired, pair } from '../native-client.ts'
import { patient } from '../post.ts'
import type { PairingTarget } from './pairing-link.ts'
import type { PhonePrograms } from './phone/phone-programs.ts'
import { openStore } from './store/agent-store.ts'
import { type Identity, readIdentity, storePath, writeIdentity } from './store/identity-file.ts'
import { historyBeforePairing_ms } from './sweep-inbox.ts'
import { version } from './version.ts'

/** The installer stores the answer to a code, and then the link with that code. The answer is deleted when it was used. */
const answerPath = (folder: string): string => join(folder, 'pairing.json')

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Whether the installer has used the code of this link. */
const wasUsed = (folder: string, pasted: string): boolean =>
  textOf(join(folder, 'pairing.link'))?.trim() === pasted.trim()

/** The answer that the installer got, and when by the phone's clock; undefined: there is none, or it was used. */
const storedAnswer = (folder: string): { readonly paired: Paired; readonly at: number } | undefined => {
  const text = textOf(answerPath(folder))
  if (text === undefined) return undefined
  return { paired: JSON.parse(text) as Paired, at: Math.trunc(statSync(answerPath(folder)).mtimeMs) }
}

export const pairAgent = async (
  folder: string,
  target: PairingTarget,
  phone: Pick<PhonePrograms, 'property'>,
  now: number,
  /** The link as it was pasted. */
  pasted = '',
): Promise<Identity> => {
  const previous = previousIdentity(folder)
  const isUsed = wasUsed(folder, pasted)
  const answered = isUsed ? storedAnswer(folder) : undefined
  // The same line was pasted again after it had connected the phone.
  if (isUsed && answered === undefined && previous !== undefined) return previous
  const paired = answered?.paired ?? (await useCode(target, phone))
  // Messages that came while Node was downloaded count as well.
  const pairedAt = Math.min(now, answered?.at ?? now)
  const isSame = previous?.device_id === paired.device_id
  const identity: Identity = {
    origin: target.origin,
    device_id: paired.device_id,
    secret: paired.secret,
    secret_version: paired.secret_version,
    paired_at: pairedAt,
    history_from: isSame ? previous.history_from : pairedAt - historyBeforePairing_ms,
    config: paired.config,
  }
  writeIdentity(folder, identity)
  const path = storePath(folder, identity)
  const store = openStore(path, { now, isNew: !isSame || !existsSync(path) })
  store.setState({
    config: JSON.stringify(paired.config),
    config_version: null,
    revoked_at: null,
    problem_server: null,
    // The senders may have changed.
    ...(isSame ? { reread_since: String(now) } : {}),
  })
  store.close()
  rmSync(answerPath(folder), { force: true })
  return identity
}

const useCode = async (target: PairingTarget, phone: Pick<PhonePrograms, 'property'>): Promise<Paired> => {
  const [maker, model, android] = await Promise.all(
    ['ro.product.manufacturer', 'ro.product.model', 'ro.build.version.release'].map(phone.property),
  )
  const phoneDetails = {
    agent: 'sanad-agent',
    version,
    model: `${maker} ${model}`.trim().slice(0, 100),
    android: (android ?? '').slice(0, 100),
  }
  // If only the answer is lost, the second attempt is refused, because the code is used: a new one is needed.
  return pair(target.origin, target.code, phoneDetails, { ...patient, tries: 2 })
}

/** Undefined: there is none, or its file cannot be read and is replaced. */
const previousIdentity = (folder: string): Identity | undefined => {
  try {
    return readIdentity(folder)
  } catch {
    return undefined
  }
}
