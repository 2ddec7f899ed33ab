/** `/unmatched/{id}/take-sale/`, `/unmatched/{id}/undo-sale/` and `/intents/{id}/hand-over/`: what a cashier does with money. */

import type { Alert } from '@sanad/contract/dashboard/money/alert'
import * as operations from '@sanad/contract/dashboard/money/sales'
import { actorOf } from '../../../accounts/people/signed-in-user.ts'
import { wholeOf } from '../../../core/scope.ts'
import { handOver } from '../../../intents/hand-over.ts'
import { readDoubted, undoSale } from '../../../matching/queue/undo-sale.ts'
import type { JoinedDb } from '../../../postgres/query/joined.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import type { Reads } from '../../routes/route.ts'
import { type IntentRouteDeps, intentIn } from '../intents/intent-deps.ts'
import { doerIn } from '../limited-act.ts'
import { alertIn } from '../money/alerts.ts'
import { auditAlertChange, type UnmatchedDeps } from '../money/unmatched.ts'
import { alertAnswer } from '../money/unmatched-answers.ts'
import { accepted, type DashboardRefusal } from '../refusals.ts'
import { change, type NamedCall, type Route, route } from '../route.ts'
import { timeIn } from '../time-text.ts'
import { type SaleAct, saleAct } from './sale-act.ts'

type SaleDeps = UnmatchedDeps & IntentRouteDeps

export const saleRoutes = (deps: SaleDeps): Route[] => [
  route(operations.takeSale, alertIn(deps), async (call, { id }) => {
    const { now, member } = call
    await change(deps, call, async (db, audit) =>
      accepted(await saleAct(deps, { db, audit, doer: await doerIn(db, call), now }, saleInput(id, call.body))),
    )
    deps.wake(member.scope.accountId)
    return alertAnswer((await findAlert(deps.db, member.scope, id))!, member.role, deps.zone, now)
  }),
  route(operations.undoSale, alertIn(deps), async (call, { id }) => {
    const target = { scope: wholeOf(call.member.scope), alertId: id }
    // Read before the transaction, because reading may look up templates.
    const doubted = await readDoubted(deps, target, call.now)
    return changeSale(deps, call, 'alert.undo_sale', (db) => undoSale(db, deps.zone, target, doubted, call.now))
  }),
  route(operations.handOver, intentIn(deps), async (call, intent) => {
    const { member, now } = call
    const { userId } = member
    const request = { scope: wholeOf(member.scope), intentId: intent.id, by: actorOf(call.user), userId }
    const mark = await change(deps, call, (db, audit) =>
      db.transaction(async (tx) => {
        const result = accepted(await handOver(tx, request, now))
        if (result.first)
          audit({ action: 'intent.hand_over', kind: 'intent', id: intent.id, after: { payment: intent.code } })
        return result
      }),
    )
    return { intent: intent.id, by: mark.by, at: timeIn(deps.zone, mark.at), first: mark.first }
  }),
]

export const saleInput = (alertId: string, body: Reads<typeof operations.takeSale>['body']): SaleAct => ({
  act: 'take_sale',
  alertId,
  amount: body.amount,
  externalOrderId: body.external_order_id ?? '',
  note: body.note ?? '',
  looked: body.looked === true,
  anotherPayment: body.another_payment === true,
  notForOrder: body.not_for_order === true,
})

/** Runs an action on the alert of the path, with its audit entry, and answers the alert as it is afterwards. */
const changeSale = async (
  deps: SaleDeps,
  call: NamedCall,
  action: string,
  work: (db: JoinedDb) => Promise<{ readonly refused: DashboardRefusal } | string>,
): Promise<Alert> => {
  const { member, now } = call
  const before = await alertIn(deps)(call)
  await change(deps, call, async (db, audit) => {
    accepted(await work(db))
    return auditAlertChange(db, audit, action, member, before)
  })
  deps.wake(member.scope.accountId)
  return alertAnswer((await findAlert(deps.db, member.scope, before.id))!, member.role, deps.zone, now)
}
