/**
 * Attaches the reference that a buyer sent on the page to the checkout's open intent, as the merchant API does. A checkout takes
 * 20 references in all, refused ones included, so that a buyer cannot find another buyer's payment by trying references.
 */
import type { Instant } from '../../core/clock.ts'
import { referenceKey } from '../../core/reference-key.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Intent } from '../../intents/intent.ts'
import type { AttachReference } from '../../matching/resolve/attach-references.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { mostReferences, openIntentAt, pageActor, type WithIntents } from '../checkout.ts'
import { takeReferenceTry } from '../checkout-sql.ts'

export type SendRefusal = Refusal<
  | 'checkout_no_open_intent'
  | 'checkout_reference_limit'
  | 'intent_unknown'
  | 'intent_not_pending'
  | 'reference_already_used'
  | 'reference_limit'
>

export const sendReference = async (
  deps: { readonly db: Db; readonly attach: AttachReference },
  { checkout, intents }: WithIntents,
  reference: string,
  now: Instant,
): Promise<Intent | 'unchanged' | SendRefusal> => {
  const open = openIntentAt(intents, now)
  if (open === undefined) return refuse('checkout_no_open_intent')
  if (open.reference !== '' && referenceKey(open.reference) === referenceKey(reference)) return 'unchanged'
  const { accountId, id } = checkout
  const [counted] = await takeReferenceTry(deps.db, wholeAccount(accountId), id, mostReferences)
  if (counted === undefined) return refuse('checkout_reference_limit')
  return deps.attach({ scope: wholeAccount(accountId), id: open.id, reference, by: pageActor }, now)
}
