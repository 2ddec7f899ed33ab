/**
 * Connects this phone: pairs it by its one-time code, keeps its secret, and prepares its store. Pairing the same phone
 * again keeps its queue; another phone gets a store of its own.
 */
import { existsSync } from 'node:fs'
import { pair } from '../native-client.ts'
import { patient } from '../post.ts'
import type { PairingTarget } from './pairing-link.ts'
import type { PhonePrograms } from './phone/phone-programs.ts'
import { openStore } from './store/agent-store.ts'
import { type Identity, readIdentity, storePath, writeIdentity } from './store/identity-file.ts'
import { historyBeforePairing_ms } from './sweep-inbox.ts'
import { version } from './version.ts'

export const pairAgent = async (
  folder: string,
  target: PairingTarget,
  phone: Pick<PhonePrograms, 'property'>,
  now: number,
): Promise<Identity> => {
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
  const paired = await pair(target.origin, target.code, phoneDetails, { ...patient, tries: 2 })
  const previous = previousIdentity(folder)
  const isSame = previous?.device_id === paired.device_id
  const identity: Identity = {
    origin: target.origin,
    device_id: paired.device_id,
    secret: paired.secret,
    secret_version: paired.secret_version,
    paired_at: now,
    history_from: isSame ? previous.history_from : now - historyBeforePairing_ms,
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
  return identity
}

/** A file that cannot be read is replaced. */
const previousIdentity = (folder: string): Identity | undefined => {
  try {
    return readIdentity(folder)
  } catch {
    return undefined
  }
}
