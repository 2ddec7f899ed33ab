/** How each business "no" about a second factor is answered: a part of the table in refusals.ts. */
import type { FactorRefusalCode } from '../../core/refusal.ts'
import { Problem } from '../answers.ts'
import { type Answer, says } from './refusal-answer.ts'

const setUp = 'Set up an app for codes (POST /me/second_factor/) or a passkey (POST /me/passkeys/options/)'

const required = (detail: string): Problem =>
  new Problem(403, 'client_error', [{ code: 'second_factor_required', detail, attr: null }])

export const factorAnswers: Readonly<Record<FactorRefusalCode, Answer>> = {
  second_factor_on: says('A second factor is set up already. Switch it off before you set up another.'),
  second_factor_off: says('No second factor is set up.'),
  second_factor_not_begun: says('Begin first: the app needs the secret that the code comes from.'),
  factor_needed: () =>
    required(
      `An owner of this account requires a second factor, and the time to set one up is over. ${setUp}, then go on.`,
    ),
  operator_factor_needed: () => required(`Operators of this service need a second factor. ${setUp}, then go on.`),
  own_factor_first: says('Set up a second factor for yourself first: otherwise this rule would lock you out too.'),
  last_factor: says(({ account = '' }) =>
    account === ''
      ? 'Operators of this service need a second factor: set up another one before you remove this one.'
      : `"${account}" requires a second factor of its members: set up another one before you remove this one.`,
  ),
}
