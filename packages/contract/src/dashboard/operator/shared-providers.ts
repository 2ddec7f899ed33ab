/** The providers that every account may have wallets of, as operators add and change them. */
import { type Static, Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { id, oneOf } from '../../scalars.ts'
import { body, closed, text, whole } from '../../schema.ts'
import { packageNames, providerNames, sentPackageNames, sentProviderNames } from '../wallets/providers.ts'

const providerStates = ['ACTIVE', 'INACTIVE', 'MAINTENANCE'] as const
const ProviderStatus = oneOf([...providerStates], 'Whether money can be sent with it now.')

const appLinkDescription =
  'Opens its app on the phone of a buyer; `{account}` and `{amount}` stand for the account number and the amount'

export const SharedProvider = closed('A provider that every account may have wallets of.', {
  id: id('Identifier of the provider.'),
  name: text('Its key: lower-case, never changes.'),
  display_name: text('Its name for users.'),
  theme_color: text('`#RRGGBB`.'),
  logo_url: text('Where its picture is; `""`: none.'),
  provider_status: ProviderStatus,
  packages: packageNames,
  ...providerNames,
  app_link: text(`${appLinkDescription}; \`""\`: none.`),
  wallets: whole('Its wallets in all accounts, counted to 1,000.'),
  active_templates: whole('How many wordings of its alerts can be read.'),
})
export type SharedProvider = Static<typeof SharedProvider>

const providerLooks = {
  display_name: Type.String({ format: 'name', minLength: 1, maxLength: 100, description: 'Its name for users.' }),
  theme_color: Type.String({
    minLength: 1,
    maxLength: 7,
    pattern: '^#[0-9A-Fa-f]{6}$',
    'x-invalid': 'Use the form #RRGGBB.',
    'x-upper': true,
    description: '`#RRGGBB`.',
  }),
  logo_url: Type.String({
    maxLength: 500,
    pattern: '^(https://[^\\s"\'<>\\\\]+)?$',
    'x-invalid': 'Use an address that begins with https://.',
    description: 'An https address, or `""`.',
  }),
  app_link: Type.String({
    maxLength: 300,
    pattern:
      '^((?!(javascript|data|vbscript|blob|file|about|filesystem|view-source):)[a-z][a-z0-9+.-]*:[^\\s<>"\'\\\\\\p{Cc}\\p{Cf}]+)?$',
    'x-invalid': 'Use a link of the app, such as wallet://pay?to={account}.',
    description: `${appLinkDescription}; or \`""\`.`,
  }),
}
export const NewSharedProvider = body('A provider to add.', {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[a-z0-9][a-z0-9_-]*$',
    'x-invalid': 'Use lower-case letters, digits, "-" and "_".',
    description: 'Lower-case letters, digits, `-` and `_`.',
  }),
  display_name: providerLooks.display_name,
  theme_color: providerLooks.theme_color,
  logo_url: withDefault(providerLooks.logo_url, ''),
  packages: withDefault(sentPackageNames, []),
  display_name_ar: withDefault(sentProviderNames.display_name_ar, ''),
  country: withDefault(sentProviderNames.country, ''),
  pay_steps: withDefault(sentProviderNames.pay_steps, {}),
  number_lengths: withDefault(sentProviderNames.number_lengths, []),
  number_prefixes: withDefault(sentProviderNames.number_prefixes, []),
  app_link: withDefault(providerLooks.app_link, ''),
})
export const SharedProviderChanges = Type.Partial(
  Type.Object({ ...providerLooks, provider_status: ProviderStatus, packages: sentPackageNames, ...sentProviderNames }),
  { description: 'What to change; what is left out stays.' },
)

const operation = operationsOf({ tag: 'Operators', access: 'operator' })

export const listSharedProviders = operation({
  id: 'listSharedProviders',
  method: 'GET',
  path: '/operator/providers/',
  summary: 'The providers that all accounts share',
  answer: Type.Array(SharedProvider),
})
export const createSharedProvider = operation({
  id: 'createSharedProvider',
  method: 'POST',
  path: '/operator/providers/',
  summary: 'Add a provider for all accounts',
  body: NewSharedProvider,
  example: {
    name: 'new-wallet',
    display_name: 'New Wallet',
    display_name_ar: 'محفظة جديدة',
    country: 'YE',
    theme_color: '#0A7B55',
  },
  status: 201,
  answer: SharedProvider,
})
export const changeSharedProvider = operation({
  id: 'changeSharedProvider',
  method: 'PATCH',
  path: '/operator/providers/{id}/',
  summary: 'Change the appearance of a provider, or whether it works',
  body: SharedProviderChanges,
  example: { provider_status: 'MAINTENANCE' },
  answer: SharedProvider,
})

export const sharedProviderOperations = operation.described
