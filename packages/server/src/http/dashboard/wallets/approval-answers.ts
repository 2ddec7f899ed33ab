/** Approvals as JSON answers: every value that changes, as text that a member can read. */
import type { Approval as ApprovalAnswer } from '@sanad/contract/dashboard/wallets/approvals'
import type { Approval } from '../../../accounts/approvals/approval.ts'
import type { DescribeChange } from '../../../alerts/approvals/ask-approval.ts'
import type { Instant } from '../../../core/clock.ts'
import type { AccountId, ProviderId, UserId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import { findProviderOf } from '../../../views/wallets/providers.ts'
import { findPhoneOf } from '../../../wallets/phones/account-phones.ts'
import type { WalletSettings } from '../../../wallets/wallets/account-wallet.ts'
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
      // A draft does not change when it is published: what is stored shows whether it was changed meanwhile.
      const { template, apps } = performed
      const content = { ...contentAnswer(template), provider: template.providerId, packages: [...apps] }
      return { name: template.name, before: content, after: content }
    }
  }
}

/** An owner sees the apps whose notifications count: they are the provider's, which the change does not name. */
const withApps = (wallet: WalletSettings, apps: readonly string[]) => ({ ...walletValues(wallet), packages: [...apps] })

/** Names of the providers and phones that approvals mention, by id. */
export type Names = ReadonlyMap<string, string>

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

export const namesIn = async (db: Session, accountId: AccountId, approvals: readonly Approval[]): Promise<Names> => {
  const names = new Map<string, string>()
  const all = approvals.map(mentioned)
  for (const id of new Set(all.flatMap(({ providers }) => providers))) {
    const provider = uuid.test(id) ? await findProviderOf(db, accountId, id as ProviderId) : undefined
    if (provider !== undefined) names.set(id, provider.displayName)
  }
  for (const id of new Set(all.flatMap(({ phones }) => phones))) {
    const phone = uuid.test(id) ? await findPhoneOf(db, accountId, id) : undefined
    if (phone !== undefined) names.set(id, phone.name)
  }
  return names
}

const longestValue = 500

const textOf = (value: unknown, names: Names): string | null => {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return (names.get(value) ?? value).slice(0, longestValue)
  if (Array.isArray(value))
    return value.length === 0
      ? null
      : value
          .map((element) => (isPhone(element) ? (names.get(element.phone) ?? '') : textOf(element, names)))
          .join(', ')
          .slice(0, longestValue)
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, longestValue)
}

const isPhone = (element: unknown): element is { readonly phone: string } =>
  typeof element === 'object' && element !== null && 'phone' in element

/** What an owner sees of a template before it is published. */
const templateFields = ['provider', 'sender_names', 'packages', 'direction', 'currency', 'sentence']

const changesIn = ({ kind, before, after }: Approval, names: Names): ApprovalAnswer['changes'] => {
  if (kind === 'template.publish')
    return templateFields.map((field) => ({ field, before: null, after: textOf(after[field], names) }))
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])]
  return fields.flatMap((field) => {
    const [was, becomes] = [before?.[field], after[field]].map((value) => textOf(value, names))
    return was === becomes ? [] : [{ field, before: was ?? null, after: becomes ?? null }]
  })
}

export const approvalAnswer = (approval: Approval, userId: UserId, names: Names, zone: Zone): ApprovalAnswer => {
  const time = (at: Instant): string => zone.format(new Date(at))
  return {
    id: approval.id,
    kind: approval.kind,
    object: { id: approval.objectId, name: approval.objectName },
    reasons: [...approval.reasons],
    changes: changesIn(approval, names),
    asked_by: approval.askedName,
    own: approval.askedBy === userId,
    asked_at: time(approval.askedAt),
    expires_at: time(approval.expiresAt),
    state: approval.state,
    decided_by: approval.decidedName,
    decided_at: timeOrNull(zone, approval.decidedAt),
  }
}
