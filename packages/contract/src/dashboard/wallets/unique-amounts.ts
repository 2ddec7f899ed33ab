/** Unique amounts of a wallet: every intent asks for a different amount, so that no reference is needed. */
import { Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { oneOf } from '../../scalars.ts'
import { closed, flag } from '../../schema.ts'
import { DashboardWallet, uniqueAmountFields } from './wallets.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const UniqueAmountFacts = closed('Whether a wallet needs unique amounts.', {
  ...uniqueAmountFields,
  days: count('Over how many days messages were counted.'),
  credits: count('Payments that arrived in this time: the newest 2,000 at most.'),
  without_reference: count('How many of them had no reference in their message.'),
  templates: count('Templates of the provider that read payments.'),
  templates_without_reference: count('How many of them find no reference.'),
  suggested: flag(
    'Unique amounts are off, and most payments have no reference: by what arrived, or, where less than five payments ' +
      'arrived, by the templates. Never for the testing wallet.',
  ),
})

export const SetUniqueAmounts = Type.Object({
  unique_amounts: oneOf(['off', 'more', 'less'], 'A little more or a little less than the order’s amount; or off.'),
  unique_amounts_most: withDefault(
    Type.Integer({ minimum: 1, maximum: 99, description: 'The largest difference, in whole units of the currency.' }),
    99,
  ),
})

const operation = operationsOf({ tag: 'Wallets' })
const path = '/wallets/{id}/unique-amounts/'

export const showUniqueAmounts = operation({
  id: 'showUniqueAmounts',
  method: 'GET',
  path,
  access: 'wallets.read',
  summary: 'How many payments of a wallet have no reference, and whether unique amounts would help',
  answer: UniqueAmountFacts,
})

export const setUniqueAmounts = operation({
  id: 'setUniqueAmounts',
  method: 'PUT',
  path,
  access: 'wallets.amounts',
  summary: 'Switch the unique amounts of a wallet on or off',
  description:
    'While they are on, a new intent asks for `payable_amount` = `base_amount` plus (or minus) a small whole number, so that ' +
    'no other intent of the wallet has it: none that is open, none that ended unpaid in the last 24 hours, none that was paid in ' +
    'the last 6 hours. A signed credit without a reference that is exactly this amount then verifies the intent. Where no such ' +
    'amount is free, `payable_amount` = `base_amount`, and only a reference verifies. Intents that are open keep their amount; ' +
    'after switching off, only a reference verifies them. Only owners.',
  body: SetUniqueAmounts,
  example: { unique_amounts: 'more', unique_amounts_most: 99 },
  answer: DashboardWallet,
})

export const uniqueAmountOperations = operation.described
