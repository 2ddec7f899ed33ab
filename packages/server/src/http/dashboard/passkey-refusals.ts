/** How each business "no" about passkeys is answered: a part of the table in refusals.ts. */
import type { PasskeyRefusalCode } from '../../core/refusal.ts'
import { notFound } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'
import { type Answer, field } from './refusal-answer.ts'

export const passkeyAnswers: Readonly<Record<PasskeyRefusalCode, Answer>> = {
  passkey_wrong: () =>
    field(
      'passkey',
      'passkey_wrong',
      'This passkey is not known here, or its answer is too old or was used already. Try again.',
    ),
  passkey_unknown: () => notFound(),
  passkey_limit: ({ most }) =>
    field(NON_FIELD, 'passkey_limit', `You have at most ${most} passkeys. Remove one first.`),
  passkey_known: () => field('passkey', 'passkey_known', 'This passkey is stored already.'),
  passkey_no_host: () =>
    field(
      NON_FIELD,
      'passkey_no_host',
      'Passkeys need an address with a name: open this service by its name, not by a number.',
    ),
}
