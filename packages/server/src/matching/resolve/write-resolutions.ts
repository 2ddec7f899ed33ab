/**
 * Writes resolutions, together with the commit of the caller's transaction. No other file does. For every way in which an
 * intent is resolved, intent, alert, timeline entry and event are written by one statement: all of them or none.
 */
import type { Tx } from '../../postgres/connection/database.ts'
import type { Resolution } from './resolution.ts'
import { type ResolutionWithReference, resolveIntents, resolveWithReferences } from './resolution-sql.ts'

const attachesReference = (resolution: Resolution): resolution is ResolutionWithReference =>
  resolution.attachment !== null

/** The caller has locked the rows of the intents and their references. */
export const writeResolutions = (tx: Tx, resolutions: readonly Resolution[]): void => {
  const plain = resolutions.filter((resolution) => !attachesReference(resolution))
  const attaching = resolutions.filter(attachesReference)
  if (plain.length > 0) resolveIntents.atEnd(tx, plain)
  if (attaching.length > 0) resolveWithReferences.atEnd(tx, attaching)
}
