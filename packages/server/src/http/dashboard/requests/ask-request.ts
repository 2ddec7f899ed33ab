/**
 * A member asks for what is over the limit of their role. The act is tried first, and undone: what is within the limits needs no
 * request, and what could not be done either way is refused at once. Asking again for the same gives the request that waits.
 */
import type { WriteAudit } from '../../../accounts/audit/audit.ts'
import { memberAllowance, readLimits } from '../../../accounts/limits/account-limits.ts'
import { allowanceOf, limitsOver, unlimited } from '../../../accounts/limits/role-limits.ts'
import { type MemberRole, mayDo } from '../../../accounts/people/permission.ts'
import { requestEntries } from '../../../accounts/requests/end-requests.ts'
import {
  type LimitRequest,
  limitedActOf,
  mostOpenOfMember,
  mostOpenRequests,
  requestLife_ms,
} from '../../../accounts/requests/limit-request.ts'
import {
  countLimitRequests,
  insertLimitRequest,
  requestOf,
  sameOpenRequest,
} from '../../../accounts/requests/limit-request-sql.ts'
import { lockAccount } from '../../../accounts/tenants/lock-account-sql.ts'
import { readCheckout } from '../../../checkouts/list-checkouts.ts'
import type { Instant } from '../../../core/clock.ts'
import {
  type AlertId,
  type CheckoutId,
  type IntentId,
  type RequestId,
  timeOrderedId,
  type WalletId,
} from '../../../core/ids.ts'
import { formatMinor, type Minor, minor, readDecimal } from '../../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../../core/scope.ts'
import type { JoinedDb } from '../../../postgres/query/joined.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import { intentFinder } from '../../../views/intents/find-intents.ts'
import type { Doer } from '../limited-act.ts'
import type { DashboardRefusal } from '../refusals.ts'
import { type ActDeps, type RequestedAct, storedAct, tryAct } from './requested-act.ts'

export const askRequest = async (
  deps: ActDeps,
  db: JoinedDb,
  audit: WriteAudit,
  asker: Omit<Doer, 'allowed'> & { readonly role: MemberRole },
  act: RequestedAct,
  now: Instant,
): Promise<LimitRequest | Refusal<DashboardRefusal>> => {
  const { scope, userId, role } = asker
  const account = wholeAccount(scope.accountId)
  await lockAccount(db, account)
  // Read after the lock: this node may not know yet that the member has another role, or none.
  const member = await memberAllowance(db, account, userId, role)
  if (member === undefined || !mayDo(member.role, 'requests.ask')) return refuse('no_longer_allowed')
  const alone = await tryAct(deps, { db, doer: { ...asker, allowed: member.allowed }, now }, act)
  if (!isRefusal(alone)) return refuse('request_not_needed')
  if (alone.refused !== 'over_limit') return alone
  const done = await tryAct(deps, { db, doer: { ...asker, allowed: unlimited }, now }, act)
  if (isRefusal(done)) return done

  const change = storedAct(act)
  const [same] = await sameOpenRequest(db, account, userId, change, now)
  if (same !== undefined) return requestOf(same, now)
  const [count] = await countLimitRequests(db, account, userId, now)
  if (count!.own >= mostOpenOfMember) return refuse('request_limit', { most: String(mostOpenOfMember), of: 'member' })
  if (count!.open >= mostOpenRequests) return refuse('request_limit', { most: String(mostOpenRequests), of: 'account' })
  const subject = await subjectOf(db, scope, act)
  const short = amountIn(alone.facts?.short)
  const judged = { act: act.act, amount: subject.amount, short, currency: subject.currency }
  const managers = allowanceOf(await readLimits(db, account), 'manager')
  const asked = {
    ...judged,
    ...subject,
    accountId: scope.accountId,
    id: timeOrderedId<RequestId>(now),
    limits: limitsOver(member.allowed, limitedActOf(judged)),
    needsOwner: member.role === 'manager' || limitsOver(managers, limitedActOf(judged)).length > 0,
    askedBy: userId,
    askedName: asker.by.slice(0, 300),
    askedAt: now,
    expiresAt: now + requestLife_ms,
  }
  await insertLimitRequest(db, { ...asked, change })
  const ended = { state: 'open', decidedName: '', decidedAt: null, reason: '', resultId: null } as const
  const request = { ...asked, ...ended }
  for (const entry of requestEntries(request)) {
    const amounts = { amount: formatMinor(request.amount), short: formatMinor(short), currency: request.currency }
    audit({ ...entry, after: { ...(entry.after as object), ...amounts } })
  }
  return request
}

const amountIn = (text: string | undefined): Minor => {
  const reading = readDecimal(text ?? '0')
  if (reading.kind === 'no') throw new Error(`${text} is no amount`)
  return reading.minor
}

type Subject = {
  readonly walletId: WalletId | null
  readonly alertId: AlertId | null
  readonly intentId: IntentId | null
  readonly checkoutId: CheckoutId | null
  readonly amount: Minor
  readonly currency: string
}

/** What the act is about. The act was tried before: it exists. */
const subjectOf = async (db: JoinedDb, scope: Scope, act: RequestedAct): Promise<Subject> => {
  if (act.act === 'cancel_checkout') {
    const { checkout, intents } = (await readCheckout(db, scope, act.checkoutId))!
    return {
      walletId: intents.at(-1)?.walletId ?? null,
      alertId: null,
      intentId: null,
      checkoutId: checkout.id,
      amount: checkout.amount,
      currency: checkout.currency,
    }
  }
  const intent = act.act === 'take_sale' ? undefined : await intentFinder(db)(scope, act.intentId)
  if (act.act === 'cancel_intent') {
    const { walletId, id, payable, currency } = intent!
    return { walletId, alertId: null, intentId: id, checkoutId: null, amount: payable, currency }
  }
  const alert = (await findAlert(db, scope, 'alertId' in act ? act.alertId : (intent!.matched?.id ?? '')))!
  return {
    walletId: alert.wallet_id,
    alertId: alert.id,
    intentId: intent?.id ?? null,
    checkoutId: null,
    amount: alert.amount ?? minor(0n),
    currency: alert.currency ?? '',
  }
}
