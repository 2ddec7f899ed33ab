/** Turns rows of stored credits into the form in which the same-payment rule compares them (rules/same-payment.ts). */
import type { RowOf } from '../../postgres/query/statement.ts'
import type { CreditReport } from '../records/credit-report.ts'
import type { RecentAmount } from '../records/known-alerts.ts'
import { mostCompared, type recentAmounts, type StoredCredit } from './amounts-sql.ts'
import { linkKind } from './classify-alert.ts'

type ComparedRow = Omit<StoredCredit, 'direction' | 'identity' | 'amount'>

export const creditOf = (row: ComparedRow): CreditReport => ({
  id: row.id,
  walletId: row.wallet_id,
  referenceKey: row.reference_key,
  currency: row.currency,
  payer: row.payer,
  balance: row.balance,
  text: row.raw_text,
  erased: row.erased_at !== null,
  sentAt: row.sent_at,
  phoneReceivedAt: row.phone_received_at,
  receivedAt: row.received_at,
  link: linkKind({ chain: row.chain, chainMissing: row.chain_missing, chainSince: row.chain_since }),
  source: { phoneId: row.device_id, adapter: row.adapter, kind: row.kind },
})

type RecentRow = RowOf<typeof recentAmounts.columns>

/** The credits of one amount. If there were more of a kind than are read, the last one of that kind stands for the others. */
export const recentAmountsOf = (rows: readonly RecentRow[]): RecentAmount[] => {
  const byKind = Map.groupBy(rows, (row) => `${isSpent(row)} ${row.reference_key === null}`)
  return [...byKind.values()].flatMap((kind) =>
    kind.map((row, place) => ({
      ...creditOf(row),
      id: row.id,
      spent: isSpent(row),
      intentId: row.intent_id,
      standsForMore: place === mostCompared,
    })),
  )
}

const isSpent = ({ state }: RecentRow): boolean => state === 'matched' || state === 'booked'
