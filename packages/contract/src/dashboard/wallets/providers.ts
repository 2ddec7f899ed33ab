/** Providers of wallets: the operator’s, which every account may use, and those of an account’s own. */
import { type Static, Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { oneOf } from '../../scalars.ts'
import { body, closed, flag, text, whole } from '../../schema.ts'
import { Provider } from '../../wallet.ts'
import { pageOf, pageQuery } from '../page.ts'

const packagesDescription =
  'Android packages of its app, such as `com.example.wallet`. A notification of any other app waits for review.'

/** Used for the operator's providers too. */
export const packageNames = Type.Array(Type.String({ maxLength: 150 }), {
  maxItems: 20,
  description: packagesDescription,
})
export const sentPackageNames = Type.Array(Type.String({ format: 'package-name', minLength: 1, maxLength: 150 }), {
  maxItems: 20,
  'x-distinct': true,
  description: packagesDescription,
})

const stepsDescription =
  'How a buyer pays with it: a few short sentences in each language. An empty language uses the general steps.'

const lengthsDescription =
  'How many digits an account number of it has, without the international prefix; `[]`: any. A wallet with another number is refused.'
const prefixesDescription = 'The digits that an account number of it begins with; `[]`: any.'

/** Fields of every answered provider, the operator's as well as an account's own. */
export const providerNames = {
  display_name_ar: text('Its name in Arabic; `""`: only `display_name`.'),
  country: text('Two letters (ISO 3166-1); `""`: not known.'),
  pay_steps: closed(stepsDescription, { ar: Type.Array(Type.String()), en: Type.Array(Type.String()) }),
  own_pay_steps: flag('False: the steps are the general ones.'),
  number_lengths: Type.Array(Type.Integer(), { description: lengthsDescription }),
  number_prefixes: Type.Array(Type.String(), { description: prefixesDescription }),
}

const sentSteps = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 6 })

/** The same fields in request bodies. */
export const sentProviderNames = {
  display_name_ar: Type.String({ format: 'name', maxLength: 100, description: 'Its name in Arabic.' }),
  country: Type.String({
    format: 'country',
    maxLength: 2,
    'x-upper': true,
    description: 'Two letters, such as `YE`.',
  }),
  pay_steps: body(stepsDescription, { ar: withDefault(sentSteps, []), en: withDefault(sentSteps, []) }),
  number_lengths: Type.Array(Type.Integer({ minimum: 1, maximum: 34 }), {
    maxItems: 10,
    description: lengthsDescription,
  }),
  number_prefixes: Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 10,
      pattern: '^[0-9]{1,10}$',
      'x-invalid': 'Write digits only.',
    }),
    { maxItems: 30, 'x-distinct': true, description: prefixesDescription },
  ),
}

export const DashboardProvider = closed('A wallet company.', {
  ...Provider.properties,
  ...providerNames,
  packages: packageNames,
  shared: flag('The operator’s: every account may use it, none may change it.'),
  sender_names: Type.Array(Type.String(), { description: 'The senders of its alerts, as in its templates.' }),
  active_templates: whole('How many of its templates read alerts now, yours included.'),
  wallets: whole('How many of your wallets belong to it.'),
})
export type DashboardProvider = Static<typeof DashboardProvider>

const providerFields = {
  name: Type.String({ format: 'name', minLength: 1, maxLength: 100, description: 'Short name.' }),
  display_name: Type.String({ format: 'name', minLength: 1, maxLength: 100, description: 'What the buyer sees.' }),
  theme_color: Type.String({
    minLength: 1,
    maxLength: 20,
    pattern: '^#[0-9A-Fa-f]{6}$',
    'x-invalid': 'Write a colour as #RRGGBB.',
    'x-upper': true,
    description: '`#RRGGBB`.',
  }),
  logo_url: Type.String({ format: 'https-url', maxLength: 500, description: 'An https address, or `""`.' }),
  provider_status: oneOf(['ACTIVE', 'INACTIVE', 'MAINTENANCE'], 'Whether the provider works now.'),
  packages: sentPackageNames,
  ...sentProviderNames,
}

export const NewProvider = Type.Object({
  name: providerFields.name,
  display_name: Type.Optional(
    Type.String({ format: 'name', maxLength: 100, description: 'What the buyer sees; left out: the name.' }),
  ),
  theme_color: withDefault(providerFields.theme_color, '#5C6675'),
  logo_url: withDefault(providerFields.logo_url, ''),
  provider_status: withDefault(providerFields.provider_status, 'ACTIVE'),
  packages: withDefault(providerFields.packages, []),
  display_name_ar: withDefault(providerFields.display_name_ar, ''),
  country: withDefault(providerFields.country, ''),
  pay_steps: withDefault(providerFields.pay_steps, {}),
  number_lengths: withDefault(providerFields.number_lengths, []),
  number_prefixes: withDefault(providerFields.number_prefixes, []),
})

export const ProviderChanges = Type.Partial(Type.Object(providerFields))

const operation = operationsOf({ tag: 'Providers' })

export const listProviders = operation({
  id: 'listProviders',
  method: 'GET',
  path: '/providers/',
  access: 'templates.read',
  summary: 'All providers: the operator’s and your own',
  query: pageQuery('text', 'uuid'),
  answer: pageOf(DashboardProvider, 'The providers of your country by name, then those of other countries.'),
})

export const createProvider = operation({
  id: 'createProvider',
  method: 'POST',
  path: '/providers/',
  access: 'templates.write',
  summary: 'Add a provider of your own',
  body: NewProvider,
  example: {
    name: 'village-bank',
    display_name: 'Village Bank',
    display_name_ar: 'بنك القرية',
    theme_color: '#336699',
    pay_steps: { ar: ['افتح التطبيق.'], en: ['Open the app.'] },
  },
  status: 201,
  answer: DashboardProvider,
})

export const showProvider = operation({
  id: 'showProvider',
  method: 'GET',
  path: '/providers/{id}/',
  access: 'templates.read',
  summary: 'One provider',
  answer: DashboardProvider,
})

export const changeProvider = operation({
  id: 'changeProvider',
  method: 'PATCH',
  path: '/providers/{id}/',
  access: 'templates.write',
  summary: 'Change a provider of your own',
  description: 'A provider of the operator cannot be changed: 400 `read_only`.',
  body: ProviderChanges,
  example: { display_name: 'Village Bank' },
  answer: DashboardProvider,
})

export const providerOperations = operation.described
