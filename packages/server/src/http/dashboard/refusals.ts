/** How each business "no" of the webhooks is answered. A code that is missing here does not compile. */
import type { Refusal, WebhookRefusalCode } from '../../ground/refusal.ts'
import { invalid, notFound, type Problem } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'

export type DashboardRefusal = WebhookRefusalCode | 'wallet_unknown'

type Answer = (facts: Readonly<Record<string, string>>) => Problem

const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])

const answers: Readonly<Record<DashboardRefusal, Answer>> = {
  endpoint_unknown: () => notFound(),
  delivery_unknown: () => notFound(),
  replay_unknown: () => notFound(),
  wallet_unknown: (facts) => field('wallet', 'does_not_exist', `Invalid pk "${facts.wallet}" - object does not exist.`),
  url_refused: (facts) => field('url', facts.code ?? 'invalid', facts.detail ?? 'This address is not allowed.'),
  endpoint_limit: ({ most }) => field(NON_FIELD, 'endpoint_limit', `An account has at most ${most} endpoints.`),
  headers_limit: ({ most }) => field('headers', 'max_length', `An endpoint has at most ${most} headers of its own.`),
  endpoint_disabled: () => field(NON_FIELD, 'endpoint_disabled', 'This endpoint is disabled. Enable it first.'),
  event_forgotten: ({ days }) =>
    field(NON_FIELD, 'event_forgotten', `This event is older than ${days} days: what it said is no longer kept.`),
  replay_running: () =>
    field(NON_FIELD, 'replay_running', 'Another replay of this endpoint is running. Stop it first.'),
  replay_over: () => field(NON_FIELD, 'replay_over', 'This replay has reached its end.'),
  range_empty: () => field('until', 'range_empty', 'The range must end after it begins, and begin in the past.'),
  range_too_old: ({ days }) => field('from', 'range_too_old', `Events can be sent again for ${days} days.`),
}

export const answerTo = (refusal: Refusal<DashboardRefusal>): Problem => answers[refusal.refused](refusal.facts ?? {})
