/** How a "no" about wallets, providers, phones, templates and API keys is answered. */
import { mostKeys } from '../../accounts/keys/account-keys.ts'
import { mostTemplates } from '../../alerts/publishing/account-templates.ts'
import type { ManagementRefusalCode } from '../../core/refusal.ts'
import { mostOnPhone, mostWallets } from '../../wallets/entries/account-wallets.ts'
import { mostPhones } from '../../wallets/phones/account-phones.ts'
import { mostProviders } from '../../wallets/providers/account-providers.ts'
import { numberRuleText } from '../../wallets/providers/number-rule.ts'
import { invalid, notFound, Problem } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'
import { type Answer, byActor, changed, type Facts, field, says, saysWithFacts, unknown } from './refusal-answer.ts'

/** The first phone has fields of its own; the fields of the others contain their position in the list. */
const phoneAttr =
  (name: 'phone' | 'sim_slot') =>
  ({ place = '0' }: Facts): string =>
    place === '0' ? name : `phones.${place}.${name}`

const collision: Answer = ({ wallet, sender, sim_slot: slot, ...facts }) =>
  field(
    phoneAttr('sim_slot')(facts),
    'sender_collision',
    slot
      ? `The wallet "${wallet}" of this phone has the sender ${sender} and ${slot} as well: give this one the other slot.`
      : `The wallet "${wallet}" of this phone has the sender ${sender} as well, and no SIM slot: give each its own.`,
  )

/** What only an owner may do, by the reasons of `needsOwner`. */
const ownerDetails: Readonly<Record<string, string>> = {
  sender: 'decide that messages of a new sender count',
  app: 'decide that notifications of another app count',
  low_trust_limit: 'accept larger unsigned payments',
  review_above: 'raise or remove the amount above which payments wait for review',
  review_broken_chains: 'switch the check of the balance off',
}
const ownerDetail = (reason: string): string => ownerDetails[reason] ?? reason

export const managementAnswers: Readonly<Record<ManagementRefusalCode, Answer>> = {
  wallet_limit: says(`An account has at most ${mostWallets} wallets.`),
  wallet_exists: ({ wallet, wallet_id }) =>
    changed(
      'account_number',
      'wallet_exists',
      `The wallet "${wallet}" already has this account number. Use that one, or close it first. To have a second phone ` +
        'report it, add the phone to that wallet.',
      { wallet: wallet ?? '', wallet_id: wallet_id ?? '' },
    ),
  wallet_closed: ({ wallet, wallet_id }) =>
    changed(
      'account_number',
      'wallet_closed',
      `The closed wallet "${wallet}" has this account number, and a history of its own. Open that one again instead.`,
      { wallet: wallet ?? '', wallet_id: wallet_id ?? '' },
    ),
  test_wallet_fixed: says('The testing wallet stays open, with its provider and its sender.'),
  provider_unknown: ({ provider }) => unknown('provider', provider),
  provider_for_tests: says('This provider is for the testing wallet alone: it moves no money.', 'provider'),
  provider_limit: says(`An account has at most ${mostProviders} providers.`),
  read_only: says('This is the operator’s: it can be used, not changed.'),
  account_number_form: saysWithFacts((facts) => numberRuleText(facts), 'account_number'),
  sender_collision: collision,
  phone_unknown: ({ phone, ...facts }) => unknown(phoneAttr('phone')(facts), phone),
  phone_limit: says(`An account has at most ${mostPhones} phones.`),
  phone_full: (facts) =>
    field(phoneAttr('phone')(facts), 'phone_full', `A phone reports for at most ${mostOnPhone} wallets.`),
  phone_has_wallets: says('Wallets are bound to this phone. Bind them to another first.'),
  phone_not_judged: says('This phone is not judged by its usual messages: a closed day changes nothing.'),
  phone_has_alerts: says('This phone has reported alerts, which name it. Switch it OFF instead.'),
  template_unknown: () => notFound(),
  template_limit: says(`An account has at most ${mostTemplates} drafts and active templates.`),
  template_not_draft: says('This version was published, so it never changes. Draft its next version.'),
  template_not_active: says('Only an active template can be retired.'),
  template_draft_exists: says(({ draft }) => `There is a draft of the next version already: ${draft}.`),
  template_not_green: ({ failures = 'Not every sample is read as it should be.' }) =>
    invalid(failures.split('\n').map((detail) => ({ code: 'template_not_green', detail, attr: NON_FIELD }))),
  owner_needed: ({ reasons = '' }) =>
    new Problem(
      403,
      'client_error',
      [
        {
          code: 'owner_only',
          detail: `Only an owner may ${reasons.split(',').map(ownerDetail).join(', or ')}. Ask an owner to confirm it.`,
          attr: null,
        },
      ],
      {},
      { facts: { reasons } },
    ),
  approval_unknown: () => notFound(),
  approval_over: ({ state = '', by = '' }) =>
    changed(
      NON_FIELD,
      'approval_over',
      state === 'expired'
        ? 'The time to confirm this has passed. Ask for it again.'
        : `This was ${state === 'stale' ? 'refused, because something had changed' : state}${byActor({ by })}.`,
      { state, by },
    ),
  approval_stale: ({ why = '', name = '', by = '' }) =>
    changed(
      NON_FIELD,
      'approval_stale',
      why === 'asker'
        ? `${by} may no longer ask for this. Nothing was changed.`
        : `"${name}" has changed since this was asked for. Nothing was changed: look at it, and ask again.`,
      { why, name, by },
    ),
  approval_not_needed: says('This change needs no owner: make it without asking.'),
  approval_limit: says(({ most, in: span }) =>
    span === 'day'
      ? `An account asks for at most ${most} approvals in a day.`
      : `At most ${most} changes wait for an owner at a time. Withdraw one, or have an owner decide.`,
  ),
  approval_of_another: says('Somebody else asked for this. An owner can decline it.'),
  key_unknown: () => notFound(),
  key_limit: says(`An account has at most ${mostKeys} keys that work. Revoke one first.`),
  key_is_test: says('A test key sees and uses the test wallet only.', 'wallets'),
  key_wallet_unknown: () => field('wallets', 'does_not_exist', 'These are not all real wallets of the account.'),
  key_revoked: says('This key was revoked, and stays so.'),
  retention_bounds: ({ kind = '' }) =>
    field(kind, 'retention_bounds', 'The number of days is outside of what can be set.'),
  buyer_phone: says('This is no whole mobile number of Yemen: nine digits that begin with 7.', 'phone'),
  buyer_cursor: says('This is not where an earlier answer ended. Begin without it.', 'cursor'),
  confirmation_required: () =>
    new Problem(403, 'client_error', [
      {
        code: 'confirmation_required',
        detail:
          'First prove that it is you: send your password, or a code if you have a second factor, to POST /session/proof/ with the ' +
          'same session or token. Then repeat this call within ten minutes.',
        attr: null,
      },
    ]),
}
