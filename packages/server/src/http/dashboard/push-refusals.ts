/** How each business "no" about notifications on devices is answered: a part of the table in refusals.ts. */
import type { PushRefusalCode } from '../../core/refusal.ts'
import { invalid, notFound, type Problem } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'

type Answer = (facts: Readonly<Record<string, string>>) => Problem

const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])

export const pushAnswers: Readonly<Record<PushRefusalCode, Answer>> = {
  push_address_refused: ({ code = 'invalid', detail = 'This address is not allowed.' }) =>
    field('endpoint', code, detail),
  push_browser_only: () =>
    field(NON_FIELD, 'push_browser_only', 'Only a browser that is signed in can be notified, not a token.'),
  push_device_limit: ({ most }) =>
    field(NON_FIELD, 'push_device_limit', `A member has at most ${most} devices. Remove one first.`),
  push_device_unknown: () => notFound(),
  push_key_invalid: ({ key }) =>
    field(`keys.${key}`, 'push_key_invalid', 'This is not a key of a browser’s subscription.'),
  quiet_hours_empty: () => field('quiet_until', 'quiet_hours_empty', 'Quiet hours need two different times, or none.'),
}
