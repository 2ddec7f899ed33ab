/** `/counter/sales/` and `/checkouts/{id}/wallet/`: a sale is started at the counter, and its wallet is chosen. */

import * as operations from '@sanad/contract/dashboard/checkouts/start-sale'
import { errorOf } from '@sanad/contract/error-sentences'
import { replayedCheckout } from '../../../checkouts/create-checkout.ts'
import { readCheckout } from '../../../checkouts/list-checkouts.ts'
import { type OpenDeps, openIntent } from '../../../checkouts/open-intent.ts'
import { type StartedSale, startSale } from '../../../checkouts/start-sale.ts'
import type { Instant } from '../../../core/clock.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import type { JoinedDb } from '../../../postgres/query/joined.ts'
import { withSavepoints } from '../../../postgres/query/savepoints.ts'
import { walletLookup } from '../../../views/wallets/find-wallet.ts'
import { listWallets, walletOf } from '../../../views/wallets/wallet-sql.ts'
import { obstacle, type Wallet } from '../../../wallets/wallet.ts'
import { invalid, sendJson } from '../../answers.ts'
import type { Json } from '../../body/json.ts'
import { bodyReader } from '../../body/schema-reader.ts'
import { idempotencyKey } from '../../merchant/create-intent.ts'
import { unknownWallet } from '../../merchant/refusals.ts'
import { readBy } from '../../routes/route.ts'
import { shownCheckout } from '../checkouts/checkout-answers.ts'
import { type CheckoutRouteDeps, checkoutIn } from '../checkouts/checkouts.ts'
import { accepted } from '../refusals.ts'
import { actorIn, type Call, change, type Route, route } from '../route.ts'

export type StartSaleDeps = CheckoutRouteDeps & { readonly window_ms: number }

const readNewSale = bodyReader(operations.NewSale)
/** The fields, and the body as it was sent: a repeated key must come with the same body. */
const readSale = (sent: Json) => {
  const reading = readNewSale(sent)
  return reading.kind === 'no' ? reading : { kind: 'ok' as const, value: { ...reading.value, sent } }
}

export const startSaleRoutes = (deps: StartSaleDeps): Route[] => [
  route(readBy(operations.startSale, readSale), async (call) => {
    const { scope } = call.member
    const { key, errors } = idempotencyKey(call.request, call.body.sent)
    if (errors.length > 0) throw invalid(errors)
    // A used key gets its sale again, even if the wallet was switched off since.
    const earlier = key && (await replayedCheckout(deps.db, scope, key, call.now))
    const started = earlier === undefined ? await start(deps, call, key) : accepted(earlier)
    if (started.kind === 'replayed') call.reply.header('idempotent-replayed', 'true')
    const found = (await readCheckout(deps.db, scope, started.checkout.id))!
    return sendJson(call.reply, 201, JSON.stringify(await shownCheckout(deps, call, found)))
  }),
  route(operations.chooseSaleWallet, checkoutIn(deps), async (call, { checkout }) => {
    const { scope } = call.member
    const wallet = await chosenWallet(deps, scope, call.body.wallet, call.now)
    const { quota } = await deps.terms(scope.accountId, call.now)
    const request = { scope, id: checkout.id, walletId: wallet.id, quota, by: actorIn(call).actor }
    const { changed, ended } = await change(deps, call, async (db, audit) => {
      const opened = accepted(await openIntent(openDeps(deps, db), request, call.now))
      if (opened.changed.length > 0)
        audit({
          action: 'checkout.choose_wallet',
          kind: 'checkout',
          id: checkout.id,
          after: {
            wallet: wallet.name,
            external_order_id: checkout.externalOrderId,
            amount: formatMinor(checkout.amount),
          },
        })
      return opened
    })
    for (const id of changed) deps.sendHint(scope.accountId, { kind: 'intent', id })
    // The earlier intent was cancelled, or the checkout had ended: both may have an event.
    if (ended || changed.length > 1) deps.wake(scope.accountId)
    if (ended) deps.sendHint(scope.accountId, { kind: 'checkout', id: checkout.id })
    return shownCheckout(deps, call, (await readCheckout(deps.db, scope, checkout.id))!)
  }),
]

const openDeps = ({ zone, window_ms }: StartSaleDeps, db: JoinedDb): OpenDeps => ({
  db: withSavepoints(db),
  zone,
  window_ms,
  walletsIn: walletLookup,
})

type SaleCall = Call & {
  readonly body: { readonly amount: Minor; readonly external_order_id: string; readonly wallet?: string | undefined }
}

const start = async (
  deps: StartSaleDeps,
  call: SaleCall,
  idempotency: ReturnType<typeof idempotencyKey>['key'],
): Promise<StartedSale> => {
  const { now, body } = call
  const { scope } = call.member
  const wallet =
    body.wallet === undefined ? await onlyWallet(deps, scope) : await chosenWallet(deps, scope, body.wallet, now)
  const { quota } = await deps.terms(scope.accountId, now)
  const request = {
    scope,
    amount: body.amount,
    externalOrderId: body.external_order_id,
    wallet,
    createdBy: actorIn(call).actor,
    quota,
    idempotency,
  }
  const started = await change(deps, call, async (db, audit) => {
    const saleDeps = { ...openDeps(deps, db), tokens: deps.checkoutTokens }
    const result = accepted(await startSale(saleDeps, request, now))
    if (result.kind === 'created')
      audit({
        action: 'checkout.create',
        kind: 'checkout',
        id: result.checkout.id,
        after: {
          external_order_id: request.externalOrderId,
          amount: formatMinor(request.amount),
          wallet: wallet.name,
        },
      })
    return result
  })
  if (started.kind === 'created')
    for (const id of started.intents) deps.sendHint(scope.accountId, { kind: 'intent', id })
  return started
}

const chosenWallet = async (deps: StartSaleDeps, scope: Scope, id: string, now: Instant): Promise<Wallet> => {
  const wallet = await deps.wallets.get(scope, id, now)
  const code = wallet === undefined ? 'wallet_unknown' : obstacle(wallet)
  if (wallet === undefined || code === 'wallet_unknown') throw invalid([unknownWallet(id)])
  if (code !== undefined) throw invalid([{ attr: 'wallet', ...errorOf('wallet_not_monitored') }])
  return wallet
}

/** The only real wallet that can collect. Of several, a member chooses one. */
const onlyWallet = async (deps: StartSaleDeps, scope: Scope): Promise<Wallet> => {
  const real = (await listWallets(deps.db, scope))
    .map(walletOf)
    .filter((wallet) => !wallet.isTest && obstacle(wallet) === undefined)
  const [only, ...others] = real
  if (only === undefined) throw invalid([{ attr: 'wallet', ...errorOf('no_wallet_monitored') }])
  if (others.length > 0) throw invalid([{ attr: 'wallet', ...errorOf('required') }])
  return only
}
