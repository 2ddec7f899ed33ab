/** `/intents/{id}/collect-rest/`: after a payment that was too small, a checkout for what is missing. */

import * as operations from '@sanad/contract/dashboard/checkouts/collect-rest'
import { collectRest } from '../../../checkouts/collect-rest.ts'
import { readCheckout } from '../../../checkouts/list-checkouts.ts'
import { formatMinor } from '../../../core/money.ts'
import { refuse } from '../../../core/refusal.ts'
import { wholeOf } from '../../../core/scope.ts'
import { statusAt } from '../../../intents/intent.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import { type IntentRouteDeps, intentIn, walletOf } from '../intents/intent-deps.ts'
import { accepted, answerTo } from '../refusals.ts'
import { actorIn, change, type Route, route } from '../route.ts'
import { shownCheckout } from './checkout-answers.ts'
import type { CheckoutRouteDeps } from './checkouts.ts'

export const collectRestRoutes = (deps: CheckoutRouteDeps & IntentRouteDeps): Route[] => [
  route(operations.collectRest, intentIn(deps), async (call, intent) => {
    const { member, now, body } = call
    const { scope } = member
    const { matched } = intent
    if (intent.status !== 'WRONG_AMOUNT' || matched === null)
      throw answerTo(refuse('intent_not_wrong', { status: statusAt(intent, now) }))
    const { isTest } = await walletOf(deps, intent, now)
    if ((await findAlert(deps.db, scope, matched.id)) === undefined) throw answerTo(refuse('alert_unknown'))
    const request = {
      scope: wholeOf(scope),
      intent,
      isTest,
      by: actorIn(call).actor,
      paid: body.paid_amount,
      anotherPayment: body.another_payment === true,
    }
    const tokens = deps.checkoutTokens
    const { checkoutId, part, cancelled } = await change(deps, call, (db, audit) =>
      db.transaction(async (tx) => {
        const collected = accepted(await collectRest(tx, { zone: deps.zone, tokens }, request, now))
        const { part: created, rest } = collected
        const payment = {
          intent: created.id,
          payment: created.code,
          payable_amount: formatMinor(created.payable),
          checkout: collected.checkoutId,
          rest: formatMinor(rest),
        }
        audit({
          action: 'alert.book',
          kind: 'alert',
          id: matched.id,
          before: { state: 'wrong_amount' },
          after: { state: 'booked', ...payment },
        })
        audit({
          action: 'intent.collect_rest',
          kind: 'intent',
          id: created.id,
          before: { copy_of: intent.id, payable_amount: formatMinor(intent.payable) },
          after: { status: created.status, manual_override: true, ...payment, alert: matched.id },
        })
        return collected
      }),
    )
    deps.wake(scope.accountId)
    deps.sendHint(scope.accountId, { kind: 'alert', id: matched.id })
    for (const id of cancelled === undefined ? [part.id] : [part.id, cancelled])
      deps.sendHint(scope.accountId, { kind: 'intent', id })
    deps.sendHint(scope.accountId, { kind: 'checkout', id: checkoutId })
    return shownCheckout(deps, call, (await readCheckout(deps.db, scope, checkoutId))!)
  }),
]
