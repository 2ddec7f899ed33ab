/** An entry of the counter's roll as it is answered. */
import type { RollEntry } from '@sanad/contract/dashboard/money/counter'
import type { MemberRole } from '../../../accounts/people/permission.ts'
import { creditKind, hasArrived } from '../../../alerts/arrived.ts'
import type { Instant } from '../../../core/clock.ts'
import type { Zone } from '../../../core/zone.ts'
import { needsLook } from '../../../matching/rules/doubts.ts'
import type { ShownAlert } from '../../../views/alerts/alert-list-sql.ts'
import type { RollRow } from '../../../views/counter/list-roll.ts'
import { alertAnswer, doubtfulOf } from '../money/unmatched-answers.ts'
import { timeIn } from '../time-text.ts'

const stateOf = (row: ShownAlert): RollEntry['state'] => {
  if (row.sale_by !== null) return 'sale'
  if (row.state === 'matched' || row.state === 'booked') return 'paid'
  if (row.state === 'dismissed') return 'aside'
  return needsLook({ ...doubtfulOf(row), state: row.state, reason: row.reason }) ? 'look' : 'unmatched'
}

export const rollEntry = (row: RollRow, role: MemberRole, zone: Zone, now: Instant): RollEntry => {
  const { alert, company, handedOver, repeats } = row
  const { id, received_at, amount, currency, payer, reference, reason, doubts, intent, sale } = alertAnswer(
    alert,
    role,
    zone,
    now,
  )
  return {
    id,
    received_at,
    amount: amount ?? '0.00',
    currency: currency ?? '',
    payer,
    company: { name: company.name, name_ar: company.name_ar },
    wallet: { id: company.wallet_id, name: alert.wallet_name ?? '' },
    reference,
    state: stateOf(alert),
    arrived: hasArrived(creditKind(alert)),
    alert_state: alert.state,
    reason,
    doubts,
    intent,
    sale,
    handed_over: handedOver === undefined ? null : { by: handedOver.by, at: timeIn(zone, handedOver.at) },
    repeats: [...repeats],
  }
}
