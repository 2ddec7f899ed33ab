/** The wallets of an account: their settings, the phones that report for them, and why one cannot collect money. */

import { type Static, Type } from 'typebox'
import { sentAmount, withDefault } from '../../body.ts'
import { walletNotes } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { amount, currency, id, oneOf, timestamp } from '../../scalars.ts'
import { body, closed, flag, listOf, orNull, text } from '../../schema.ts'
import { Provider } from '../../wallet.ts'
import { pageOf, pageQuery } from '../page.ts'
import { providerNames } from './providers.ts'

export const simSlots = ['', 'SIM1', 'SIM2'] as const
const SimSlot = oneOf(simSlots, 'The slot of the wallet\'s SIM in the phone; `""` when there is only one.')

export const WalletNote = closed({
  code: oneOf(walletNotes, 'What it is, for programs.'),
  detail: text('The same as a sentence.'),
  blocking: flag('Whether it keeps money from being collected into the wallet.'),
  facts: Type.Record(Type.String(), Type.String(), {
    description: 'Values in the sentence, such as `phone`.',
  }),
})

const phone = {
  id: id('Identifier of the phone.'),
  name: Type.String(),
  switched_on: Type.Boolean(),
  silent: flag('No sign of life for longer than its app promises or its messages usually take, or none yet.'),
  last_seen_at: orNull(timestamp('Its last sign of life.')),
}

export const uniqueAmountFields = {
  unique_amounts: oneOf(
    ['off', 'more', 'less'],
    'Whether each intent asks for a different amount: a little more or a little less than the order’s amount.',
  ),
  unique_amounts_most: Type.Integer({
    minimum: 1,
    maximum: 99,
    description: 'The largest difference, in whole units of the currency.',
  }),
}

const onlyWriters = 'Null too for members who may not change wallets (`wallets.write`).'

export const DashboardWallet = closed('A wallet, as the members of its account see it.', {
  id: id('Identifier of the wallet.'),
  name: text('What the buyer sees.'),
  account_number: text('What the buyer sends money to.'),
  sender_name: text('The sender of its payment alerts, to the letter; `""`: not known yet.'),
  currency: currency('Currency of the wallet.'),
  provider: closed({ ...Provider.properties, display_name_ar: providerNames.display_name_ar }),
  sim_slot: SimSlot,
  phone: orNull(closed(phone), 'The first of the phones that report its alerts.'),
  phones: listOf('All phones that report its alerts, in their order. One phone that is switched on is enough.', {
    ...phone,
    connected: flag('It can report: it is paired, or an app on it has access.'),
    sim_slot: SimSlot,
  }),
  active: flag('false: closed; no new intents, and its alerts are not read for it.'),
  is_test: flag('The testing wallet, which every account has.'),
  monitored: flag('A phone that is ON would report its alerts, and they can be read.'),
  offered: flag('Merchants’ servers may create intents on it.'),
  notes: Type.Array(WalletNote, { description: 'Why it cannot collect money, and what to check.' }),
  last_alert_at: orNull(timestamp('When an alert of this wallet last came.')),
  first_received_at: orNull(
    timestamp('When money first came under its present account number.'),
    'null: no money has come yet. Pay a small amount to be sure of the number before buyers do.',
  ),
  review_above: orNull(amount('Credits above this wait for review.'), `null: no such limit. ${onlyWriters}`),
  low_trust_limit: orNull(amount('Unsigned credits above this wait for review.'), onlyWriters),
  review_broken_chains: orNull(
    flag('Credits whose balance does not follow from the one before wait for review.'),
    onlyWriters,
  ),
  review_later_messages: orNull(
    flag(
      'A credit that may be a spent payment in another message waits for review, also if the same phone reported both and ' +
        'they were sent more than ten minutes apart.',
    ),
    onlyWriters,
  ),
  ...uniqueAmountFields,
  created_at: timestamp('When it was set up.'),
})
export type DashboardWallet = Static<typeof DashboardWallet>

const fields = {
  name: Type.String({ format: 'name', minLength: 1, maxLength: 100 }),
  account_number: Type.String({ format: 'account-number', minLength: 1, maxLength: 64 }),
  provider: id('One of the operator’s, or one of your own.'),
  phone: orNull(id('One of your phones.')),
  sender_name: Type.String({ maxLength: 64 }),
  sim_slot: SimSlot,
  phones: Type.Array(closed({ phone: id('One of your phones.'), sim_slot: withDefault(SimSlot, '') }), {
    format: 'wallet-phones',
    maxItems: 5,
    description:
      'All phones of the wallet in their order, none twice. Sent instead of `phone` and `sim_slot`, which set only the ' +
      'first phone; `phone: null` removes it, and the next one takes its place.',
  }),
  active: Type.Boolean(),
  review_above: orNull(sentAmount('0 or more; null: no such limit.')),
  low_trust_limit: sentAmount('0 or more; 0: every unsigned credit waits for review.'),
  review_broken_chains: Type.Boolean(),
  review_later_messages: flag(
    'false: the company sends one message for each payment. Messages of one phone that were sent more than ten minutes apart are two payments.',
  ),
}

export const NewWallet = body('A wallet to set up.', {
  name: fields.name,
  account_number: fields.account_number,
  provider: fields.provider,
  phone: Type.Optional(fields.phone),
  sender_name: withDefault(fields.sender_name, ''),
  sim_slot: Type.Optional(fields.sim_slot),
  phones: Type.Optional(fields.phones),
  active: withDefault(fields.active, true),
  review_above: Type.Optional(fields.review_above),
  low_trust_limit: withDefault(fields.low_trust_limit, '0.00'),
  review_broken_chains: withDefault(fields.review_broken_chains, true),
  review_later_messages: withDefault(fields.review_later_messages, true),
})

export const WalletChanges = Type.Partial(Type.Object(fields), { description: 'What is left out stays.' })

const operation = operationsOf({ tag: 'Wallets' })

export const listWallets = operation({
  id: 'listWallets',
  method: 'GET',
  path: '/wallets/',
  access: 'wallets.read',
  summary: 'All wallets, by name',
  query: pageQuery('text', 'uuid'),
  answer: pageOf(DashboardWallet, 'Wallets by name.'),
})

export const createWallet = operation({
  id: 'createWallet',
  method: 'POST',
  path: '/wallets/',
  access: 'wallets.write',
  proof: 'depends',
  summary: 'Set up a wallet',
  description:
    'Two active wallets of one phone with the same sender are distinguished by their SIM alone: where one has no slot, or ' +
    'both have the same, the answer is 400 `sender_collision`. An account number that does not keep the rule of the provider ' +
    '(`number_lengths`, `number_prefixes`) is 400 `account_number_form`, also when it is changed. A real wallet (its provider and account number, however it ' +
    'is spelled) has one open entry: a second one is 400 `wallet_exists`, with the name and the id of the first in `facts`. ' +
    'Where only a closed entry has the number, the new one shares its identity: what was spent there stays spent. ' +
    'Limits looser than the usual ones need a proof of the person.',
  body: NewWallet,
  example: { name: 'Shop', account_number: '770000001', provider: '{provider}' },
  status: 201,
  answer: DashboardWallet,
})

export const showWallet = operation({
  id: 'showWallet',
  method: 'GET',
  path: '/wallets/{id}/',
  access: 'wallets.read',
  summary: 'One wallet',
  answer: DashboardWallet,
})

export const changeWallet = operation({
  id: 'changeWallet',
  method: 'PATCH',
  path: '/wallets/{id}/',
  access: 'wallets.write',
  proof: 'depends',
  summary: 'Change a wallet, bind it to a phone, open or close it',
  description:
    'Wallets are closed (`active: false`), never deleted: money came into them. The testing wallet stays open, with its ' +
    'provider and its sender (400 `test_wallet_fixed`); it needs no phone. A corrected number keeps the wallet’s identity. ' +
    'A number of another wallet is 400 `wallet_exists`, that of a closed one 400 `wallet_closed`: open that one again. ' +
    'A looser limit (`review_above`, `low_trust_limit`, a check that is switched off) needs a proof of the person.',
  body: WalletChanges,
  example: { name: 'Shop, renamed' },
  answer: DashboardWallet,
})

export const walletOperations = operation.described
