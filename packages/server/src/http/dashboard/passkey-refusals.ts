/** How each business "no" about passkeys is answered: a part of the table in refusals.ts. */
import type { PasskeyRefusalCode } from '../../core/refusal.ts'
import { notFound } from '../answers.ts'
import { type Answer, says } from './refusal-answer.ts'

export const passkeyAnswers: Readonly<Record<PasskeyRefusalCode, Answer>> = {
  passkey_wrong: says(
    'This passkey is not known here, or its answer is too old or was used already. Try again.',
    'passkey',
  ),
  passkey_unknown: () => notFound(),
  passkey_limit: says(({ most }) => `You have at most ${most} passkeys. Remove one first.`),
  passkey_known: says('This passkey is stored already.', 'passkey'),
  passkey_no_host: says('Passkeys need an address with a name: open this service by its name, not by a number.'),
}
