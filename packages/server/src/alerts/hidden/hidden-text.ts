/**
 * How a hidden message is stored: a one-time code, or a message of a sender that no wallet and no provider has. Its content is
 * sealed to its alert. What must only be recognised again (its text, the phone's id for it, the name of an unknown sender)
 * is stored as a keyed hash: from a plain hash the few digits of a code could be guessed.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { AccountId, AlertId, PhoneId } from '../../core/ids.ts'
import { derivedFrom, hashKeyFor, type Keys, keyRingOf, sealerFor } from '../../core/seal.ts'
import type { Report } from '../alert.ts'
import { normalise } from '../texts/normalise.ts'

/** Empty: not hidden. `stranger`: of an unknown sender. */
export type Hidden = '' | 'code' | 'stranger'

/** The fields of a report that are sealed. */
export type HiddenContent = Pick<Report, 'clientId' | 'sender' | 'title' | 'text'>

export type Hiding = {
  /** The same for the same account, sender and text. */
  fingerprint(accountId: AccountId, report: Pick<Report, 'sender' | 'text'>): Buffer
  /** The hash that is stored instead of the phone's id of the message. */
  clientId(deviceId: PhoneId, clientId: string): string
  /** The hash that is stored instead of the name of an unknown sender. */
  sender(accountId: AccountId, sender: string): string
  seal(id: AlertId, content: HiddenContent): Buffer
  open(id: AlertId, sealed: Buffer): HiddenContent
  /** An answer to a phone as it is stored: it repeats the phone's ids of its messages. `request`: what it answers. */
  sealAnswer(request: string, answer: string): string
  /** An answer that was stored unsealed is returned as it is. */
  openAnswer(request: string, kept: string): string | undefined
}

/** After this the content of a code is deleted. */
const codeKept_ms = 7 * 86_400_000
/** After this a message of an unknown sender is deleted, unless a wallet was bound to that sender. */
const strangerKept_ms = 86_400_000

export const keptFor_ms = (hidden: 'code' | 'stranger'): number => (hidden === 'code' ? codeKept_ms : strangerKept_ms)

/** A sender's name in the form in which it is compared with the known names: another spelling is the same company. */
export const foldSender = (sender: string): string =>
  sender
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Unsealed answers are JSON, and cannot begin like this. */
const sealedAnswer = 'sealed:'

/** The purpose from which the key of the sealed texts is derived. */
export const hiddenPurpose = 'hidden alerts'

export const hidingBy = (keys: Keys): Hiding => {
  const sealer = sealerFor(keys, hiddenPurpose)
  const hashKey = derivedFrom(
    keyRingOf(keys),
    (ring): KeyObject => createSecretKey(hashKeyFor(ring, 'hidden alert hashes')),
  )
  const keyed = (parts: readonly string[]) => createHmac('sha256', hashKey()).update(JSON.stringify(parts))
  return {
    fingerprint: (accountId, { sender, text }) => keyed(['text', accountId, sender, normalise(text)]).digest(),
    clientId: (deviceId, clientId) => `hidden:${keyed(['name', deviceId, clientId]).digest('hex')}`,
    sender: (accountId, sender) => `hidden:${keyed(['sender', accountId, foldSender(sender)]).digest('hex')}`,
    seal: (id, { clientId, sender, title, text }) => sealer.seal(JSON.stringify({ clientId, sender, title, text }), id),
    open: (id, sealed) => JSON.parse(sealer.unseal(sealed, id)) as HiddenContent,
    sealAnswer: (request, answer) => sealedAnswer + sealer.seal(answer, request).toString('base64'),
    openAnswer(request, kept) {
      if (!kept.startsWith(sealedAnswer)) return kept
      try {
        return sealer.unseal(Buffer.from(kept.slice(sealedAnswer.length), 'base64'), request)
      } catch {
        // The master key was rotated since: the request is processed again, and finds the alerts that it stored.
        return undefined
      }
    },
  }
}
