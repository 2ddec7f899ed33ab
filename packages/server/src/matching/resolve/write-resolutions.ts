/**
 * Writes resolutions in the caller's transaction, with its commit: the only place that does. Whichever way an intent is
 * resolved, intent, alert, timeline and event are written by one statement, or none of them is.
 */
import type { Tx } from '../../postgres/connection/database.ts'
import type { Resolution } from './resolution.ts'
import { type ResolutionWithReference, resolveIntents, resolveWithReferences } from './resolution-sql.ts'

const attachesReference = (one: Resolution): one is ResolutionWithReference => one.attachment !== null

/** The caller holds the rows of the intents and the locks of their references. */
export const writeResolutions = (tx: Tx, resolutions: readonly Resolution[]): void => {
  const plain = resolutions.filter((one) => !attachesReference(one))
  const attaching = resolutions.filter(attachesReference)
  if (plain.length > 0) resolveIntents.atEnd(tx, plain)
  if (attaching.length > 0) resolveWithReferences.atEnd(tx, attaching)
}
