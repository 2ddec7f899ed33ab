/** The message of a one-time code, for the owner. Messages of strangers are revealed to nobody. Whoever calls notes it in the
 *  audit log, in the same transaction. */
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { hiddenAlert } from './hidden-sql.ts'
import type { Hiding } from './hidden-text.ts'

export type RevealedCode = { readonly title: string; readonly text: string; readonly until: Instant | null }

export const revealCode = async (
  db: Session,
  hiding: Hiding,
  asked: { readonly accountId: AccountId; readonly alertId: string },
): Promise<RevealedCode | Refusal<'alert_unknown' | 'alert_not_hidden' | 'code_deleted'>> => {
  const [row] = await hiddenAlert(db, asked.accountId, asked.alertId)
  if (row === undefined) return refuse('alert_unknown')
  if (row.hidden !== 'code') return refuse('alert_not_hidden')
  if (row.sealed_text === null) return refuse('code_deleted')
  const { title, text } = hiding.open(row.id, row.sealed_text)
  return { title, text, until: row.forget_at }
}
