/** The kinds of notifications, and which role may hear of which: only of what it may read in the dashboard. Pure. */
import { type PushKind, pushKinds } from '@sanad/contract/kinds'
import { type Action, type MemberRights, memberMay } from '../accounts/people/permission.ts'

export { type PushKind, pushKinds }

/**
 * What is not chosen by the member. `notice`: a notice about the power over the account or the member's own sign-in
 * (docs/decisions/0090): nobody can switch these off. `test`: the member asked for it, to see that notifications arrive.
 */
export const urgentKinds = ['notice', 'test'] as const
export type SentKind = PushKind | (typeof urgentKinds)[number]

/** Whether it is sent in quiet hours too. */
export const isUrgent = (kind: SentKind): boolean => (urgentKinds as readonly string[]).includes(kind)

const readAction: Readonly<Record<PushKind, Action>> = {
  money: 'unmatched.read',
  unmatched: 'unmatched.read',
  wrong_amount: 'intents.read',
  phone_silent: 'phones.read',
  endpoint_failing: 'webhooks.read',
  request_asked: 'requests.decide',
  request_decided: 'requests.ask',
}

/** Kinds that are about the money of one wallet. A member with some wallets hears of no other kind: phones and endpoints serve many. */
const aboutWallets: ReadonlySet<PushKind> = new Set(['money', 'unmatched', 'wrong_amount'])

export const mayHear = (member: MemberRights, kind: PushKind): boolean =>
  memberMay(member, readAction[kind]) && (member.wallets === null || aboutWallets.has(kind))

export const kindsOfMember = (member: MemberRights): PushKind[] => pushKinds.filter((kind) => mayHear(member, kind))
