/** `/intents/{id}/collect-rest/`: after a payment that was too small, a checkout for what is missing. */

import * as operations from '@sanad/contract/dashboard/checkouts/collect-rest'
import { readCheckout } from '../../../checkouts/list-checkouts.ts'
import type { Reads } from '../../routes/route.ts'
import { type IntentRouteDeps, intentIn } from '../intents/intent-deps.ts'
import { doerIn } from '../limited-act.ts'
import { accepted } from '../refusals.ts'
import { change, type Route, route } from '../route.ts'
import { type CollectAct, collectAct } from './checkout-acts.ts'
import { shownCheckout } from './checkout-answers.ts'
import type { CheckoutRouteDeps } from './checkouts.ts'

export const collectRestRoutes = (deps: CheckoutRouteDeps & IntentRouteDeps): Route[] => [
  route(operations.collectRest, intentIn(deps), async (call, intent) => {
    const { now } = call
    const { scope } = call.member
    const input = collectInput(intent.id, call.body)
    const { collected, hints } = await change(deps, call, async (db, audit) =>
      accepted(await collectAct(deps, { db, audit, doer: await doerIn(db, call), now }, input)),
    )
    deps.wake(scope.accountId)
    for (const hint of hints) deps.sendHint(scope.accountId, hint)
    return shownCheckout(deps, call, (await readCheckout(deps.db, scope, collected.checkoutId))!)
  }),
]

export const collectInput = (intentId: string, body: Reads<typeof operations.collectRest>['body']): CollectAct => ({
  act: 'collect_rest',
  intentId,
  paid: body.paid_amount,
  anotherPayment: body.another_payment === true,
})
