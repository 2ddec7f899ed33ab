/**
 * Attaches the reference that a buyer sent on the page to the checkout's open intent, as the merchant API does. A checkout takes
 * 20 references in all, refused ones included, so that a buyer cannot find another buyer's payment by trying references.
 */

import type { Instant } from '../../core/clock.ts'
import { referenceKey } from '../../core/reference-key.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Intent } from '../../intents/intent.ts'
import type { AttachReference } from '../../matching/resolve/attach-references.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { mostReferences, openIntentAt, pageActor, type WithIntents } from '../checkout.ts'
import { giveBackReferenceTry, takeReferenceTry } from './reference-tries-sql.ts'

export type SendRefusal = Refusal<
  | 'checkout_no_open_intent'
  | 'checkout_reference_limit'
  | 'intent_unknown'
  | 'intent_not_pending'
  | 'reference_already_used'
  | 'reference_limit'
>

/**
 * Whether the reference is stored for this checkout already. A phone whose line was cut does not know that its request arrived, and
 * sends the reference again. While an intent is open only its own reference counts: the reference of an earlier intent may be
 * sent for the next one.
 */
export const isSentBefore = ({ intents }: WithIntents, reference: string, now: Instant): boolean => {
  const open = openIntentAt(intents, now)
  const key = referenceKey(reference)
  return (open === undefined ? intents : [open]).some(
    (one) => one.reference !== '' && referenceKey(one.reference) === key,
  )
}

export type SendDeps = {
  readonly db: Db
  readonly attach: AttachReference
  /** Reads the checkout again: another request may have changed it meanwhile. */
  readonly readAgain: () => Promise<WithIntents | undefined>
}

/** A reference that is stored already is not counted again, also if the same request is processed twice at once. */
export const sendReference = async (
  deps: SendDeps,
  found: WithIntents,
  reference: string,
  now: Instant,
): Promise<Intent | 'unchanged' | SendRefusal> => {
  if (isSentBefore(found, reference, now)) return 'unchanged'
  const open = openIntentAt(found.intents, now)
  if (open === undefined) return refuse('checkout_no_open_intent')
  const { accountId, id } = found.checkout
  const scope = wholeAccount(accountId)
  const [counted] = await takeReferenceTry(deps.db, scope, id, mostReferences)
  if (counted === undefined) return refuse('checkout_reference_limit')
  const attached = await deps.attach({ scope, id: open.id, reference, by: pageActor }, now)
  const isRepeated = isRefusal(attached)
    ? attached.refused === 'intent_not_pending' && (await isStoredNow(deps, reference, now))
    : attached.repeated === true
  if (!isRepeated) return attached
  await giveBackReferenceTry(deps.db, scope, id)
  return 'unchanged'
}

const isStoredNow = async ({ readAgain }: SendDeps, reference: string, now: Instant): Promise<boolean> => {
  const found = await readAgain()
  return found !== undefined && isSentBefore(found, reference, now)
}
