/**
 * What those who host the service may do, of no account in particular: accounts and their quotas, providers and templates
 * that everybody shares, and how things stand. No secret of anybody is in any of it.
 */
import { type Static, Type } from 'typebox'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { AuditPage, auditQuery } from '../people/audit.ts'
import { operation } from '../operation.ts'
import { pageOf, pageQuery } from '../page.ts'
import { packageNames } from '../wallets/providers.ts'

const orNull = <const S extends Parameters<typeof Type.Union>[0][number]>(of: S, description: string) =>
  Type.Union([of, Type.Null()], { description })

export const accountStates = ['ACTIVE', 'SUSPENDED'] as const
const AccountStatus = oneOf(
  [...accountStates],
  'A suspended account can do nothing until it is resumed; what its phones report meanwhile is kept.',
)

const Quota = orNull(Type.Integer({ minimum: 0 }), 'Intents a calendar month; null: as many as they like.')

export const AccountHealth = Type.Object(
  {
    intents_today: Type.Integer({ description: 'Intents made since midnight, in the zone of the service.' }),
    oldest_waiting_s: orNull(
      Type.Integer(),
      'How long the oldest webhook that is due has waited, in seconds; null: none waits.',
    ),
    phones: Type.Integer({ description: 'Phones that are switched on.' }),
    silent_phones: Type.Integer({ description: 'Those of them that have said nothing for three minutes.' }),
    unread_alerts: Type.Integer({ description: 'Alerts that nobody could make sense of, counted to 1,000.' }),
  },
  { additionalProperties: false, description: 'How an account stands.' },
)

export const OperatedAccount = Type.Object(
  {
    id: id('Identifier of the account.'),
    name: Type.String({ description: 'Name of the account.' }),
    status: AccountStatus,
    time_zone: Type.String({ description: 'Where its days begin, such as `Asia/Aden`.' }),
    monthly_intent_quota: Quota,
    created_at: timestamp('When it was made.'),
    health: AccountHealth,
  },
  { additionalProperties: false, description: 'An account as its host sees it.' },
)
export type OperatedAccount = Static<typeof OperatedAccount>

export const NewAccount = Type.Object(
  {
    name: Type.String({ maxLength: 200, description: 'What to call it.' }),
    monthly_intent_quota: Type.Optional(Quota),
    time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'An IANA name such as `Asia/Aden`.' })),
  },
  { description: 'An account to make. Nobody belongs to it yet.' },
)

export const OverallHealth = Type.Object(
  {
    accounts: Type.Integer({ description: 'Accounts that are active.' }),
    suspended_accounts: Type.Integer({ description: 'Accounts that are suspended.' }),
    intents_today: Type.Integer({ description: 'Intents made since midnight, in all accounts, counted to 100,000.' }),
    waiting_deliveries: Type.Integer({ description: 'Webhooks that are due and wait, counted to 100,000.' }),
    oldest_waiting_s: orNull(Type.Integer(), 'How long the oldest of them has waited, in seconds.'),
    open_breakers: Type.Integer({ description: 'Endpoints that are left alone because they cannot be reached.' }),
    phones: Type.Integer({ description: 'Phones that are switched on.' }),
    silent_phones: Type.Integer({ description: 'Those of them that have said nothing for three minutes.' }),
    unread_alerts: Type.Integer({ description: 'Alerts that nobody could make sense of, counted to 10,000.' }),
  },
  { additionalProperties: false, description: 'How the whole service stands.' },
)
export type OverallHealth = Static<typeof OverallHealth>

const providerStates = ['ACTIVE', 'INACTIVE', 'MAINTENANCE'] as const
const ProviderStatus = oneOf([...providerStates], 'Whether money can be sent with it now.')
const themeColor = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: '`#RRGGBB`.' })

export const SharedProvider = Type.Object(
  {
    id: id('Identifier of the provider.'),
    name: Type.String({ description: 'Its key: lower-case, stays for good.' }),
    display_name: Type.String({ description: 'What people call it.' }),
    theme_color: Type.String({ description: '`#RRGGBB`.' }),
    logo_url: Type.String({ description: 'Where its picture is; `""`: none.' }),
    provider_status: ProviderStatus,
    packages: packageNames,
    wallets: Type.Integer({ description: 'Wallets of it in all accounts, counted to 1,000.' }),
    active_templates: Type.Integer({ description: 'How many wordings of its alerts can be read.' }),
  },
  { additionalProperties: false, description: 'A provider that every account may have wallets of.' },
)
export type SharedProvider = Static<typeof SharedProvider>

const providerLooks = {
  display_name: Type.String({ maxLength: 100, description: 'What people call it.' }),
  theme_color: themeColor,
  logo_url: Type.Optional(Type.String({ maxLength: 500, description: 'An https address, or `""`.' })),
  packages: Type.Optional(packageNames),
}
export const NewSharedProvider = Type.Object(
  { name: Type.String({ maxLength: 100, description: 'Lower-case letters, digits, `-` and `_`.' }), ...providerLooks },
  { description: 'A provider to add.' },
)
export const SharedProviderChanges = Type.Partial(Type.Object({ ...providerLooks, provider_status: ProviderStatus }), {
  description: 'What to change; what is left out stays.',
})

const Sample = Type.Object(
  {
    text: Type.String({ maxLength: 4000, description: 'An alert as the phone shows it.' }),
    expect: Type.Object(
      {
        amount: Type.String({ description: 'Money as `1500.00`.' }),
        reference: Type.Optional(Type.String()),
        payer: Type.Optional(Type.String()),
        phone: Type.Optional(Type.String()),
        balance: Type.Optional(Type.String()),
        fee: Type.Optional(Type.String()),
      },
      { additionalProperties: false, description: 'What must be read in it; what is left out must not be there.' },
    ),
  },
  { additionalProperties: false },
)
const CounterSample = Type.Object(
  {
    text: Type.String({ maxLength: 4000, description: 'A text of the same sender that must not be read.' }),
    why: Type.String({ maxLength: 200, description: 'What it is.' }),
  },
  { additionalProperties: false },
)
const samples = {
  samples: Type.Array(Sample, { maxItems: 50, description: 'Alerts that it must read, and what is in them.' }),
  counter_samples: Type.Array(CounterSample, { maxItems: 50, description: 'Texts that it must not read.' }),
}

const templateStates = ['draft', 'active', 'retired'] as const

export const SharedTemplate = Type.Object(
  {
    id: id('Identifier of this version.'),
    provider: id('Whose alerts it reads.'),
    lineage: id('What its versions have in common.'),
    version: Type.Integer({ description: 'Counts up.' }),
    name: Type.String({ description: 'What to call it.' }),
    sender_names: Type.Array(Type.String(), { description: 'As the phone shows the sender.' }),
    direction: oneOf(['credit', 'debit'], 'Only a credit can verify a payment.'),
    currency: Type.String({ description: 'Of three letters.' }),
    sentence: Type.String({ description: 'How the alert is worded, with its slots.' }),
    status: oneOf([...templateStates], 'A version is drafted, active, then retired, and never changes.'),
    ...samples,
  },
  { additionalProperties: false, description: 'How a provider words one kind of alert.' },
)
export type SharedTemplate = Static<typeof SharedTemplate>

export const SharedTemplateBench = Type.Object(
  {
    green: Type.Boolean({ description: 'Whether it could be published.' }),
    failures: Type.Array(Type.String(), { description: 'What stands in the way, in sentences.' }),
  },
  { additionalProperties: false, description: 'What the bench says of it.' },
)

export const BenchedTemplate = Type.Object(
  { template: SharedTemplate, bench: SharedTemplateBench },
  { additionalProperties: false, description: 'A template, and what the bench says of it now.' },
)
export type BenchedTemplate = Static<typeof BenchedTemplate>

export const NewSharedTemplate = Type.Object(
  {
    provider: id('Whose alerts it reads.'),
    replaces: Type.Optional(id('The version it is to follow.')),
    name: Type.String({ maxLength: 100, description: 'What to call it.' }),
    sender_names: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20, description: 'At least one.' }),
    direction: Type.Optional(oneOf(['credit', 'debit'], 'Left out: credit.')),
    currency: Type.Optional(Type.String({ description: 'Of three letters; left out: YER.' })),
    sentence: Type.String({ maxLength: 2000, description: 'How the alert is worded, with its slots.' }),
    samples: Type.Optional(samples.samples),
    counter_samples: Type.Optional(samples.counter_samples),
  },
  { description: 'A draft. It reads nothing until it is published.' },
)

const tag = 'Operators'
const access = 'operator' as const

export const listAccounts = operation({
  id: 'listAccounts',
  method: 'GET',
  path: '/operator/accounts/',
  access,
  tag,
  summary: 'All accounts and how they stand, the newest first',
  query: {
    search: { description: 'Part of the name, or an id.', schema: Type.String({ maxLength: 200 }) },
    status: { description: 'Only these.', schema: AccountStatus },
    ...pageQuery,
  },
  status: 200,
  answer: pageOf(OperatedAccount, 'Accounts, the newest first.'),
})
export const createAccount = operation({
  id: 'createAccount',
  method: 'POST',
  path: '/operator/accounts/',
  access,
  tag,
  summary: 'Make an account',
  body: NewAccount,
  example: { name: 'Corner shop', monthly_intent_quota: 10_000 },
  status: 201,
  answer: OperatedAccount,
})
export const showOperatedAccount = operation({
  id: 'showOperatedAccount',
  method: 'GET',
  path: '/operator/accounts/{id}/',
  access,
  tag,
  summary: 'One account and how it stands',
  status: 200,
  answer: OperatedAccount,
})
export const suspendAccount = operation({
  id: 'suspendAccount',
  method: 'POST',
  path: '/operator/accounts/{id}/suspend/',
  access,
  tag,
  summary: 'Suspend it: its keys, sessions and tokens stop within two seconds',
  description: 'What its phones report is stored and held. Once it is resumed, that is settled as if it had just come.',
  status: 200,
  answer: OperatedAccount,
})
export const resumeAccount = operation({
  id: 'resumeAccount',
  method: 'POST',
  path: '/operator/accounts/{id}/resume/',
  access,
  tag,
  summary: 'Let a suspended account go on',
  status: 200,
  answer: OperatedAccount,
})
export const setAccountQuota = operation({
  id: 'setAccountQuota',
  method: 'PUT',
  path: '/operator/accounts/{id}/quota/',
  access,
  tag,
  summary: 'Set or lift the quota of intents a calendar month',
  body: Type.Object({ monthly_intent_quota: Quota }),
  example: { monthly_intent_quota: 5_000 },
  status: 200,
  answer: OperatedAccount,
})
export const listOperatorAudit = operation({
  id: 'listOperatorAudit',
  method: 'GET',
  path: '/operator/audit/',
  access,
  tag,
  summary: 'What operators changed that concerns no single account, the newest first',
  description: 'What they changed in an account is in the log of that account.',
  query: auditQuery,
  status: 200,
  answer: AuditPage,
})
export const showOverallHealth = operation({
  id: 'showOverallHealth',
  method: 'GET',
  path: '/operator/health/',
  access,
  tag,
  summary: 'How the whole service stands',
  status: 200,
  answer: OverallHealth,
})

export const listSharedProviders = operation({
  id: 'listSharedProviders',
  method: 'GET',
  path: '/operator/providers/',
  access,
  tag,
  summary: 'The providers that everybody shares',
  status: 200,
  answer: Type.Array(SharedProvider),
})
export const createSharedProvider = operation({
  id: 'createSharedProvider',
  method: 'POST',
  path: '/operator/providers/',
  access,
  tag,
  summary: 'Add a provider for everybody',
  body: NewSharedProvider,
  example: { name: 'new-wallet', display_name: 'New Wallet', theme_color: '#0A7B55' },
  status: 201,
  answer: SharedProvider,
})
export const changeSharedProvider = operation({
  id: 'changeSharedProvider',
  method: 'PATCH',
  path: '/operator/providers/{id}/',
  access,
  tag,
  summary: 'Change how a provider looks, or whether it works',
  body: SharedProviderChanges,
  example: { provider_status: 'MAINTENANCE' },
  status: 200,
  answer: SharedProvider,
})

export const listSharedTemplates = operation({
  id: 'listSharedTemplates',
  method: 'GET',
  path: '/operator/templates/',
  access,
  tag,
  summary: 'The templates that everybody shares',
  query: {
    provider: { description: 'Only of this provider.', schema: Type.String({ format: 'uuid' }) },
    status: { description: 'Only these.', schema: oneOf([...templateStates], 'A state.') },
    ...pageQuery,
  },
  status: 200,
  answer: pageOf(SharedTemplate, 'Templates, by their ids.'),
})
export const createSharedTemplate = operation({
  id: 'createSharedTemplate',
  method: 'POST',
  path: '/operator/templates/',
  access,
  tag,
  summary: 'Draft a template for everybody',
  body: NewSharedTemplate,
  example: {
    provider: '{provider}',
    name: 'Money received',
    sender_names: ['NEWWALLET'],
    sentence: 'You received {amount:money} YER, reference {reference:reference}. Thank you',
  },
  status: 201,
  answer: BenchedTemplate,
})
export const showSharedTemplate = operation({
  id: 'showSharedTemplate',
  method: 'GET',
  path: '/operator/templates/{id}/',
  access,
  tag,
  summary: 'One template, and what the bench says of it',
  status: 200,
  answer: BenchedTemplate,
})
export const setTemplateSamples = operation({
  id: 'setTemplateSamples',
  method: 'PUT',
  path: '/operator/templates/{id}/samples/',
  access,
  tag,
  summary: 'Replace the samples of a draft',
  body: Type.Object(samples),
  example: { samples: [], counter_samples: [] },
  status: 200,
  answer: BenchedTemplate,
})
export const publishSharedTemplate = operation({
  id: 'publishSharedTemplate',
  method: 'POST',
  path: '/operator/templates/{id}/publish/',
  access,
  tag,
  summary: 'Publish a draft; the version before it is retired',
  status: 200,
  answer: BenchedTemplate,
})
export const retireSharedTemplate = operation({
  id: 'retireSharedTemplate',
  method: 'POST',
  path: '/operator/templates/{id}/retire/',
  access,
  tag,
  summary: 'Retire a template: nothing is read with it any more',
  status: 200,
  answer: BenchedTemplate,
})

export const operatorOperations = [
  listAccounts,
  createAccount,
  showOperatedAccount,
  suspendAccount,
  resumeAccount,
  setAccountQuota,
  listOperatorAudit,
  showOverallHealth,
  listSharedProviders,
  createSharedProvider,
  changeSharedProvider,
  listSharedTemplates,
  createSharedTemplate,
  showSharedTemplate,
  setTemplateSamples,
  publishSharedTemplate,
  retireSharedTemplate,
]
