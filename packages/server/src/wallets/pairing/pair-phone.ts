/**
 * Uses a pairing code, once: for an app that speaks the native protocol, which gets its secret (here), or for the set-up
 * page (set-up-phone.ts). The owners of the account are notified. The answer does not show whether a code was wrong,
 * expired, used or tried too often. The caller limits how many codes an address may try, opens the transaction, and clears
 * the cached phone after it.
 */
import { insertNotices } from '../../accounts/notices/owner-notices-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type NoticeId, newSecret, type PhoneId, timeOrderedId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { sameFingerprint } from '../../core/seal.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { mostTries, readPairingCode } from '../phones/pairing-code.ts'
import type { PhoneSecrets } from '../phones/phone-secrets.ts'
import { completePairing, countPairingTry, lockPairings } from '../phones/phone-sql.ts'

export type Paired = {
  readonly accountId: AccountId
  readonly phoneId: PhoneId
  readonly secret: string
  readonly secretVersion: number
}

/** What the phone reports about itself. */
export type AboutPhone = Readonly<Record<'agent' | 'version' | 'model' | 'android', string>>

/** The phone whose code was sent, locked. `by`: the user who created the code. */
export type CodeOwner = {
  readonly accountId: AccountId
  readonly phoneId: PhoneId
  readonly name: string
  readonly by: string
}

/** Throws if the phone of a code cannot be paired here: its account is used elsewhere. */
export type RequireHere = (accountId: AccountId) => void

/** Undefined: the code is not valid; the try is counted, so the transaction must be committed. */
export const findCodeOwner = async (
  tx: Tx,
  secrets: PhoneSecrets,
  typed: string,
  now: Instant,
  requireHere: RequireHere,
): Promise<CodeOwner | undefined> => {
  const code = readPairingCode(typed)
  if (code === undefined) return undefined
  const hash = secrets.hashCode(code)
  const candidates = await lockPairings(tx, hash.first, hash.last, mostTries, now)
  const phone = candidates.find((candidate) => sameFingerprint(candidate.pairing_hash, hash.whole))
  if (phone !== undefined) requireHere(phone.account_id)
  if (phone !== undefined)
    return { accountId: phone.account_id, phoneId: phone.id, name: phone.name, by: phone.pairing_by }
  if (candidates.length > 0) {
    const ids = candidates.map(({ id }) => id)
    await countPairingTry(tx, ids)
  }
  return undefined
}

/** `again`: the phone had credentials before. */
export const notifyCodeUsed = async (
  tx: Tx,
  owner: CodeOwner,
  { again, model }: { readonly again: boolean; readonly model: string },
  now: Instant,
): Promise<void> => {
  const notice = {
    accountId: owner.accountId,
    id: timeOrderedId<NoticeId>(now),
    kind: 'phone_paired',
    objectKind: 'phone',
    objectId: owner.phoneId,
    by: owner.by,
    facts: { name: owner.name, again, model: model.slice(0, 100) },
  } as const
  await insertNotices(tx, [notice], now)
}

/** Undefined: the code is not valid. */
export const pairPhone = async (
  tx: Tx,
  secrets: PhoneSecrets,
  typed: string,
  about: AboutPhone,
  now: Instant,
  requireHere: RequireHere,
): Promise<Paired | undefined> => {
  const owner = await findCodeOwner(tx, secrets, typed, now, requireHere)
  if (owner === undefined) return undefined
  const { accountId, phoneId } = owner
  const secret = newSecret()
  const sealed = secrets.sealSecret(phoneId, secret)
  const [row] = await completePairing(tx, wholeAccount(accountId), phoneId, sealed, JSON.stringify(about), now)
  if (row === undefined) throw new Error(`phone ${phoneId} was deleted while it was paired`)
  await notifyCodeUsed(tx, owner, { again: row.secret_version > 1, model: about.model }, now)
  return { accountId, phoneId, secret, secretVersion: row.secret_version }
}
