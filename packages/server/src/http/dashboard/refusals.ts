/** How each business "no" of the dashboard is answered. A code that is missing here does not compile. */

import { mostPlaces } from '../../accounts/people/most-places.ts'
import {
  isRefusal,
  type ManagementRefusalCode,
  type MemberRefusalCode,
  type OperatorRefusalCode,
  type PushRefusalCode,
  type QueueRefusalCode,
  type Refusal,
  type WebhookRefusalCode,
} from '../../core/refusal.ts'
import { notFound, Problem, permissionDenied, throttled } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'
import { type CheckoutRefusal, checkoutAnswers } from './checkout-refusals.ts'
import { counterAnswers } from './counter-refusals.ts'
import { factorAnswers } from './factor-refusals.ts'
import { limitAnswers } from './limit-refusals.ts'
import { managementAnswers } from './management-refusals.ts'
import { passkeyAnswers } from './passkey-refusals.ts'
import { pushAnswers } from './push-refusals.ts'
import { type Answer, byActor, changed, type Facts, field, says, saysWithFacts } from './refusal-answer.ts'
import { saleAnswers, shiftAnswers } from './sale-refusals.ts'

export type DashboardRefusal =
  | WebhookRefusalCode
  | MemberRefusalCode
  | ManagementRefusalCode
  | QueueRefusalCode
  | OperatorRefusalCode
  | PushRefusalCode
  | 'wallet_unknown'
  | 'intent_unknown'
  | 'intent_not_pending'
  | 'reference_already_used'
  | 'reference_limit'
  | 'currency_mismatch'
  | CheckoutRefusal

/** Why an alert is not open, by its state. */
const notOpenDetails: Readonly<Record<string, (facts: Facts) => string>> = {
  taken: (facts) => `This money was taken as a sale${byActor(facts)}.`,
  booked: (facts) => `This money was booked onto payment ${facts.payment}${byActor(facts)}.`,
  matched: (facts) => `This money was matched with payment ${facts.payment}.`,
  wrong_amount: (facts) => `This money ended payment ${facts.payment}, which asked for another amount.`,
  dismissed: (facts) => `This money was put aside${byActor(facts)}.`,
  held: () => 'This alert is held: its phone was off, or the account was suspended. Release it first.',
  unread: () => 'Nobody understood this alert: there is no amount to book.',
  hidden: () => 'This is a one-time code or a message of an unknown sender, not money.',
  debit: () => 'This alert reports money that left the wallet.',
  duplicate: () => 'This alert repeats another.',
}

/** Why a reference cannot be moved away from an intent, by the status of the intent. */
const notHeldDetail = ({ payment, status }: Facts): string => {
  if (status === 'PENDING') return `Payment ${payment} no longer has this reference. Look at it again.`
  if (status === 'EXPIRED' || status === 'CANCELLED')
    return `Payment ${payment} is ${status} and no longer has this reference: it can be attached.`
  return `Money has come: payment ${payment} is ${status}.`
}

const unauthenticated = (code: string, detail: string): Problem =>
  new Problem(401, 'client_error', [{ code, detail, attr: null }])

const answers: Readonly<Record<DashboardRefusal, Answer>> = {
  ...managementAnswers,
  ...pushAnswers,
  credentials_wrong: () => unauthenticated('authentication_failed', 'The address or the password is wrong.'),
  second_factor_required: () =>
    unauthenticated('second_factor_required', 'A code of the second factor is needed as well.'),
  second_factor_wrong: () => unauthenticated('second_factor_wrong', 'This code is wrong, or was used already.'),
  sign_in_busy: () => throttled(5),
  reference_already_used: says('Another payment of this wallet already has this reference.', 'reference'),
  reference_limit: says(({ most }) => `An intent takes at most ${most} different references.`, 'reference'),
  alert_unknown: () => notFound(),
  alert_not_open: saysWithFacts(
    (facts) => notOpenDetails[facts.state ?? '']?.(facts) ?? 'This alert has changed meanwhile. Look at it again.',
  ),
  alert_not_held: saysWithFacts('This alert is not held.'),
  alert_not_dismissed: saysWithFacts('This alert was not put aside.'),
  alert_not_ambiguous: saysWithFacts('Nobody needs to choose a wallet for this alert.'),
  alert_not_doubtful: saysWithFacts('This alert does not wait because of its balance.'),
  alert_not_unread: saysWithFacts('This alert was understood already.'),
  alert_not_hidden: saysWithFacts('This alert hides no one-time code.'),
  alert_erased: saysWithFacts('The text of this alert was erased after its time: it cannot be read again.'),
  code_deleted: saysWithFacts('The text of this code was deleted: it is kept for seven days.'),
  alert_not_repeated: saysWithFacts(
    'Only an alert without a reference that repeats a text can be a payment of its own.',
  ),
  wallet_not_offered: says('This alert cannot be for this wallet: its phone or its sender is another.', 'wallet'),
  // Without facts: the intent of the path. With facts: an intent that the body names.
  intent_unknown: (facts) =>
    facts.intent === undefined
      ? notFound()
      : field(facts.attr ?? 'intent', 'does_not_exist', `Invalid pk "${facts.intent}" - object does not exist.`),
  intent_not_pending: (facts) =>
    facts.payment === undefined
      ? field(
          facts.attr ?? NON_FIELD,
          'intent_not_pending',
          facts.status
            ? `This intent is ${facts.status}; only a PENDING one can change.`
            : 'This intent is not PENDING.',
        )
      : changed(
          'intent',
          'intent_not_pending',
          `Payment ${facts.payment} is ${facts.status ?? 'over'}${byActor(facts)}.`,
          facts,
        ),
  intent_not_expired: saysWithFacts('Only an EXPIRED intent can be copied.', 'intent'),
  intent_not_wrong: saysWithFacts('The amount that arrived can be accepted only if the intent ended as WRONG_AMOUNT.'),
  intent_of_other_wallet: says('This intent collects into another wallet than the money came to.', 'intent'),
  currency_mismatch: saysWithFacts(
    (facts) => `${facts.alert_currency} was paid, and this intent asks for ${facts.intent_currency}.`,
    'intent',
  ),
  test_and_real: says('Test money pays no real order, and real money pays no test.', 'intent'),
  amount_changed: saysWithFacts(
    (facts) => `${facts.alert_amount} was paid and ${facts.intent_amount} is asked for, which is not what you saw.`,
  ),
  reference_taken: saysWithFacts(
    (facts) => `Another alert of this wallet (${facts.amount}) already has the same reference.`,
  ),
  may_be_same_payment: saysWithFacts((facts) =>
    facts.payment === ''
      ? `This may be the payment of ${facts.amount} that was taken as a sale, reported in other words. Use it only if it is another one.`
      : `This may be the payment of ${facts.amount} that verified ${facts.payment}, reported in other words. Book it only if it is another one.`,
  ),
  ...saleAnswers,
  ...limitAnswers,
  ...shiftAnswers,
  claim_unknown: says('This reference was not refused to this intent, or it has got another one since.', 'reference'),
  reference_not_held: saysWithFacts((facts) => notHeldDetail(facts), 'from'),
  reference_spent: saysWithFacts(
    (facts) => `The money of this reference was booked onto payment ${facts.payment}.`,
    'reference',
  ),
  ...checkoutAnswers,
  session_unknown: () => notFound(),
  password_wrong: says('This is not your password.', 'password'),
  password_refused: (facts) => field('new_password', facts.code ?? 'invalid', facts.detail ?? 'Choose another.'),
  code_wrong: () => field('code', 'second_factor_wrong', 'This code is wrong, or was used already.'),
  ...passkeyAnswers,
  ...counterAnswers,
  ...factorAnswers,
  link_over: says('This link is not good: it was used, withdrawn, or its time is over.', 'token'),
  sign_in_first: () =>
    unauthenticated('sign_in_first', 'Somebody signs in with this address already: sign in, then accept.'),
  other_person: () =>
    new Problem(403, 'client_error', [
      { code: 'other_person', detail: 'This link is for another address than yours.', attr: null },
    ]),
  member_unknown: () => notFound(),
  last_owner: says('An account always has an owner: make somebody else one first.'),
  last_proved_owner: says('An account keeps an owner whose address is proved: have another owner prove theirs first.'),
  owner_sees_all: says('An owner sees all wallets: another role can be limited to some.', 'wallets'),
  member_wallet_unknown: () => field('wallets', 'does_not_exist', 'These are not all wallets of the account.'),
  not_a_request: says('This membership does not wait for a confirmation.'),
  address_unproved: says('The address of this user is not proved.'),
  address_proved: says('This address is proved already.'),
  proof_limit: says('Several links were sent to this address already: open one, or wait a day.'),
  no_longer_allowed: () => permissionDenied(),
  already_member: says('This person belongs to the account already.', 'email'),
  already_invited: says('This person is invited already. Send the invitation again, or withdraw it.', 'email'),
  members_limit: says(`An account has at most ${mostPlaces} members and open invitations.`),
  invitation_unknown: () => notFound(),
  role_needed: () => field('role', 'required', 'This field is required.'),
  account_unknown: () => notFound(),
  shared_provider_unknown: (facts) =>
    facts.provider === undefined
      ? notFound()
      : field('provider', 'does_not_exist', `Invalid pk "${facts.provider}" - object does not exist.`),
  shared_provider_exists: () => field('name', 'unique', 'A provider with this name already exists.'),
  shared_template_unknown: () => notFound(),
  shared_template_not_draft: () =>
    field(NON_FIELD, 'template_not_draft', 'Only a draft can be changed or published. Draft a new version instead.'),
  shared_template_retired: () => field(NON_FIELD, 'template_retired', 'This template is retired already.'),
  replaced_template_unknown: (facts) =>
    field('replaces', 'does_not_exist', `Invalid pk "${facts.template}" - object does not exist.`),
  endpoint_unknown: () => notFound(),
  delivery_unknown: () => notFound(),
  replay_unknown: () => notFound(),
  wallet_unknown: (facts) => field('wallet', 'does_not_exist', `Invalid pk "${facts.wallet}" - object does not exist.`),
  url_refused: (facts) => field('url', facts.code ?? 'invalid', facts.detail ?? 'This address is not allowed.'),
  endpoint_limit: says(({ most }) => `An account has at most ${most} endpoints.`),
  headers_limit: ({ most }) => field('headers', 'max_length', `An endpoint has at most ${most} headers of its own.`),
  endpoint_owner_only: () =>
    new Problem(403, 'client_error', [
      {
        code: 'owner_only',
        detail:
          'Only an owner may change the address of an endpoint or its own headers: whoever moves it receives their values.',
        attr: null,
      },
    ]),
  endpoint_disabled: says('This endpoint is disabled. Enable it first.'),
  event_forgotten: says(({ days }) => `This event is older than ${days} days: its content is no longer kept.`),
  replay_running: says('Another replay of this endpoint is running. Stop it first.'),
  replay_over: says('This replay has reached its end.'),
  range_empty: says('The range must end after it begins, and begin in the past.', 'until'),
  range_too_old: says(({ days }) => `Events can be sent again for ${days} days.`, 'from'),
}

export const answerTo = (refusal: Refusal<DashboardRefusal>): Problem =>
  answers[refusal.refused](refusal.facts ?? {}, refusal.refused)

/** A refusal whose code is missing in the table does not compile. */
export type Answerable<T> = [Extract<T, Refusal>] extends [Refusal<DashboardRefusal>] ? unknown : never

/** The result, if it is no refusal. A refusal is thrown as its answer, so a transaction around the call is rolled back. */
export const accepted = <T>(result: T & Answerable<T>): Exclude<T, Refusal> => {
  if (typeof result === 'object' && result !== null && isRefusal(result as object)) throw answerTo(result as never)
  return result as Exclude<T, Refusal>
}

/** Every refusal of the dashboard's API with its answer: the guide lists them. */
export const refusalAnswers: Readonly<Record<string, Answer>> = answers
