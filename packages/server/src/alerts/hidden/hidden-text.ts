/**
 * How a hidden message is stored: a one-time code, or a message of a sender that belongs to no wallet and no provider. Its
 * content is sealed and bound to its alert. Values that must only be compared (its text, the phone's id of the message, the
 * name of an unknown sender) are stored as keyed hashes: from a plain hash the few digits of a code could be guessed.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { day_ms } from '../../core/duration.ts'
import type { AccountId, AlertId, PhoneId } from '../../core/ids.ts'
import { derivedFrom, hashKeyFor, type Keys, keyRingOf, sealerFor } from '../../core/seal.ts'
import type { Report } from '../alert.ts'
import { normalise } from '../texts/normalise.ts'

/** The fields of a report that are sealed. */
export type HiddenContent = Pick<Report, 'clientId' | 'sender' | 'title' | 'text'>

export type Hiding = {
  /** A keyed hash, which is the same for the same account, sender and text. */
  fingerprint(accountId: AccountId, report: Pick<Report, 'sender' | 'text'>): Buffer
  /** The hash that is stored instead of the phone's id of the message. */
  clientId(phoneId: PhoneId, clientId: string): string
  /** The hash that is stored instead of the name of an unknown sender. */
  sender(accountId: AccountId, sender: string): string
  seal(id: AlertId, content: HiddenContent): Buffer
  open(id: AlertId, sealed: Buffer): HiddenContent
  /** The stored form of an answer to a phone: it contains the phone's ids of its messages. `request`: the request's key. */
  sealAnswer(request: string, answer: string): string
  /** The answer of its stored form; undefined: it cannot be unsealed. An answer that was stored unsealed is returned as it is. */
  openAnswer(request: string, stored: string): string | undefined
}

/** After this time the content of a code is deleted. */
const codeLife_ms = 7 * day_ms
/** After this time a message of an unknown sender is deleted, unless a wallet was given that sender. */
const strangerLife_ms = day_ms

export const hiddenLife_ms = (hidden: 'code' | 'stranger'): number =>
  hidden === 'code' ? codeLife_ms : strangerLife_ms

/** A sender's name as it is compared with known names: only letters and digits count, and their case does not. */
export const foldSender = (sender: string): string =>
  sender
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Unsealed answers are JSON, and cannot begin like this. */
const sealedPrefix = 'sealed:'

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
    clientId: (phoneId, clientId) => `hidden:${keyed(['name', phoneId, clientId]).digest('hex')}`,
    sender: (accountId, sender) => `hidden:${keyed(['sender', accountId, foldSender(sender)]).digest('hex')}`,
    seal: (id, { clientId, sender, title, text }) => sealer.seal(JSON.stringify({ clientId, sender, title, text }), id),
    open: (id, sealed) => JSON.parse(sealer.unseal(sealed, id)) as HiddenContent,
    sealAnswer: (request, answer) => sealedPrefix + sealer.seal(answer, request).toString('base64'),
    openAnswer(request, stored) {
      if (!stored.startsWith(sealedPrefix)) return stored
      try {
        return sealer.unseal(Buffer.from(stored.slice(sealedPrefix.length), 'base64'), request)
      } catch {
        // The master key was rotated meanwhile: the request is processed again, and finds the alerts that it has stored.
        return undefined
      }
    },
  }
}
