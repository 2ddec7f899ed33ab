/** How each business "no" about counters, cashiers and PINs is answered: a part of the table in refusals.ts. */
import { mostCounters } from '../../accounts/counters/counter.ts'
import type { CounterRefusalCode } from '../../core/refusal.ts'
import { notFound, Problem } from '../answers.ts'
import { type Answer, field, says } from './refusal-answer.ts'

export const counterAnswers: Readonly<Record<CounterRefusalCode, Answer>> = {
  counter_unknown: () => notFound(),
  counter_limit: says(`An account has at most ${mostCounters} counters. End one first.`),
  counter_browser_only: says('Only a browser that is signed in can become a counter.'),
  cashier_name_taken: says('Another cashier has this name: add something to it.', 'name'),
  cashier_name_refused: says('The log would show this name as somebody else. Take another one.', 'name'),
  cashier_has_address: says('This member signs in with an address, and chooses their own name.'),
  cashier_role_fixed: says('A cashier without an address stays a cashier. Invite them by an address instead.', 'role'),
  pin_refused: ({ code = 'pin_form' }) =>
    field(
      'pin',
      code,
      code === 'pin_form' ? 'A PIN has exactly six digits.' : 'Many people would choose this PIN. Take another one.',
    ),
  pin_wrong: says('This PIN is wrong.', 'pin'),
  pin_paused: ({ of = 'cashier', seconds = '60' }) =>
    new Problem(
      429,
      'client_error',
      [
        {
          code: 'pin_paused',
          detail:
            of === 'counter'
              ? `Too many wrong PINs at this counter. Try again in ${seconds} seconds, or ask an owner.`
              : `Too many wrong PINs for this cashier. Try again in ${seconds} seconds, or ask an owner.`,
          attr: null,
        },
      ],
      { 'retry-after': seconds },
      { facts: { of, seconds } },
    ),
  pin_needed: says('This cashier has nothing but the PIN: remove the cashier instead.'),
  pin_not_for_role: says('A viewer takes no money, and needs no PIN.'),
}
