/**
 * A call of the dashboard's API: who may make it, and how a change is written with its audit entries. Answers are for one user
 * and must not be cached.
 */
import type { Operation } from '@sanad/contract/operation'
import type { FastifyInstance } from 'fastify'
import { type Actor, type Change, changeWithAudit, type WriteAudit } from '../../accounts/audit/audit.ts'
import { factorLack } from '../../accounts/people/factor-rule.ts'
import {
  type Action,
  isLimitedOut,
  type MemberRights,
  type MemberRole,
  mayAtCounter,
  mayDo,
  permissions,
} from '../../accounts/people/permission.ts'
import { actorOf, type SignedInUser } from '../../accounts/people/signed-in-user.ts'
import { isProved } from '../../accounts/sessions/proof.ts'
import { findProof } from '../../accounts/sessions/proof-sql.ts'
import { protectionOfUser } from '../../accounts/sessions/session-sql.ts'
import type { TermsLookup } from '../../accounts/tenants/account-terms.ts'
import type { Clock, Instant } from '../../core/clock.ts'
import type { AccountId, SentId, UserId } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusal.ts'
import { type Scope, todayIn } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import { withRetries } from '../../postgres/query/gather.ts'
import type { JoinedDb } from '../../postgres/query/joined.ts'
import type { Asker } from '../../postgres/replica/route-reads.ts'
import { operatorKey, type Reads } from '../../views/reads/routed-source.ts'
import { permissionDenied } from '../answers.ts'
import { countCall, type LimitDeps } from '../limits/count-call.ts'
import type { Bucket, Limits, Rules } from '../limits/rule.ts'
import { addRoutes } from '../routes/add-routes.ts'
import { makeRoute, type OpenCall, type RouteMaker, type Route as RouteOf } from '../routes/route.ts'
import {
  type Authenticated,
  type AuthenticationDeps,
  authenticateUser,
  checkOrigin,
  checkShownCashier,
  inRequestedAccount,
} from './authenticate.ts'
import { inAccountHere } from './moved-user.ts'
import { type Answerable, accepted, answerTo } from './refusals.ts'

/** A user in the account that they act for. */
export type Member = { readonly userId: UserId; readonly scope: Scope; readonly role: MemberRole }

export type { OpenCall } from '../routes/route.ts'
export type UserCall = OpenCall &
  Authenticated & {
    /**
     * Whether the session or token holds a proof of the last ten minutes. For calls whose operation says that it `depends`: the
     * handler passes it on to the verb, which decides under its locks.
     */
    readonly proved: () => Promise<boolean>
  }
export type Call = UserCall & { readonly member: Member }

export type Route = RouteOf<Call>

/** A call whose path names an object. */
export type NamedCall = Call & { readonly path: { readonly id: SentId } }

/** The dependencies of the checks before every call, and the function that sends hints to other screens. */
export type DashboardContext = AuthenticationDeps & {
  readonly clock: Clock
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
  /** The zone of the service. Times in a request without an offset are in the zone of the account, by `terms`. */
  readonly zone: Zone
  readonly terms: TermsLookup
  /** Whether operators need a second factor: in production. */
  readonly operatorsNeedFactor: boolean
  /** What may be read from a replica. */
  readonly reads: Reads
  /** Sends a hint to other screens, after the commit. Account null: the hint is for every account. */
  readonly sendHint: (accountId: AccountId | null, change: Pick<Change, 'kind' | 'id'>) => void
}

/** A call for an account: the role table must allow its action (`access`) to the member. */
export const route = makeRoute as RouteMaker<Action, Call, Route>

/** A call that needs a signed-in user and no account: a user's own settings, or what operators do. */
export const userRoute = makeRoute as RouteMaker<'self' | 'operator', UserCall, Route>

export const openRoute = makeRoute as RouteMaker<'open', OpenCall, Route>

/** Counts a call, or refuses it. */
export const count = async (deps: LimitDeps, bucket: Bucket, key: string, now: Instant): Promise<void> =>
  countCall(deps, bucket, key, now)

/** Takes a count back, when the call turned out not to be of the kind that this bucket counts. */
export const giveBack = async (
  deps: Pick<DashboardContext, 'limits' | 'rules'>,
  bucket: Bucket,
  key: string,
  now: Instant,
): Promise<void> => {
  if (deps.rules !== null) await deps.limits.giveBack(bucket, key, deps.rules[bucket], now)
}

/** The role and the wallets of a member, for questions about what they may do. */
export const rightsOf = ({ role, scope }: Member): MemberRights => ({ role, wallets: scope.wallets })

/** The cookie of a browser that changed something a moment ago: what it sees next has the change, whichever node answers. */
export const changedCookie = 'sanad_changed'

/** Who reads, for what may come from a replica. */
export const askerOf = ({ user, request }: UserCall): Asker => ({
  key: user.member?.accountId ?? operatorKey,
  changed: request.cookies[changedCookie] !== undefined,
})

/** The same for what operators read of all accounts. */
export const operatorAsker = (call: UserCall): Asker => ({ ...askerOf(call), key: operatorKey })

const isAction = (access: string): access is Action => Object.hasOwn(permissions, access)

const limitedToWallets =
  'You were given some wallets of this account only, and this call concerns the whole account. An owner can give you all wallets.'

/** What a member sees: the one place where it is made. */
export const scopeOf = (
  { accountId, wallets, todayOnly }: Pick<NonNullable<SignedInUser['member']>, 'accountId' | 'wallets' | 'todayOnly'>,
  zone: Zone,
  now: Instant,
): Scope => ({ accountId, wallets, today: todayOnly ? todayIn(zone, now) : null })

/** Throws a 403 if this user may not make the call. Returns the member, if the call acts for an account. */
const memberFor = ({ user }: Authenticated, access: string, zone: Zone, now: Instant): Member | undefined => {
  if (access === 'self') return undefined
  if (access === 'operator') {
    if (!user.operator) throw permissionDenied()
    return undefined
  }
  if (!isAction(access)) throw new Error(`the role table has no action ${access}`)
  if (user.member === null || !mayDo(user.member.role, access)) throw permissionDenied()
  if (isLimitedOut(user.member, access)) throw permissionDenied(limitedToWallets)
  return { userId: user.userId, role: user.member.role, scope: scopeOf(user.member, zone, now) }
}

/** At a counter: what a cashier may do, and nothing that needs an address or the proof of a person. */
const isForCounter = ({ access, proof, atCounter }: Operation): boolean =>
  access === 'self' ? atCounter === true : isAction(access) && mayAtCounter(access) && proof !== 'always'

/**
 * Throws a 403 if the user must have a second factor and has none: the one check for all calls. The user may be from the cache; a "no" is
 * read from the database again, because the factor may have been set up a moment ago, on another node. At a counter, the owner who made it
 * was asked for a factor; its cashiers have a PIN.
 */
export const checkFactor = async (
  deps: Pick<DashboardContext, 'db' | 'operatorsNeedFactor'>,
  { user, via }: Pick<Authenticated, 'user' | 'via'>,
  operation: Pick<Operation, 'access' | 'withoutFactor'>,
  now: Instant,
): Promise<void> => {
  if (operation.withoutFactor || via.kind === 'counter') return
  const lack = factorLack(user, operation.access, deps.operatorsNeedFactor, now)
  if (lack === undefined) return
  const [protection] = await protectionOfUser(deps.db, user.userId)
  if (protection?.second_factor === true) return
  throw answerTo({ refused: lack === 'account' ? 'factor_needed' : 'operator_factor_needed' })
}

/** A token from before tokens had sessions can hold no proof: a script gets a new token. Nor can a counter: a PIN is no proof. */
const hasProof = async (
  deps: Pick<DashboardContext, 'db'>,
  { user, via }: Authenticated,
  now: Instant,
): Promise<boolean> => {
  if (via.kind === 'counter' || via.id === null) return false
  const [session] = await findProof(deps.db, via.id, user.userId, now)
  return session !== undefined && isProved(session.proved_at, now)
}

const isOpen = (operation: Operation | undefined): boolean => operation?.access === 'open'

/** What an open call knows; the other steps complete it. */
type Caller = Omit<Call, 'request' | 'reply'>

export const addDashboardRoutes = (app: FastifyInstance, deps: DashboardContext, routes: readonly Route[]): void => {
  const zone = (): Zone => deps.zone
  addRoutes<Call>(
    app,
    {
      clock: deps.clock,
      describe: () => '{}',
      async authenticate(request, operation, now): Promise<Caller> {
        if (operation !== undefined && isOpen(operation)) {
          if (operation.anyOrigin !== true) checkOrigin(request, deps)
          return { now, zone } as Caller
        }
        return { now, zone, ...(await authenticateUser(request, deps, now)) } as Caller
      },
      async count({ user }, _, operation, now) {
        if (!isOpen(operation)) await count(deps, 'dashboard', user.userId, now)
      },
      async permit(caller, request, operation, now) {
        if (isOpen(operation)) return caller
        const requested = await inRequestedAccount(request, deps, caller, now)
        const authenticated = await inAccountHere(request, deps, requested, operation, now)
        checkShownCashier(request, authenticated)
        if (authenticated.via.kind === 'counter' && operation !== undefined && !isForCounter(operation))
          throw permissionDenied()
        const accountId = authenticated.user.member?.accountId
        if (operation !== undefined) await checkFactor(deps, authenticated, operation, now)
        const zoneOf = async (): Promise<Zone> =>
          accountId === undefined ? deps.zone : (await deps.terms(accountId, now)).zone
        const member =
          operation === undefined ? undefined : memberFor(authenticated, operation.access, await zoneOf(), now)
        if (operation?.proof === 'always' && !(await hasProof(deps, authenticated, now)))
          throw answerTo({ refused: 'confirmation_required' })
        return {
          ...caller,
          ...authenticated,
          member,
          proved: () => {
            if (operation?.proof !== 'depends')
              throw new Error(`${operation?.id} does not say that it may need a proof`)
            return hasProof(deps, authenticated, now)
          },
          zone: zoneOf,
        } as Caller
      },
    },
    routes,
  )
}

export const actorIn = ({ user, via, from }: UserCall): Actor => ({
  accountId: user.member?.accountId ?? null,
  userId: user.userId,
  actor: actorOf(user),
  via: via.kind,
  ...from,
})

/**
 * Runs a change with its audit entries in one transaction; other screens get a hint after the commit. `work` must make no
 * network call. A refusal that `work` returns keeps what was written before it, and must come before any `audit`; one that it
 * throws by `accepted` undoes the transaction. After a deadlock `work` runs again.
 */
export const tryChange = async <T>(
  deps: Pick<DashboardContext, 'db' | 'sendHint'>,
  call: UserCall,
  work: (db: JoinedDb, audit: WriteAudit) => Promise<T>,
): Promise<T> => {
  const actor = actorIn(call)
  const { result, changes } = await withRetries(() => changeWithAudit(deps.db, actor, call.now, work))
  for (const { kind, id, notice, ...recorded } of changes) {
    const accountId = recorded.accountId === undefined ? actor.accountId : recorded.accountId
    deps.sendHint(accountId, { kind, id })
    if (notice !== undefined) deps.sendHint(accountId, { kind: 'notice', id: '' })
  }
  return result
}

/** As `tryChange`, for a handler that has nothing to add to a refusal: here it becomes its answer. */
export const change = async <T>(
  deps: Pick<DashboardContext, 'db' | 'sendHint'>,
  call: UserCall,
  work: (db: JoinedDb, audit: WriteAudit) => Promise<T> & Answerable<T>,
): Promise<Exclude<T, Refusal>> => accepted<T>((await tryChange(deps, call, work)) as T & Answerable<T>)
