/** Approvals as JSON answers: every value that changes, as text that a member can read. */
import { isDeepStrictEqual } from 'node:util'
import type { Approval as ApprovalAnswer } from '@sanad/contract/dashboard/wallets/approvals'
import type { Approval } from '../../../accounts/approvals/approval.ts'
import type { DescribeChange } from '../../../alerts/approvals/ask-approval.ts'
import type { Instant } from '../../../core/clock.ts'
import type { ProviderId, UserId } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import { findProviderOf } from '../../../views/wallets/providers.ts'
import { findPhoneOf } from '../../../wallets/phones/account-phones.ts'
import type { WalletSettings } from '../../../wallets/wallet.ts'
import { timeOrNull } from '../time-text.ts'
import { providerValues } from './providers.ts'
import { contentAnswer } from './template-answers.ts'
import { walletValues } from './wallets.ts'

/** The values of a change as they are stored with its approval and in the audit log. */
export const describeChange: DescribeChange = (performed) => {
  switch (performed.kind) {
    case 'wallet.create':
      return { name: performed.after.name, before: null, after: withApps(performed.after, performed.apps) }
    case 'wallet.update':
      return {
        name: performed.before.name,
        before: withApps(performed.before, performed.apps.before),
        after: withApps(performed.after, performed.apps.after),
      }
    case 'provider.update':
      return {
        name: performed.before.displayName,
        before: providerValues(performed.before),
        after: providerValues(performed.after),
      }
    case 'template.publish': {
      // A draft does not change when it is published: what is stored shows whether it was changed meanwhile. Before, the provider
      // had some of its senders at most, and an owner had confirmed some of the apps at most.
      const { template, provider } = performed
      const content = { ...contentAnswer(template), provider: template.providerId }
      const known = template.senderNames.filter((name) => provider.senders.includes(name))
      return {
        name: template.name,
        before: { ...content, sender_names: known, packages: [...provider.apps.confirmed] },
        after: { ...content, packages: [...provider.apps.all] },
      }
    }
  }
}

/** An owner sees the apps whose notifications count: they are the provider's, which the change does not name. */
const withApps = (wallet: WalletSettings, apps: readonly string[]) => ({ ...walletValues(wallet), packages: [...apps] })

/** Names of the providers and phones that approvals mention, by id; and which of the providers are the account's own. */
export type Names = { readonly of: ReadonlyMap<string, string>; readonly own: ReadonlySet<string> }

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

const mentioned = ({ before, after }: Approval): { readonly providers: string[]; readonly phones: string[] } => {
  const [providers, phones]: [string[], string[]] = [[], []]
  for (const values of [before, after]) {
    if (values === null) continue
    if (typeof values.provider === 'string') providers.push(values.provider)
    if (typeof values.phone === 'string') phones.push(values.phone)
    for (const { phone } of (values.further_phones ?? []) as { phone: string }[]) phones.push(phone)
  }
  return { providers, phones }
}

export const namesIn = async (db: Session, scope: Scope, approvals: readonly Approval[]): Promise<Names> => {
  const names = new Map<string, string>()
  const own = new Set<string>()
  const all = approvals.map(mentioned)
  for (const id of new Set(all.flatMap(({ providers }) => providers))) {
    const provider = uuid.test(id) ? await findProviderOf(db, scope, id as ProviderId) : undefined
    if (provider === undefined) continue
    names.set(id, provider.displayName)
    if (!provider.shared) own.add(id)
  }
  for (const id of new Set(all.flatMap(({ phones }) => phones))) {
    const phone = uuid.test(id) ? await findPhoneOf(db, scope, id) : undefined
    if (phone !== undefined) names.set(id, phone.name)
  }
  return { of: names, own }
}

/** Whole: an owner confirms what is read here. The bodies of the changes bound every text and every list. */
const textOf = (value: unknown, names: Names): string | null => {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return names.of.get(value) ?? value
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((each) => elementText(each, names)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const elementText = (element: unknown, names: Names): string => {
  if (!isPhone(element)) return textOf(element, names) ?? ''
  const name = names.of.get(element.phone) ?? ''
  return element.sim_slot === '' ? name : `${name} (${element.sim_slot})`
}

const isPhone = (element: unknown): element is { readonly phone: string; readonly sim_slot: string } =>
  typeof element === 'object' && element !== null && 'phone' in element

/** What an owner sees of a template before it is published. */
const templateFields = ['provider', 'sender_names', 'packages', 'direction', 'currency', 'sentence']

const fieldsThatChange = ({ kind, before, after, reasons }: Approval): string[] => {
  if (kind === 'template.publish') return templateFields
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])]
  // Compared as they are stored: two providers may have one name.
  return fields.filter((field) =>
    before === null
      ? !isEmpty(after[field]) || (reasons as string[]).includes(field)
      : !isDeepStrictEqual(before[field] ?? null, after[field] ?? null),
  )
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const changesIn = (approval: Approval, names: Names): ApprovalAnswer['changes'] => {
  const { kind, after } = approval
  const before = kind === 'template.publish' ? null : approval.before
  return fieldsThatChange(approval).flatMap((field) => {
    const row = { field, before: textOf(before?.[field], names), after: textOf(after[field], names) }
    if (field !== 'provider') return [row]
    const kindOf = (id: unknown) => (names.own.has(String(id)) ? 'own' : 'operators')
    const [was, is] = [before === null ? null : kindOf(before.provider), kindOf(after.provider)]
    return was === is ? [row] : [row, { field: 'provider_kind', before: was, after: is }]
  })
}

/** The lists of names that decide whose messages count. */
const listFields = ['sender_names', 'packages']

/** Of each such list that an approval shows: every element. */
const listsIn = (approval: Approval): ApprovalAnswer['lists'] =>
  fieldsThatChange(approval).flatMap((field) => {
    if (!listFields.includes(field)) return []
    const namesOf = (values: Approval['before']) => [...new Set((values?.[field] ?? []) as string[])]
    const [was, is] = [namesOf(approval.before), namesOf(approval.after)]
    if (was.length === 0 && is.length === 0) return []
    return [
      {
        field,
        added: addedTo(was, is),
        kept: is.filter((name) => was.includes(name)),
        removed: addedTo(is, was),
      },
    ]
  })

const addedTo = (before: readonly string[], after: readonly string[]): string[] =>
  after.filter((name) => !before.includes(name))

/** The senders and apps that would count, for the notice to owners. */
export const newNamesIn = (approval: Approval): { readonly senders: string[]; readonly packages: string[] } => {
  const { after, reasons } = approval
  const lists = listsIn(approval)
  const added = (field: string) => lists.find((list) => list.field === field)?.added ?? []
  const name = after.sender_name
  const own = typeof name === 'string' && name !== '' ? [name] : []
  return {
    senders: reasons.includes('sender') ? [...own, ...added('sender_names')] : [],
    packages: reasons.includes('app') ? added('packages') : [],
  }
}

export const approvalAnswer = (approval: Approval, userId: UserId, names: Names, zone: Zone): ApprovalAnswer => {
  const time = (at: Instant): string => zone.format(new Date(at))
  return {
    id: approval.id,
    kind: approval.kind,
    object: { id: approval.objectId, name: approval.objectName },
    reasons: [...approval.reasons],
    changes: changesIn(approval, names),
    lists: listsIn(approval),
    asked_by: approval.askedName,
    own: approval.askedBy === userId,
    asked_at: time(approval.askedAt),
    expires_at: time(approval.expiresAt),
    state: approval.state,
    decided_by: approval.decidedName,
    decided_at: timeOrNull(zone, approval.decidedAt),
  }
}
