/** What the checkout API and the buyer's page share, and the open pages. */
import { checkoutTokens } from '../checkouts/checkout-token.ts'
import type { AccountId, CheckoutId, IntentId } from '../core/ids.ts'
import { payStreams } from '../http/pay/pay-streams.ts'
import { voucherTokens } from '../intents/vouchers/voucher.ts'
import type { Views } from './create-views.ts'
import type { Base } from './open-base.ts'
import type { Live } from './open-live.ts'
import type { Webhooks } from './open-webhooks.ts'

export const createCheckouts = (
  { config, db, zone, clock, limits, masterKey, onFault }: Base,
  { wallets }: Views,
  { hub, sendHint }: Live,
  { wakeForOne }: Webhooks,
) => ({
  streams: payStreams({ live: hub, onFault: onFault('an open page could not be read') }),
  routes: {
    db,
    zone,
    clock,
    wallets,
    limits,
    rules: config.limits,
    checkoutTokens: checkoutTokens(masterKey),
    voucherTokens: voucherTokens(masterKey),
    onIntents: (accountId: AccountId, ids: readonly IntentId[]) => {
      for (const id of ids) sendHint(accountId, { kind: 'intent', id })
    },
    onEvent: wakeForOne,
    onCheckout: (accountId: AccountId, id: CheckoutId) => sendHint(accountId, { kind: 'checkout', id }),
  },
})
