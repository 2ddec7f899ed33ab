/**
 * A payment without money arrives on the testing wallet of an account, as if its simulated phone had reported it. It is processed
 * like every alert. No other wallet can be paid like this. The dashboard and the developer API both pay through these functions.
 */
import { randomUUID } from 'node:crypto'
import type { Report } from '../../alerts/alert.ts'
import { testPaymentText, testSender } from '../../alerts/shipped/test-payment.ts'
import type { Instant } from '../../core/clock.ts'
import type { PhoneId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { joinTransaction } from '../../postgres/query/joined.ts'
import { withSavepoints } from '../../postgres/query/savepoints.ts'
import type { ReadReport } from '../reading/read-report.ts'
import type { AlertOutcome } from '../resolve/resolve-alerts.ts'
import { alertRecorder } from './record-alerts.ts'

export type TestPayment = { readonly amount: Minor; readonly reference: string }

/** What is needed to read and match the message. */
export type TestPaymentDeps = { readonly zone: Zone; readonly readReport: ReadReport }

/**
 * In the caller's transaction. The simulated phone was committed before, because reading a report needs a phone that is committed
 * (`wallets/phones/simulated-phone.ts`).
 */
export const payTestWallet = async (
  { zone, readReport }: TestPaymentDeps,
  tx: Tx,
  scope: Scope,
  phoneId: PhoneId,
  { amount, reference }: TestPayment,
  now: Instant,
): Promise<AlertOutcome & { readonly text: string }> => {
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
  const within = withSavepoints(joinTransaction(tx))
  let resolved: AlertOutcome | undefined
  const recorder = alertRecorder({
    db: within,
    shared: within,
    zone,
    readReport,
    onResolved: (_, [outcome]) => {
      resolved = outcome
    },
  })
  await recorder.record({ accountId: scope.accountId, phoneId, adapter: 'native', trusted: true }, [report], now)
  if (resolved === undefined) throw new Error('the report of a test payment was not resolved')
  return { ...resolved, text }
}
