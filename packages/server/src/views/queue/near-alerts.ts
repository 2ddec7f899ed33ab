/** Finds the alerts that fit an intent best, each with the differences that prevented a match. */
import { day_ms, hour_ms } from '../../core/duration.ts'
import { type AlertId, firstIdAt, type PhoneId } from '../../core/ids.ts'
import { referenceKey } from '../../core/reference-key.ts'
import { type Scope, wholeOf } from '../../core/scope.ts'
import type { Intent } from '../../intents/intent.ts'
import { claimedPayers } from '../../matching/payers/claimed-payer-sql.ts'
import { type Candidate, type Difference, differences, nearest } from '../../matching/rules/nearness.ts'
import { payerWithNumber } from '../../matching/rules/payer-likeness.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { alertsNear, textsOfAlerts } from './near-alerts-sql.ts'

export type NearAlert = Candidate & {
  readonly id: string
  readonly sender: string
  readonly text: string
  readonly differs: readonly Difference[]
}

const before_ms = day_ms
const after_ms = 3 * hour_ms
const most = 5
/** At most this many texts are read for the rank: there are few alerts of one amount within hours. */
const mostRanked = 50

export const nearAlerts = async (
  db: Session,
  scope: Scope,
  intent: Intent,
  phoneId: PhoneId | null,
): Promise<NearAlert[]> => {
  const [claimed] = await claimedPayers(db, wholeOf(scope), [intent.id])
  const expected = {
    ...intent,
    ...(claimed === undefined ? {} : { claimed }),
    referenceKey: intent.reference === '' ? null : referenceKey(intent.reference),
  }
  const rows = await alertsNear(db, {
    scope,
    walletId: intent.walletId,
    phoneId,
    referenceKey: expected.referenceKey,
    firstId: firstIdAt(intent.createdAt - before_ms),
    middleId: firstIdAt(intent.createdAt),
    lastId: firstIdAt(intent.createdAt + after_ms),
  })
  const credits = rows.filter((row) => row.direction !== 'debit')
  // If a payer was claimed, the payer's number counts for the rank. The number is only in the text of the alert.
  const ranked =
    claimed === undefined ? [] : credits.filter(({ amount, payer }) => payer !== null && amount === intent.payable)
  const texts = await textsById(db, scope, ranked.slice(0, mostRanked))
  const withNumber = (row: (typeof rows)[number]) => ({
    ...row,
    payer: payerWithNumber(row.payer, texts.get(row.id) ?? ''),
  })
  const found = nearest(expected, credits.map(withNumber), most)
  const shown = await textsById(db, scope, found)
  return found.map((row) => {
    const text = shown.get(row.id) ?? ''
    const whole = { ...row, payer: texts.has(row.id) ? row.payer : payerWithNumber(row.payer, text) }
    return { ...whole, text, differs: differences(expected, whole) }
  })
}

const textsById = async (
  db: Session,
  scope: Scope,
  alerts: readonly { readonly id: AlertId }[],
): Promise<ReadonlyMap<AlertId, string>> => {
  if (alerts.length === 0) return new Map()
  const ids = alerts.map(({ id }) => id)
  return new Map((await textsOfAlerts(db, scope, ids)).map((row) => [row.id, row.raw_text]))
}
