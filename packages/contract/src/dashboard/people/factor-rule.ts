/** Whether every member of the account needs a second factor. */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { timestamp } from '../../scalars.ts'
import { closed, flag, orNull } from '../../schema.ts'

const graceDays = {
  minimum: 1,
  maximum: 30,
  description:
    'How many days a member has to set one up, from the beginning of the rule or from joining, whichever is later.',
} as const

export const FactorRule = closed('The rule of an account for second factors.', {
  required: flag('Whether every member needs a second factor.'),
  grace_days: Type.Integer(graceDays),
  since: orNull(timestamp('Since when the rule holds.')),
})
export type FactorRule = Static<typeof FactorRule>

const operation = operationsOf({ tag: 'Members' })

export const showFactorRule = operation({
  id: 'showFactorRule',
  method: 'GET',
  path: '/account/second_factor/',
  access: 'members.read',
  summary: 'Whether every member needs a second factor',
  answer: FactorRule,
})

export const setFactorRule = operation({
  id: 'setFactorRule',
  method: 'PUT',
  path: '/account/second_factor/',
  access: 'members.write',
  proof: 'depends',
  summary: 'Require a second factor of every member, or no longer',
  description:
    'You need a second factor yourself to require it (`own_factor_first`). After the grace, members without one can only set one up, ' +
    'sign out or leave: also in sessions and with tokens from before. API keys are not concerned. Other days while the rule holds count ' +
    'from its beginning. Switching it off, or giving more days while it holds, needs a proof that it is you. Owners are told.',
  body: Type.Object({
    required: flag('Whether every member needs a second factor.'),
    grace_days: Type.Optional(
      Type.Integer({ ...graceDays, description: `${graceDays.description} Left out: as before, at first 7.` }),
    ),
  }),
  example: { required: false },
  answer: FactorRule,
})

export const factorRuleOperations = operation.described
