/** Turns the row of a stored credit into the form in which the same-payment rule compares it (rules/same-payment.ts). */
import { matchable_ms } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { CreditReport } from '../rules/same-payment.ts'
import type { recentAmounts, StoredCredit } from './amounts-sql.ts'
import { linkKind } from './classify-alert.ts'
import type { RecentAmount } from './known-alerts.ts'

type ComparedRow = Omit<StoredCredit, 'device_id' | 'adapter' | 'kind' | 'direction' | 'identity' | 'amount'>

/** `sources`: the keys of the sources that reported the text of the alert. */
export const creditOf = (row: ComparedRow, sources: readonly string[]): CreditReport => ({
  id: row.id,
  referenceKey: row.reference_key,
  currency: row.currency,
  templateId: row.template_id,
  payer: row.payer,
  text: row.raw_text,
  sentAt: row.sent_at,
  phoneReceivedAt: row.phone_received_at,
  receivedAt: row.received_at,
  link: linkKind({ chain: row.chain, chainMissing: row.chain_missing, chainSince: row.chain_since }),
  sources,
})

export const recentAmountOf = (row: RowOf<typeof recentAmounts.columns>, now: Instant): RecentAmount => ({
  ...creditOf(row, JSON.parse(row.sources) as string[]),
  id: row.id,
  spent: row.state === 'matched' || row.state === 'booked',
  recent: row.id >= firstIdAt(now - matchable_ms),
})
