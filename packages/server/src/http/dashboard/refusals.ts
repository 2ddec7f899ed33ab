/** How each business "no" of the dashboard is answered. A code that is missing here does not compile. */

import { mostPlaces } from '../../accounts/manage-invitations.ts'
import type { PeopleRefusalCode, Refusal, WebhookRefusalCode } from '../../ground/refusal.ts'
import { mostEndpoints, mostHeaders } from '../../webhooks/endpoint.ts'
import { invalid, notFound, Problem, permissionDenied } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'

export type DashboardRefusal = WebhookRefusalCode | PeopleRefusalCode | 'wallet_unknown'

type Answer = (facts: Readonly<Record<string, string>>) => Problem

const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])

const atTheDoor = (code: string, detail: string): Problem =>
  new Problem(401, 'client_error', [{ code, detail, attr: null }])

const answers: Readonly<Record<DashboardRefusal, Answer>> = {
  credentials_wrong: () => atTheDoor('authentication_failed', 'The address or the password is wrong.'),
  second_factor_required: () => atTheDoor('second_factor_required', 'A code of the second factor is needed as well.'),
  second_factor_wrong: () => atTheDoor('second_factor_wrong', 'This code is wrong, or was used already.'),
  door_busy: () => atTheDoor('authentication_failed', 'Too many are at the door. Try again in a moment.'),
  session_unknown: () => notFound(),
  password_wrong: () => field('password', 'password_wrong', 'This is not your password.'),
  password_refused: (facts) => field('new_password', facts.code ?? 'invalid', facts.detail ?? 'Choose another.'),
  code_wrong: () => field('code', 'second_factor_wrong', 'This code is wrong, or was used already.'),
  second_factor_on: () =>
    field(NON_FIELD, 'second_factor_on', 'A second factor is set up already. Switch it off before you set up another.'),
  second_factor_off: () => field(NON_FIELD, 'second_factor_off', 'No second factor is set up.'),
  second_factor_not_begun: () =>
    field(NON_FIELD, 'second_factor_not_begun', 'Begin first: the app needs the secret that the code comes from.'),
  link_over: () => field('token', 'link_over', 'This link is not good: it was used, withdrawn, or its time is over.'),
  sign_in_first: () => atTheDoor('sign_in_first', 'Somebody signs in with this address already: sign in, then accept.'),
  other_person: () =>
    new Problem(403, 'client_error', [
      { code: 'other_person', detail: 'This invitation is for another address than yours.', attr: null },
    ]),
  member_unknown: () => notFound(),
  last_owner: () => field(NON_FIELD, 'last_owner', 'An account always has an owner: make somebody else one first.'),
  no_longer_allowed: () => permissionDenied(),
  already_member: () => field('email', 'already_member', 'This person belongs to the account already.'),
  already_invited: () =>
    field('email', 'already_invited', 'This person is invited already. Send the invitation again, or withdraw it.'),
  members_limit: () =>
    field(NON_FIELD, 'members_limit', `An account has at most ${mostPlaces} members and open invitations.`),
  invitation_unknown: () => notFound(),
  endpoint_unknown: () => notFound(),
  delivery_unknown: () => notFound(),
  replay_unknown: () => notFound(),
  wallet_unknown: (facts) => field('wallet', 'does_not_exist', `Invalid pk "${facts.wallet}" - object does not exist.`),
  url_refused: (facts) => field('url', facts.code ?? 'invalid', facts.detail ?? 'This address is not allowed.'),
  endpoint_limit: () => field(NON_FIELD, 'endpoint_limit', `An account has at most ${mostEndpoints} endpoints.`),
  headers_limit: () => field('headers', 'max_length', `An endpoint has at most ${mostHeaders} headers of its own.`),
  endpoint_disabled: () => field(NON_FIELD, 'endpoint_disabled', 'This endpoint is disabled. Enable it first.'),
  event_forgotten: () =>
    field(NON_FIELD, 'event_forgotten', 'This event is older than 30 days: what it said is no longer kept.'),
  replay_running: () =>
    field(NON_FIELD, 'replay_running', 'Another replay of this endpoint is running. Stop it first.'),
  replay_over: () => field(NON_FIELD, 'replay_over', 'This replay has reached its end.'),
  range_empty: () => field('until', 'range_empty', 'The range must end after it begins, and begin in the past.'),
  range_too_old: () => field('from', 'range_too_old', 'Events can be sent again for 30 days.'),
}

export const answerTo = (refusal: Refusal<DashboardRefusal>): Problem => answers[refusal.refused](refusal.facts ?? {})
