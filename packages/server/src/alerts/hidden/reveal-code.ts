/** Reveals the message of a one-time code to the owner. Messages of unknown senders are never revealed. The caller writes the
 *  audit entry in the same transaction. */
import type { Instant } from '../../core/clock.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { hiddenAlert } from './hidden-sql.ts'
import type { Hiding } from './hidden-text.ts'

export type RevealedCode = { readonly title: string; readonly text: string; readonly until: Instant | null }

export const revealCode = async (
  db: Session,
  hiding: Hiding,
  ref: { readonly scope: Scope; readonly alertId: string },
): Promise<RevealedCode | Refusal<'alert_unknown' | 'alert_not_hidden' | 'code_deleted'>> => {
  const [row] = await hiddenAlert(db, ref.scope, ref.alertId)
  if (row === undefined) return refuse('alert_unknown')
  if (row.hidden !== 'code') return refuse('alert_not_hidden')
  if (row.sealed_text === null) return refuse('code_deleted')
  const { title, text } = hiding.open(row.id, row.sealed_text)
  return { title, text, until: row.forget_at }
}
