/**
 * The permissions: one table of actions and the roles that may do them. Every route of the dashboard names one action.
 * Elsewhere a role is compared only to tell owners from all others (the last owner stays, no wallets and no limits bind an owner,
 * owners alone read the whole audit log and are notified of what others do), for the limits of each role
 * (accounts/limits/role-limits.ts), and to know whether a manager or an owner confirms a request (ask-request.ts). Pure.
 *
 * Owner: everything. Manager: everything except members, keys, unique amounts, secrets, and actions that would let them
 * report as a phone, decide whose messages count as money, or receive webhooks. Cashier: intents, checkouts and the queue of
 * unmatched money, with the names of the wallets. Viewer: reads what a manager reads, changes nothing.
 */
import { type MemberRole, memberRoles as roles } from '@sanad/contract/kinds'
import type { GivenWallets } from './wallet-limit.ts'

export { type MemberRole, roles }

const everyone = roles
const readers = ['owner', 'manager', 'viewer'] as const
const counterRoles = ['owner', 'manager', 'cashier'] as const
const managers = ['owner', 'manager'] as const
const owner = ['owner'] as const

export const permissions = {
  /** The figures of the day, and the live stream of what the role may read. */
  'overview.read': everyone,
  'intents.read': everyone,
  'intents.write': counterRoles,
  /** Moving a reference from one order to another, which decides who will be paid. */
  'intents.move_reference': managers,
  /** Checkouts and payment links. A member who may write also gets the links, and can act as a buyer with them. */
  'checkouts.read': everyone,
  'checkouts.write': counterRoles,
  'unmatched.read': everyone,
  'unmatched.write': counterRoles,
  /** Taking walk-in money as a sale, undoing that, and marking a paid intent as handed over. */
  'sales.write': counterRoles,
  /** Sharing the voucher of an intent by a public address, and revoking that address. */
  'vouchers.write': counterRoles,
  /** The member's own shifts. */
  'shifts.read': everyone,
  /** The shifts of all members. */
  'all_shifts.read': readers,
  /** Starting and ending one's own shift. */
  'shifts.write': counterRoles,
  /** Ending the shift of another member. */
  'all_shifts.end': managers,
  'wallets.read': everyone,
  'wallets.write': managers,
  /** Unique amounts: buyers are asked for slightly different amounts, and payments without a reference verify intents. */
  'wallets.amounts': owner,
  /** All messages of phones, whether they are money or not. */
  'alerts.read': readers,
  'phones.read': readers,
  'phones.write': managers,
  /** Pairing codes, and the address and the key of a forwarding app: with one of them, anyone can report as the phone. */
  'phones.secrets': owner,
  'templates.read': readers,
  'templates.write': managers,
  'webhooks.read': readers,
  'webhooks.write': managers,
  /**
   * Creating an endpoint and rotating its secret: the answer holds the secret. Changing its address and its headers:
   * whoever changes the address receives the values of the headers.
   */
  'webhooks.secrets': owner,
  'keys.read': owner,
  'keys.write': owner,
  'day_close.read': readers,
  /** Changes that wait for an owner: a sender, an app, a limit of review. */
  'approvals.read': managers,
  'approvals.ask': managers,
  /** Confirming such a change, and making one without asking. */
  'approvals.decide': owner,
  /** What the member asked for, and for managers and owners what all members asked for. */
  'requests.read': counterRoles,
  /** Asking for what is over the limit of one's role, and withdrawing it. */
  'requests.ask': counterRoles,
  /** Confirming or refusing what another member asked for, within one's own limits. */
  'requests.decide': managers,
  /** The limits of the roles. */
  'limits.write': owner,
  /** For how long the account keeps texts, payers, calls and the audit log; finding and erasing what is kept of a buyer. */
  'retention.write': owner,
  'account.read': everyone,
  'account.write': managers,
  /** Notifications on one's own devices, of what the role may read. */
  'notifications.own': everyone,
  'members.read': owner,
  'members.write': owner,
  'audit.read': readers,
} as const satisfies Record<string, readonly MemberRole[]>

export type Action = keyof typeof permissions

/** Whether a member with the role `after` has more power than with `before`. The roles are listed from the most to the least. */
export const isHigher = (after: MemberRole, before: MemberRole): boolean => roles.indexOf(after) < roles.indexOf(before)

export const mayDo = (role: MemberRole, action: Action): boolean =>
  (permissions[action] as readonly MemberRole[]).includes(role)

/**
 * What a member may still do who was given some wallets instead of all (docs/decisions/0087). Every other action concerns the whole
 * account, also one that is added later: whoever adds it decides here whether its calls can be limited to wallets.
 */
const ofSomeWallets: ReadonlySet<Action> = new Set<Action>([
  'overview.read',
  'intents.read',
  'intents.write',
  'intents.move_reference',
  'checkouts.read',
  'checkouts.write',
  'unmatched.read',
  'unmatched.write',
  'sales.write',
  'requests.read',
  'requests.ask',
  'requests.decide',
  'vouchers.write',
  'shifts.read',
  'all_shifts.read',
  'shifts.write',
  'all_shifts.end',
  'wallets.read',
  'alerts.read',
  'day_close.read',
  'account.read',
  'notifications.own',
])

/** A member's role, and the wallets that they were given. Null: all. */
export type MemberRights = { readonly role: MemberRole; readonly wallets: GivenWallets }

/** Whether the role allows an action that the limit to some wallets takes away. */
export const isLimitedOut = ({ role, wallets }: MemberRights, action: Action): boolean =>
  wallets !== null && mayDo(role, action) && !ofSomeWallets.has(action)

export const memberMay = (member: MemberRights, action: Action): boolean =>
  mayDo(member.role, action) && !isLimitedOut(member, action)

/** All actions of a member: the dashboard hides what would be refused. */
export const actionsOf = (member: MemberRights): Action[] =>
  (Object.keys(permissions) as Action[]).filter((action) => memberMay(member, action))

/** What a cashier at a counter cannot do: a PIN is no browser of their own. */
const notAtCounter: readonly Action[] = ['notifications.own']

/** The actions of a counter: those of a cashier, whatever the role of the member is elsewhere. */
export const mayAtCounter = (action: Action): boolean => mayDo('cashier', action) && !notAtCounter.includes(action)

/** All actions of a member at a counter. */
export const counterActions = (member: MemberRights): Action[] => actionsOf(member).filter(mayAtCounter)
