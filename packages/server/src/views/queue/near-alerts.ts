/** The alerts that fit an intent best, each with the differences that kept it from being matched. It only reads. */
import { type AccountId, firstIdAt, type PhoneId } from '../../core/ids.ts'
import { referenceKey } from '../../core/reference-key.ts'
import type { Intent } from '../../intents/intent.ts'
import { claimedPayers } from '../../matching/payers/claimed-payer-sql.ts'
import { type Candidate, type Difference, differences, nearest } from '../../matching/rules/nearness.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { alertsNear, textsOf } from './near-alerts-sql.ts'

export type NearAlert = Candidate & {
  readonly id: string
  readonly sender: string
  readonly text: string
  readonly differs: readonly Difference[]
}

const before_ms = 24 * 3_600_000
const after_ms = 3 * 3_600_000
const most = 5

export const nearAlerts = async (
  db: Session,
  accountId: AccountId,
  intent: Intent,
  deviceId: PhoneId | null,
): Promise<NearAlert[]> => {
  const [claimed] = await claimedPayers(db, accountId, [intent.id])
  const expected = {
    ...intent,
    ...(claimed === undefined ? {} : { claimed }),
    referenceKey: intent.reference === '' ? null : referenceKey(intent.reference),
  }
  const rows = await alertsNear(db, {
    accountId,
    walletId: intent.walletId,
    deviceId,
    referenceKey: expected.referenceKey,
    firstId: firstIdAt(intent.createdAt - before_ms),
    middleId: firstIdAt(intent.createdAt),
    lastId: firstIdAt(intent.createdAt + after_ms),
  })
  const found = nearest(
    expected,
    rows.filter((row) => row.direction !== 'debit'),
    most,
  )
  if (found.length === 0) return []
  const texts = new Map(
    (
      await textsOf(
        db,
        accountId,
        found.map(({ id }) => id),
      )
    ).map((row) => [row.id, row.raw_text]),
  )
  return found.map((row) => ({ ...row, text: texts.get(row.id) ?? '', differs: differences(expected, row) }))
}
