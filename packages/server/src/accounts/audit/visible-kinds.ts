/**
 * Which things somebody may hear of and read about, by what they may read at all: the live stream and the audit log speak
 * of nothing else to them. Pure.
 */
import { type Action, type MemberRole, mayDo } from '../people/permission.ts'

/** The things people change. The log of changes and the live stream speak of the same. */
export type ThingKind =
  | 'account'
  | 'alert'
  | 'delivery'
  | 'intent'
  | 'invitation'
  | 'key'
  | 'master_key'
  | 'member'
  | 'notice'
  | 'phone'
  | 'provider'
  | 'session'
  | 'template'
  | 'user'
  | 'wallet'
  | 'webhook'

/** Null: it concerns one person alone, and no role gives a right to it. */
const readBy: Readonly<Record<ThingKind, Action | null>> = {
  account: 'account.read',
  alert: 'unmatched.read',
  delivery: 'webhooks.read',
  intent: 'intents.read',
  invitation: 'members.read',
  key: 'keys.read',
  // The operator's: in the log of the service, of no account.
  master_key: null,
  member: 'members.read',
  notice: 'notices.read',
  phone: 'phones.read',
  provider: 'wallets.read',
  session: null,
  template: 'templates.read',
  user: 'members.read',
  wallet: 'wallets.read',
  webhook: 'webhooks.read',
}

export const thingKinds = Object.keys(readBy) as ThingKind[]

export const isThingKind = (text: string): text is ThingKind => Object.hasOwn(readBy, text)

export const mayReadKind = (role: MemberRole, kind: ThingKind): boolean => {
  const action = readBy[kind]
  return action !== null && mayDo(role, action)
}

/** Owners answer for their account: its log hides nothing from them. */
export const kindsInLog = (role: MemberRole): ThingKind[] =>
  role === 'owner' ? thingKinds : thingKinds.filter((kind) => mayReadKind(role, kind))
