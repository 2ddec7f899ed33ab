/**
 * Erases what alerts say, and keeps what money needs: amount, reference, balance, state, times, and keyed hashes of the text and of the
 * phone's id of the message. So a message that a phone sends again is recognised as before, and a spent payment stays spent. What
 * compares the texts themselves can tell nothing any more, and asks a member (matching/rules/same-payment.ts).
 */
import type { Instant } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { Hiding } from '../hidden/hidden-text.ts'
import { alertsToErase, eraseMessages, eraseTexts, type KeyedAlert } from './erased-alerts-sql.ts'

type AlertToErase = RowOf<typeof alertsToErase.columns>

/** Which alerts are erased, and how. `texts` and `no_money` pass by what a member must still decide; `late_texts` does not. */
const chosen = {
  texts: ({ money, undecided }: AlertToErase) => money && !undecided,
  late_texts: ({ money }: AlertToErase) => money,
  no_money: ({ money, hidden }: AlertToErase) => !money && hidden === '',
} as const

export type ErasedAlertKind = keyof typeof chosen

export const keyedAlert = (
  { accountId }: Scope,
  hiding: Hiding,
  {
    id,
    device_id,
    client_id,
    sender,
    raw_text,
  }: Pick<AlertToErase, 'id' | 'device_id' | 'client_id' | 'sender' | 'raw_text'>,
): KeyedAlert => ({
  id,
  clientId: hiding.clientId(device_id, client_id),
  fingerprint: hiding.fingerprint(accountId, { sender, text: raw_text }),
})

/** Erases among the next `most` alerts after an id. Returns the last id that was looked at; undefined: there are no more before
 *  `before`. */
export const eraseAlerts = async (
  tx: Tx,
  hiding: Hiding,
  scope: Scope,
  kind: ErasedAlertKind,
  range: { readonly after: string; readonly before: string; readonly most: number },
  now: Instant,
): Promise<{ readonly last: string | undefined; readonly erased: number }> => {
  const rows = await alertsToErase(tx, scope, range.after, range.before, range.most)
  const due = rows.filter((row) => !row.erased && chosen[kind](row)).map((row) => keyedAlert(scope, hiding, row))
  const erased =
    due.length === 0
      ? []
      : kind === 'no_money'
        ? await eraseMessages(tx, scope, due, now)
        : await eraseTexts(tx, scope, due, kind === 'late_texts', now)
  return { last: rows.length < range.most ? undefined : rows.at(-1)!.id, erased: erased.length }
}
