/**
 * `/test-payment/`: a payment without money arrives on the account's testing wallet, as if the simulated phone had
 * reported it. It is processed like every alert, with an entry in the audit log. No other wallet can be paid like this.
 */
import { makeTestPayment, type TestPaid } from '@sanad/contract/dashboard/money/test-payment'
import type { AccountId, PhoneId, WalletId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import type { ReadReport } from '../../../matching/reading/read-report.ts'
import { payTestWallet } from '../../../matching/report/pay-test-wallet.ts'
import type { WalletLookup } from '../../../wallets/entries/wallet-lookup.ts'
import type { PhoneLookup } from '../../../wallets/phones/phone-lookup.ts'
import type { PhoneSecrets } from '../../../wallets/phones/phone-secrets.ts'
import { simulatedName, simulatedPhone } from '../../../wallets/phones/simulated-phone.ts'
import type { Wallet } from '../../../wallets/wallet.ts'
import { invalid } from '../../answers.ts'
import type { ReadBody } from '../../body/schema-reader.ts'
import { accepted, answerTo } from '../refusals.ts'
import { type Call, change, count, type DashboardContext, type Route, route } from '../route.ts'

type TestPaymentBody = Omit<ReadBody<typeof makeTestPayment.body>, 'wallet'> & { readonly wallet: WalletId }

export type TestPaymentDeps = DashboardContext & {
  readonly zone: Zone
  readonly wallets: WalletLookup
  readonly knownPhones: PhoneLookup
  readonly phoneSecrets: PhoneSecrets
  readonly readReport: ReadReport
  /** Wakes the sender of webhooks after the commit, because events may be due. */
  readonly wake: (accountId: AccountId) => void
}

export const testPaymentRoutes = (deps: TestPaymentDeps): Route[] => [
  route(makeTestPayment, async (call) => {
    const body = { ...call.body, wallet: call.body.wallet as WalletId }
    await mustBeTestWallet(deps, call, body)
    await count(deps, 'test_payment', call.member.scope.accountId, call.now)
    return pay(deps, call, body, await ensurePhone(deps, call))
  }),
]

const mustBeTestWallet = async (
  deps: TestPaymentDeps,
  call: Call,
  { wallet: id }: TestPaymentBody,
): Promise<Wallet> => {
  const wallet = await deps.wallets.get(call.member.scope, id, call.now)
  if (wallet === undefined) throw answerTo({ refused: 'wallet_unknown', facts: { wallet: id } })
  const detail = 'Only the testing wallet can be paid without money.'
  if (!wallet.isTest) throw invalid([{ code: 'not_the_test_wallet', detail, attr: 'wallet' }])
  return wallet
}

/**
 * The simulated phone, which is created if there is none. In a transaction of its own, before the payment: reading a
 * report needs a phone that is committed.
 */
const ensurePhone = async (deps: TestPaymentDeps, call: Call): Promise<PhoneId> => {
  const { member, now } = call
  const phone = await change(deps, call, async (db, audit) => {
    const done = accepted(await simulatedPhone(db, deps.phoneSecrets, member.scope, now))
    if (done.created) {
      const { phoneId, walletId } = done
      audit({ action: 'phone.create', kind: 'phone', id: phoneId, after: { name: simulatedName, switched_on: true } })
      audit({
        action: 'wallet.update',
        kind: 'wallet',
        id: walletId,
        before: { phone: null },
        after: { phone: phoneId },
      })
    }
    return done
  })
  if (phone.created) deps.wallets.forget(member.scope, phone.walletId)
  return phone.phoneId
}

const pay = async (
  deps: TestPaymentDeps,
  call: Call,
  { wallet, ...payment }: TestPaymentBody,
  phoneId: PhoneId,
): Promise<TestPaid> => {
  const { now } = call
  const { scope } = call.member
  const { id, state, intentId, text } = await change(deps, call, async (db, audit) => {
    const resolved = await payTestWallet(deps, db, scope, phoneId, payment, now)
    audit({
      action: 'alert.test_payment',
      kind: 'alert',
      id: resolved.id,
      after: { wallet, amount: formatMinor(payment.amount), reference: payment.reference },
    })
    return resolved
  })
  if (intentId !== null) deps.sendHint(scope.accountId, { kind: 'intent', id: intentId })
  deps.wake(scope.accountId)
  return { alert: id, text, reference: payment.reference, state, intent: intentId }
}
