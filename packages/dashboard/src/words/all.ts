/** The texts of all catalogues together, for tests: a screen loads only its own. */

import { buyerWords } from './buyers.ts'
import { contactWords } from './contact.ts'
import { findingWords } from './findings.ts'
import { frameWords } from './frame.ts'
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

export const all = {
  en: {
    ...frameWords.en,
    ...buyerWords.en,
    ...retentionWords.en,
    ...pictureWords.en,
    ...todayWords.en,
    ...noticesWords.en,
    ...intentsWords.en,
    ...unmatchedWords.en,
    ...voucherWords.en,
    ...doubtsWords.en,
    ...shortReasonWords.en,
    ...checkoutsWords.en,
    ...contactWords.en,
    ...counterWords.en,
    ...saleWords.en,
    ...keysWords.en,
    ...approvalsWords.en,
    ...requestsWords.en,
    ...walletsWords.en,
    ...amountsWords.en,
    ...phonesWords.en,
    ...phoneHealthWords.en,
    ...hiddenWords.en,
    ...templatesWords.en,
    ...webhooksWords.en,
    ...callsWords.en,
    ...dayCloseWords.en,
    ...sumWords.en,
    ...shiftWords.en,
    ...firstPaymentWords.en,
    ...settingsWords.en,
    ...tillWords.en,
    ...cashierWords.en,
    ...notificationsWords.en,
    ...auditWords.en,
    ...operatorWords.en,
    ...findingWords.en,
    ...signedOutWords.en,
    ...proofWords.en,
    ...refusalWords.en,
    ...searchWords.en,
    ...shortcutsWords.en,
  },
  ar: {
    ...frameWords.ar,
    ...buyerWords.ar,
    ...retentionWords.ar,
    ...pictureWords.ar,
    ...todayWords.ar,
    ...noticesWords.ar,
    ...intentsWords.ar,
    ...unmatchedWords.ar,
    ...voucherWords.ar,
    ...doubtsWords.ar,
    ...shortReasonWords.ar,
    ...checkoutsWords.ar,
    ...contactWords.ar,
    ...counterWords.ar,
    ...saleWords.ar,
    ...keysWords.ar,
    ...approvalsWords.ar,
    ...requestsWords.ar,
    ...walletsWords.ar,
    ...amountsWords.ar,
    ...phonesWords.ar,
    ...phoneHealthWords.ar,
    ...hiddenWords.ar,
    ...templatesWords.ar,
    ...webhooksWords.ar,
    ...callsWords.ar,
    ...dayCloseWords.ar,
    ...sumWords.ar,
    ...shiftWords.ar,
    ...firstPaymentWords.ar,
    ...settingsWords.ar,
    ...tillWords.ar,
    ...cashierWords.ar,
    ...notificationsWords.ar,
    ...auditWords.ar,
    ...operatorWords.ar,
    ...findingWords.ar,
    ...signedOutWords.ar,
    ...proofWords.ar,
    ...refusalWords.ar,
    ...searchWords.ar,
    ...shortcutsWords.ar,
  },
}
