/**
 * `POST /intents/`: a member creates an intent. The same code as in the merchant API checks the rules, the quota and the
 * idempotency key; here the intent is written in one transaction with its entry in the audit log.
 */

import { createIntent } from '@sanad/contract/dashboard/money/intents'
import { NewPayer } from '@sanad/contract/dashboard/money/payer'
import { isRefusal } from '../../../core/refusal.ts'
import { wholeOf } from '../../../core/scope.ts'
import { intentCreator } from '../../../intents/create/create-intents.ts'
import { claimForNew } from '../../../matching/payers/claim-payer.ts'
import { isClaimed } from '../../../matching/records/claimed-payer.ts'
import { withSavepoints } from '../../../postgres/query/savepoints.ts'
import { walletLookup } from '../../../views/wallets/find-wallet.ts'
import { invalid, sendJson } from '../../answers.ts'
import type { Json } from '../../body/json.ts'
import { bodyReader } from '../../body/schema-reader.ts'
import { type CheckedRequest, createFromRequest } from '../../merchant/create-intent.ts'
import { intentText } from '../../merchant/intent-answer.ts'
import { asSent, readBy } from '../../routes/route.ts'
import { actorIn, type Call, type Route, route, tryChange } from '../route.ts'
import type { IntentRouteDeps } from './intent-deps.ts'

const readNewPayer = bodyReader(NewPayer)

export const createIntentRoutes = (deps: IntentRouteDeps): Route[] => [
  route(readBy(createIntent, asSent), async (call) => {
    const { request, reply, body, now } = call
    const { scope } = call.member
    const created = await createFromRequest(deps, { request, body, scope: scope, now }, (order) =>
      write(deps, call, order),
    )
    if (created.kind === 'replayed') reply.header('idempotent-replayed', 'true')
    return sendJson(reply, 201, created.answer)
  }),
]

const write = async (deps: IntentRouteDeps, call: Call & { readonly body: Json }, order: CheckedRequest) => {
  const { now } = call
  const { scope } = call.member
  const reading = readNewPayer(call.body)
  if (reading.kind === 'no') throw invalid(reading.errors)
  const payer = { name: reading.value.payer_name, phone: reading.value.payer_phone }
  const { quota, zone } = await deps.terms(scope.accountId, now)
  return tryChange(deps, call, async (db, audit) => {
    const within = withSavepoints(db)
    const create = intentCreator({
      db: within,
      shared: within,
      wallets: walletLookup(within),
      zone: deps.zone,
      window_ms: deps.window_ms,
    })
    const created = await create(
      {
        ...order,
        scope: scope,
        quota,
        createdBy: actorIn(call).actor,
        write: (intent, wallet) => intentText(intent, wallet, zone, now),
      },
      now,
    )
    if (!isRefusal(created) && created.kind === 'created') {
      const { code, payable_amount } = JSON.parse(created.answer)
      const { externalOrderId, notes } = order.draft
      await claimForNew(db, { scope: wholeOf(scope), intentId: created.intentId, source: 'member', ...payer }, now)
      const after = {
        payment_id: code,
        wallet: order.wallet.id,
        payable_amount,
        external_order_id: externalOrderId,
        notes,
        ...(isClaimed(payer) ? { payer_name: payer.name, payer_phone: payer.phone } : {}),
      }
      audit({ action: 'intent.create', kind: 'intent', id: created.intentId, after })
    }
    return created
  })
}
