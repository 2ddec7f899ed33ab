/**
 * What is kept of a message that is not to be read: a one-time code, or a message of a sender that no wallet and no provider
 * names. Its content is sealed to its alert. What must only be recognised again (its text, the phone's name for it, a
 * stranger's name) is kept as a keyed hash: the few digits of a code could be guessed from a plain one.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { AccountId, AlertId, DeviceId } from '../../core/ids.ts'
import { hashKeyFor, type Keys, madeOf, ringOf, sealerFor } from '../../core/seal.ts'
import type { Report } from '../alert.ts'
import { normalise } from '../texts/normalise.ts'

/** '' : not hidden. */
export type Hidden = '' | 'code' | 'stranger'

/** What of a report is sealed. */
export type HiddenContent = Pick<Report, 'clientId' | 'sender' | 'title' | 'text'>

export type Hiding = {
  /** Of the same account, sender and text always the same. */
  print(accountId: AccountId, report: Pick<Report, 'sender' | 'text'>): Buffer
  /** What stands for the phone's own name of the message. */
  clientId(deviceId: DeviceId, clientId: string): string
  /** What stands for the name of a stranger. */
  sender(accountId: AccountId, sender: string): string
  seal(id: AlertId, content: HiddenContent): Buffer
  open(id: AlertId, sealed: Buffer): HiddenContent
  /** An answer to a phone, as it is remembered: it repeats the phone's names of its messages. `request`: whose answer. */
  sealAnswer(request: string, answer: string): string
  /** Of one that was remembered as it is, the same. */
  openAnswer(request: string, kept: string): string | undefined
}

/** After this the content of a code is deleted. */
export const codeKept_ms = 7 * 86_400_000
/** After this a message of a stranger is deleted, unless a wallet was bound to its sender. */
export const strangerKept_ms = 86_400_000

export const keptFor_ms = (hidden: 'code' | 'stranger'): number => (hidden === 'code' ? codeKept_ms : strangerKept_ms)

/** A sender's name as it is compared with the names that are known: spelled otherwise, it is still the same company. */
export const foldSender = (sender: string): string =>
  sender
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Answers are JSON, and begin otherwise. */
const sealedAnswer = 'sealed:'

/** What the key of the sealed texts is derived for. */
export const hiddenPurpose = 'hidden alerts'

export const hidingBy = (keys: Keys): Hiding => {
  const sealer = sealerFor(keys, hiddenPurpose)
  const hashKey = madeOf(ringOf(keys), (ring): KeyObject => createSecretKey(hashKeyFor(ring, 'hidden alert hashes')))
  const keyed = (parts: readonly string[]) => createHmac('sha256', hashKey()).update(JSON.stringify(parts))
  return {
    print: (accountId, { sender, text }) => keyed(['text', accountId, sender, normalise(text)]).digest(),
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
        // The master key was rotated since: the request is done again, and finds what it reported.
        return undefined
      }
    },
  }
}
