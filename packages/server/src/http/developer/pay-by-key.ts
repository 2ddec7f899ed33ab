/**
 * `/test-payments/`: a test key pays on the testing wallet of its account, without money. A key that sees real wallets is refused,
 * so a program that was set up for real payments never counts a made-up one.
 */

import type { TestPaid } from '@sanad/contract/dashboard/money/test-payment'
import type { NewTestPayment } from '@sanad/contract/developer'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, PhoneId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import { payTestWallet, type TestPaymentDeps } from '../../matching/report/pay-test-wallet.ts'
import type { AlertOutcome } from '../../matching/resolve/resolve-alerts.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { withRetries } from '../../postgres/query/gather.ts'
import type { WalletLookup } from '../../wallets/entries/wallet-lookup.ts'
import { mostPhones } from '../../wallets/phones/account-phones.ts'
import type { PhoneSecrets } from '../../wallets/phones/phone-secrets.ts'
import { simulatedPhone } from '../../wallets/phones/simulated-phone.ts'
import { invalid, permissionDenied } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'
import type { ReadBody } from '../body/schema-reader.ts'
import { countCall } from '../limits/count-call.ts'
import type { KeyApiDeps, KeyCall } from '../routes/key-route.ts'

export type KeyPaymentDeps = KeyApiDeps &
  TestPaymentDeps & {
    readonly db: Db
    readonly wallets: WalletLookup
    readonly phoneSecrets: PhoneSecrets
    /** After the commit: open dashboards are updated, and webhooks are sent. */
    readonly onPaid: (accountId: AccountId, outcome: AlertOutcome) => void
  }

const phoneLimit = { code: 'phone_limit', detail: `An account has at most ${mostPhones} phones.`, attr: NON_FIELD }

type PaymentCall = KeyCall & { readonly body: ReadBody<typeof NewTestPayment> }

export const payByKey = async (deps: KeyPaymentDeps, { key, body, now }: PaymentCall): Promise<TestPaid> => {
  if (!key.isTest)
    throw permissionDenied('A test payment needs a test key: create one in the dashboard under API keys.')
  const { accountId } = key.scope
  await countCall(deps, 'test_payment', accountId, now)
  const phoneId = await ensurePhone(deps, wholeAccount(accountId), now)
  const { text, ...outcome } = await withRetries(() =>
    deps.db.transaction((tx) => payTestWallet(deps, tx, wholeAccount(accountId), phoneId, body, now)),
  )
  deps.onPaid(accountId, outcome)
  return { alert: outcome.id, text, reference: body.reference, state: outcome.state, intent: outcome.intentId }
}

/** In a transaction of its own, before the payment: reading a report needs a phone that is committed. */
const ensurePhone = async (deps: KeyPaymentDeps, scope: Scope, now: Instant): Promise<PhoneId> => {
  const phone = await withRetries(() => deps.db.transaction((tx) => simulatedPhone(tx, deps.phoneSecrets, scope, now)))
  if (isRefusal(phone)) throw invalid([phoneLimit])
  if (phone.created) deps.wallets.forget(scope, phone.walletId)
  return phone.phoneId
}
