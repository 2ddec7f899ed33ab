/** The kinds of notifications, and which role may hear of which: only of what it may read in the dashboard. Pure. */
import { type PushKind, pushKinds } from '@sanad/contract/kinds'
import { type Action, type MemberRole, mayDo } from '../accounts/people/permission.ts'

export { type PushKind, pushKinds }

/** `test`: the member asked for it, to see that notifications arrive. */
export type SentKind = PushKind | 'test'

const readAction: Readonly<Record<PushKind, Action>> = {
  money: 'unmatched.read',
  unmatched: 'unmatched.read',
  wrong_amount: 'intents.read',
  phone_silent: 'phones.read',
  endpoint_failing: 'webhooks.read',
  request_asked: 'requests.decide',
  request_decided: 'requests.ask',
}

export const mayHear = (role: MemberRole, kind: PushKind): boolean => mayDo(role, readAction[kind])

export const kindsOfRole = (role: MemberRole): PushKind[] => pushKinds.filter((kind) => mayHear(role, kind))
