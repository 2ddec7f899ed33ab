/**
 * Who may do what: one table of actions against roles. Every route of the dashboard names one action, and nothing else
 * asks for a role. Pure.
 *
 * Owner: everything. Manager: all but members, keys, secrets, and whatever lets somebody speak as a phone or receive what
 * only the owner knows. Cashier: intents and the unmatched queue, with the names of the wallets they concern. Viewer: reads
 * what a manager reads, and changes nothing.
 */
export const roles = ['owner', 'manager', 'cashier', 'viewer'] as const
export type MemberRole = (typeof roles)[number]

const everyone = roles
const readers = ['owner', 'manager', 'viewer'] as const
const desk = ['owner', 'manager', 'cashier'] as const
const managers = ['owner', 'manager'] as const
const owner = ['owner'] as const

export const permissions = {
  /** The figures of the day, and the live stream of what one may read anyway. */
  'overview.read': everyone,
  'intents.read': everyone,
  'intents.write': desk,
  'unmatched.read': everyone,
  'unmatched.write': desk,
  'wallets.read': everyone,
  'wallets.write': managers,
  'phones.read': readers,
  'phones.write': managers,
  /** A pairing code, and the address and the key of a forwarding app: who holds one speaks as the phone. */
  'phones.secrets': owner,
  'templates.read': readers,
  'templates.write': managers,
  'webhooks.read': readers,
  'webhooks.write': managers,
  /**
   * Creating an endpoint and rotating its secret: what is answered holds the secret. Its address and its own headers:
   * whoever moves an endpoint receives the values of its headers.
   */
  'webhooks.secrets': owner,
  'keys.read': owner,
  'keys.write': owner,
  'day_close.read': readers,
  'account.read': everyone,
  'account.write': managers,
  /** What owners are told: who can speak as a phone now, where events go, which keys were made. */
  'notices.read': owner,
  'members.read': owner,
  'members.write': owner,
  'audit.read': readers,
} as const satisfies Record<string, readonly MemberRole[]>

export type Action = keyof typeof permissions

export const mayDo = (role: MemberRole, action: Action): boolean =>
  (permissions[action] as readonly MemberRole[]).includes(role)

/** All that a role may do: the dashboard hides what it would refuse. */
export const actionsOf = (role: MemberRole): Action[] =>
  (Object.keys(permissions) as Action[]).filter((action) => mayDo(role, action))
