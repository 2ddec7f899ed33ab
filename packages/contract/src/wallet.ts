/** Wallets and their providers as merchants see them. The service decides which wallets are offered. */
import { type Static, Type } from 'typebox'
import { collectedCodes } from './currency.ts'
import { currency, id, oneOf } from './scalars.ts'
import { closed, flag, text } from './schema.ts'

export const Provider = closed('A wallet company: its branding and state.', {
  id: id('Identifier of the provider.'),
  name: text('Short name.'),
  display_name: text('The name to show to the buyer.'),
  theme_color: Type.String({ pattern: '^#[0-9A-F]{6}$', description: 'Brand colour, `#RRGGBB`.' }),
  logo_url: Type.String({ format: 'uri-reference', description: 'URL of the logo; `""` when there is none.' }),
  provider_status: oneOf(['ACTIVE', 'INACTIVE', 'MAINTENANCE'], 'Whether the provider works now.'),
})
export type Provider = Static<typeof Provider>

const name = text('What the buyer sees.')
const accountNumber = text('What the buyer sends money to.')
const senderName = text("The sender that this wallet's payment alerts come from.")
const isTest = flag("true for the account's testing wallet.")

export const Wallet = closed('A wallet that money can be collected into.', {
  id: id('Pass it as `wallet` when creating an intent.'),
  name,
  account_number: accountNumber,
  sender_name: senderName,
  currency: currency(`Currency of the wallet. Currently always ${collectedCodes}.`),
  provider: Provider,
  is_test: isTest,
})
export type Wallet = Static<typeof Wallet>

export const WalletList = Type.Array(Wallet, { description: 'By name, then by id.' })
export type WalletList = Static<typeof WalletList>

export const IntentWallet = closed('The wallet of an intent.', {
  id: id('Identifier of the wallet.'),
  name,
  sender_name: senderName,
  is_test: isTest,
  sim_slot: oneOf(['', 'SIM1', 'SIM2'], 'The slot of the wallet\'s SIM in the monitoring device; `""` when not set.'),
  account_number: accountNumber,
})
export type IntentWallet = Static<typeof IntentWallet>
