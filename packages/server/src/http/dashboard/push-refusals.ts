/** How each business "no" about notifications on devices is answered: a part of the table in refusals.ts. */
import type { PushRefusalCode } from '../../core/refusal.ts'
import { notFound } from '../answers.ts'
import { type Answer, field, says } from './refusal-answer.ts'

export const pushAnswers: Readonly<Record<PushRefusalCode, Answer>> = {
  push_address_refused: ({ code = 'invalid', detail = 'This address is not allowed.' }) =>
    field('endpoint', code, detail),
  push_browser_only: says('Only a browser that is signed in can be notified, not a token.'),
  push_device_limit: says(({ most }) => `A member has at most ${most} devices. Remove one first.`),
  push_device_unknown: () => notFound(),
  push_key_invalid: ({ key }) =>
    field(`keys.${key}`, 'push_key_invalid', 'This is not a key of a browser’s subscription.'),
  quiet_hours_empty: says('Quiet hours need two different times, or none.', 'quiet_until'),
}
