/** `/intents/{id}/voucher/` and `/intents/{id}/voucher/revoke/`: the public address of an intent is shared, or revoked. */

import * as operations from '@sanad/contract/dashboard/money/vouchers'
import type { FastifyRequest } from 'fastify'
import { wholeOf } from '../../../core/scope.ts'
import { revokeVoucher, shareVoucher } from '../../../intents/vouchers/share-voucher.ts'
import type { VoucherTokens } from '../../../intents/vouchers/voucher.ts'
import { wholeAlert } from '../../../views/queue/near-alerts-sql.ts'
import { firstNameOf } from '../../../views/vouchers/first-name.ts'
import { voucherBase } from '../../voucher/voucher-routes.ts'
import { qrSvg } from '../qr-svg.ts'
import { accepted } from '../refusals.ts'
import { actorIn, change, type Route, route } from '../route.ts'
import { type IntentRouteDeps, intentIn } from './intent-deps.ts'

export type VoucherRouteDeps = IntentRouteDeps & {
  readonly voucherTokens: VoucherTokens
  readonly ownOrigin: (request: FastifyRequest) => string
}

export const voucherRoutes = (deps: VoucherRouteDeps): Route[] => [
  route(operations.shareVoucher, intentIn(deps), async (call, { id, code, status, matched }) => {
    const { scope } = call.member
    const request = { scope: wholeOf(scope), intentId: id, by: actorIn(call).actor }
    const shared = await change(deps, call, (db, audit) =>
      db.transaction(async (tx) => {
        const result = accepted(await shareVoucher(tx, deps.voucherTokens, request, call.now))
        if (result.first)
          audit({ action: 'intent.share_voucher', kind: 'intent', id, after: { payment: code, status } })
        return result
      }),
    )
    const [alert] = matched === null ? [] : await wholeAlert(deps.db, scope, matched.id)
    const url = `${deps.ownOrigin(call.request)}${voucherBase}/${shared.token}`
    return { url, qr_svg: qrSvg(url), payer: firstNameOf(alert?.payer ?? ''), first: shared.first }
  }),
  route(operations.revokeVoucher, intentIn(deps), async (call, { id, code }) => {
    const request = { scope: wholeOf(call.member.scope), intentId: id, by: actorIn(call).actor }
    const revoked = await change(deps, call, (db, audit) =>
      db.transaction(async (tx) => {
        const result = accepted(await revokeVoucher(tx, request, call.now))
        if (result) audit({ action: 'intent.revoke_voucher', kind: 'intent', id, after: { payment: code } })
        return result
      }),
    )
    return { revoked }
  }),
]
