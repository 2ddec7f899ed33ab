/** How each business "no" of the dashboard is answered. A code that is missing here does not compile. */
import type { OperatorRefusalCode, PeopleRefusalCode, Refusal, WebhookRefusalCode } from '../../ground/refusal.ts'
import { mostEndpoints, mostHeaders } from '../../webhooks/endpoint.ts'
import { invalid, notFound, Problem } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'

export type DashboardRefusal = WebhookRefusalCode | PeopleRefusalCode | OperatorRefusalCode | 'wallet_unknown'

type Answer = (facts: Readonly<Record<string, string>>) => Problem

const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])

const atTheDoor = (code: string, detail: string): Problem =>
  new Problem(401, 'client_error', [{ code, detail, attr: null }])

const answers: Readonly<Record<DashboardRefusal, Answer>> = {
  credentials_wrong: () => atTheDoor('authentication_failed', 'The address or the password is wrong.'),
  second_factor_required: () => atTheDoor('second_factor_required', 'A code of the second factor is needed as well.'),
  second_factor_wrong: () => atTheDoor('second_factor_wrong', 'This code is wrong, or was used already.'),
  door_busy: () => atTheDoor('authentication_failed', 'Too many are at the door. Try again in a moment.'),
  account_unknown: () => notFound(),
  shared_provider_unknown: (facts) =>
    facts.provider === undefined
      ? notFound()
      : field('provider', 'does_not_exist', `Invalid pk "${facts.provider}" - object does not exist.`),
  shared_provider_exists: () => field('name', 'unique', 'A provider with this name already exists.'),
  shared_template_unknown: () => notFound(),
  shared_template_not_draft: () =>
    field(NON_FIELD, 'template_not_draft', 'Only a draft can be changed or published. Draft a new version instead.'),
  shared_template_not_active: () => field(NON_FIELD, 'template_retired', 'This template is retired already.'),
  replaced_template_unknown: (facts) =>
    field('replaces', 'does_not_exist', `Invalid pk "${facts.template}" - object does not exist.`),
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
