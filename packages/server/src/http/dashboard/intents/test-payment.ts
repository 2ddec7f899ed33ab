/**
 * `/test-payment/`: a payment without money arrives on the account's testing wallet, as if the simulated phone had
 * reported it. It is processed like every alert, with an entry in the audit log. No other wallet can be paid like this.
 */
import { randomUUID } from 'node:crypto'
import { makeTestPayment, type TestPaid } from '@sanad/contract/dashboard/money/test-payment'
import type { Report } from '../../../alerts/alert.ts'
import { testPaymentText, testSender } from '../../../alerts/shipped/test-payment.ts'
import type { AccountId, PhoneId, WalletId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import type { ReadReport } from '../../../matching/reading/read-report.ts'
import { alertRecorder } from '../../../matching/report/record-alerts.ts'
import type { AlertOutcome } from '../../../matching/resolve/resolve-alerts.ts'
import { withSavepoints } from '../../../postgres/query/savepoints.ts'
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
  { wallet, amount, reference }: TestPaymentBody,
  phoneId: PhoneId,
): Promise<TestPaid> => {
  const { now } = call
  const { scope } = call.member
  const text = testPaymentText(amount, reference)
  const report: Report = {
    clientId: `test-payment ${randomUUID()}`,
    kind: 'sms',
    sender: testSender,
    package: '',
    title: '',
    text,
    simSlot: '',
    sentAt: now,
    phoneReceivedAt: now,
  }
  const { id, state, intentId } = await change(deps, call, async (db, audit) => {
    const within = withSavepoints(db)
    let resolved: AlertOutcome | undefined
    const recorder = alertRecorder({
      db: within,
      shared: within,
      zone: deps.zone,
      readReport: deps.readReport,
      onResolved: (_, [outcome]) => {
        resolved = outcome
      },
    })
    await recorder.record({ accountId: scope.accountId, phoneId, adapter: 'native', trusted: true }, [report], now)
    if (resolved === undefined) throw new Error('the report of a test payment was not resolved')
    audit({
      action: 'alert.test_payment',
      kind: 'alert',
      id: resolved.id,
      after: { wallet, amount: formatMinor(amount), reference },
    })
    return resolved
  })
  if (intentId !== null) deps.sendHint(scope.accountId, { kind: 'intent', id: intentId })
  deps.wake(scope.accountId)
  return { alert: id, text, reference, state, intent: intentId }
}
