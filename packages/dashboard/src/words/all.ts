/** The texts of all catalogues together, for tests: a screen loads only its own. */

import { buyerWords } from './buyers.ts'
import type { Catalogue, Language } from './catalogue.ts'
import { contactWords } from './contact.ts'
import { findingWords } from './findings.ts'
import { frameWords } from './frame.ts'
import { labelWords } from './labels.ts'
import { notificationsWords } from './notifications.ts'
import { pictureWords } from './pictures.ts'
import { proofWords } from './proof.ts'
import { refusalWords } from './refusals.ts'
import { requestsWords } from './requests.ts'
import { retentionWords } from './retention.ts'
import { amountsWords } from './screens/amounts.ts'
import { approvalsWords } from './screens/approvals.ts'
import { auditWords } from './screens/audit.ts'
import { callsWords } from './screens/calls.ts'
import { checkoutsWords } from './screens/checkouts.ts'
import { counterWords, saleWords } from './screens/counter.ts'
import { dayCloseWords } from './screens/day-close.ts'
import { doubtsWords } from './screens/doubts.ts'
import { firstPaymentWords } from './screens/first-payment.ts'
import { hiddenWords } from './screens/hidden.ts'
import { intentsWords } from './screens/intents.ts'
import { keysWords } from './screens/keys.ts'
import { noticesWords } from './screens/notices.ts'
import { operatorWords } from './screens/operator.ts'
import { phoneHealthWords } from './screens/phone-health.ts'
import { phonesWords } from './screens/phones.ts'
import { searchWords } from './screens/search.ts'
import { settingsWords } from './screens/settings.ts'
import { signedOutWords } from './screens/signed-out.ts'
import { templatesWords } from './screens/templates.ts'
import { todayWords } from './screens/today.ts'
import { unmatchedWords } from './screens/unmatched.ts'
import { walletsWords } from './screens/wallets.ts'
import { webhooksWords } from './screens/webhooks.ts'
import { shiftWords, sumWords } from './shifts.ts'
import { shortReasonWords } from './short-reasons.ts'
import { shortcutsWords } from './shortcuts.ts'
import { cashierWords, tillWords } from './till.ts'
import { voucherWords } from './voucher.ts'

const catalogues = [
  frameWords,
  labelWords,
  buyerWords,
  retentionWords,
  pictureWords,
  todayWords,
  noticesWords,
  intentsWords,
  unmatchedWords,
  voucherWords,
  doubtsWords,
  shortReasonWords,
  checkoutsWords,
  contactWords,
  counterWords,
  saleWords,
  keysWords,
  approvalsWords,
  requestsWords,
  walletsWords,
  amountsWords,
  phonesWords,
  phoneHealthWords,
  hiddenWords,
  templatesWords,
  webhooksWords,
  callsWords,
  dayCloseWords,
  sumWords,
  shiftWords,
  firstPaymentWords,
  settingsWords,
  tillWords,
  cashierWords,
  notificationsWords,
  auditWords,
  operatorWords,
  findingWords,
  signedOutWords,
  proofWords,
  refusalWords,
  searchWords,
  shortcutsWords,
] as const

type KeyIn<C, L extends Language> = C extends Catalogue ? keyof C[L] & string : never
type Texts<L extends Language> = Readonly<Record<KeyIn<(typeof catalogues)[number], L>, string>>

const textsIn = <L extends Language>(language: L): Texts<L> =>
  Object.assign({}, ...catalogues.map((catalogue) => catalogue[language]))

export const all = { en: textsIn('en'), ar: textsIn('ar') }
