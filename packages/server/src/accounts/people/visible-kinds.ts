/**
 * The kinds of objects that a member may see in the live stream and in the audit log: those that their role may read, and
 * for owners every kind in the log. Pure.
 */
import { type ObjectKind, objectKinds } from '@sanad/contract/kinds'
import { type Action, type MemberRights, memberMay } from './permission.ts'

export { type ObjectKind, objectKinds }

/** The action that allows reading a kind. Null: no role may read it. */
const readAction: Readonly<Record<ObjectKind, Action | null>> = {
  account: 'account.read',
  alert: 'unmatched.read',
  approval: 'approvals.read',
  checkout: 'checkouts.read',
  counter: 'members.read',
  delivery: 'webhooks.read',
  intent: 'intents.read',
  invitation: 'members.read',
  key: 'keys.read',
  // Only in the service's own log, which belongs to no account.
  master_key: null,
  member: 'members.read',
  // Of notices about themselves, other members learn when they open a screen.
  notice: 'members.read',
  payment_link: 'checkouts.read',
  phone: 'phones.read',
  provider: 'wallets.read',
  request: 'requests.read',
  // Concerns one user alone.
  session: null,
  shift: 'shifts.read',
  template: 'templates.read',
  user: 'members.read',
  wallet: 'wallets.read',
  webhook: 'webhooks.read',
}

export const isObjectKind = (text: string): text is ObjectKind => Object.hasOwn(readAction, text)

export const mayReadKind = (member: MemberRights, kind: ObjectKind): boolean => {
  const action = readAction[kind]
  return action !== null && memberMay(member, action)
}

/** Owners see the whole log of their account. */
export const kindsInLog = (member: MemberRights): ObjectKind[] =>
  member.role === 'owner' ? [...objectKinds] : objectKinds.filter((kind) => mayReadKind(member, kind))
