/** `/counter/`: the last payments and the phones of the wallets, for the cashier's screen. */
import { type Counter, showCounter } from '@sanad/contract/dashboard/money/counter'
import { formatMinor } from '../../../core/money.ts'
import { readArrival } from '../../../intents/arrival.ts'
import { lastPayments } from '../../../views/counter/last-payments-sql.ts'
import { listWallets, walletOf } from '../../../views/wallets/wallet-sql.ts'
import { phonesHealth } from '../../../wallets/phones/phone-health-sql.ts'
import { arrivalAnswer } from '../arrival-answer.ts'
import type { IntentRouteDeps } from '../intents/intent-deps.ts'
import { healthOf } from '../intents/overview.ts'
import { type Call, type Route, route } from '../route.ts'

const mostPayments = 20

export const counterRoutes = (deps: IntentRouteDeps): Route[] => [route(showCounter, (call) => counter(deps, call))]

const counter = async (deps: IntentRouteDeps, { member, now }: Call): Promise<Counter> => {
  const { scope } = member
  const { zone } = await deps.terms(scope.accountId, now)
  const rows = await lastPayments(deps.db, scope, mostPayments)
  const payments = rows.map((row) => ({ ...row, arrival: readArrival(row)! }))
  const wallets = (await listWallets(deps.db, scope)).map(walletOf)
  const phones = await phonesHealth(deps.db, scope)
  return {
    at: zone.format(new Date(now)),
    payments: payments.map(({ arrival, ...row }) => ({
      intent: row.id,
      code: row.code,
      external_order_id: row.external_order_id,
      amount: formatMinor(arrival.arrived),
      ...arrivalAnswer(arrival),
      currency: row.currency,
      payer: row.payer ?? '',
      wallet: { id: row.wallet_id, name: row.wallet_name, is_test: row.wallet_is_test },
      verified_at: zone.format(new Date(row.verified_at)),
      manual_override: row.manual,
    })),
    wallets: wallets.map((wallet) => healthOf(wallet, phones, zone, now)),
  }
}
