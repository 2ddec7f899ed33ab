/** Takes unmatched money as a sale, with its audit entry. */
import type { Minor } from '../../../core/money.ts'
import { refuse } from '../../../core/refusal.ts'
import type { Zone } from '../../../core/zone.ts'
import { type SaleRefusal, takeSale } from '../../../matching/queue/take-sale.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import { type Acting, type Done, onWhole } from '../limited-act.ts'
import { auditAlertChange } from '../money/unmatched.ts'

export type SaleAct = {
  readonly act: 'take_sale'
  readonly alertId: string
  /** What arrived, as the member saw it. */
  readonly amount: Minor
  readonly externalOrderId: string
  readonly note: string
  readonly looked: boolean
  readonly anotherPayment: boolean
  readonly notForOrder: boolean
}

export const saleAct = async (
  { zone }: { readonly zone: Zone },
  { db, audit, doer, now }: Acting,
  { act: _, amount: seen, ...sale }: SaleAct,
): Promise<Done | SaleRefusal> => {
  const before = await findAlert(db, doer.scope, sale.alertId)
  if (before === undefined) return refuse('alert_unknown')
  const taken = await takeSale(db, zone, { ...sale, ...onWhole(doer), seen }, now)
  if (typeof taken !== 'string') return taken
  await auditAlertChange(db, audit, 'alert.take_sale', doer, before)
  return { intentId: null, hints: [] }
}
