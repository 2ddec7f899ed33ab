/**
 * `/requests/`, and `/ask/` of every act that has limits: a member asks, a manager or an owner confirms or refuses. Confirming does
 * the act and ends the request in one transaction, in the name of who asked and within the limits of who confirms; the audit log has
 * both names.
 */

import * as operations from '@sanad/contract/dashboard/money/requests'
import type { WriteAudit } from '../../../accounts/audit/audit.ts'
import { memberAllowance, readLimits } from '../../../accounts/limits/account-limits.ts'
import { allowanceOf, unlimited } from '../../../accounts/limits/role-limits.ts'
import { mayDo } from '../../../accounts/people/permission.ts'
import { askerSees, endLocked, lockOpenRequest, requestEntries } from '../../../accounts/requests/end-requests.ts'
import { type LimitRequest, mayConfirm } from '../../../accounts/requests/limit-request.ts'
import {
  findLimitRequest,
  listLimitRequests,
  requestOf,
  requestsOfMember,
} from '../../../accounts/requests/limit-request-sql.ts'
import { lockAccount } from '../../../accounts/tenants/lock-account-sql.ts'
import { largestId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../../core/refusal.ts'
import { wholeAccount, wholeOf } from '../../../core/scope.ts'
import type { JoinedDb } from '../../../postgres/query/joined.ts'
import { namesOfCheckouts, namesOfRequested } from '../../../views/requests/request-names-sql.ts'
import { notFound } from '../../answers.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { checkoutIn } from '../checkouts/checkouts.ts'
import { collectInput } from '../checkouts/collect-rest.ts'
import { saleInput } from '../counter/sales.ts'
import { intentIn } from '../intents/intent-deps.ts'
import { acceptInput } from '../intents/intents.ts'
import type { Hint } from '../limited-act.ts'
import { alertIn } from '../money/alerts.ts'
import { bookInput, type UnmatchedDeps } from '../money/unmatched.ts'
import { accepted, answerTo, type DashboardRefusal } from '../refusals.ts'
import { actorIn, type Call, change, type NamedCall, type Route, route } from '../route.ts'
import { timeIn, timeOrNull } from '../time-text.ts'
import { askRequest } from './ask-request.ts'
import { type ActDeps, actFrom, doAct, type RequestedAct } from './requested-act.ts'

export type RequestDeps = ActDeps & UnmatchedDeps

export const requestRoutes = (deps: RequestDeps): Route[] => {
  const ask = async (call: Call, act: RequestedAct) => {
    const { scope, userId, role } = call.member
    const asker = { scope, userId, role, by: actorIn(call).actor }
    const request = await change(deps, call, async (db, audit) =>
      accepted(await askRequest(deps, db, audit, asker, act, call.now)),
    )
    return shown(deps, call, request)
  }
  return [
    route(operations.askBooking, alertIn(deps), (call, { id }) => ask(call, bookInput('book', id, call.body))),
    route(operations.askBookingOntoCopy, alertIn(deps), (call, { id }) =>
      ask(call, bookInput('book_copy', id, call.body)),
    ),
    route(operations.askSale, alertIn(deps), (call, { id }) => ask(call, saleInput(id, call.body))),
    route(operations.askAcceptance, intentIn(deps), (call, intent) => ask(call, acceptInput(intent, call.body))),
    route(operations.askCollection, intentIn(deps), (call, { id }) => ask(call, collectInput(id, call.body))),
    route(operations.askCancellation, intentIn(deps), (call, { id }) =>
      ask(call, { act: 'cancel_intent', intentId: id }),
    ),
    route(operations.askCheckoutCancellation, checkoutIn(deps), (call, { checkout }) =>
      ask(call, { act: 'cancel_checkout', checkoutId: checkout.id }),
    ),
    route(operations.listRequests, async (call) => {
      const { after, page_size: size, open } = call.query
      const { scope, userId, role } = call.member
      const below = after?.[0] ?? largestId
      const rows = mayDo(role, 'requests.decide')
        ? await listLimitRequests(deps.db, scope, below, open, call.now, size + 1)
        : await requestsOfMember(deps.db, scope, userId, below, open, call.now, size + 1)
      const requests = rows.map((row) => requestOf(row, call.now))
      const answer = await answerer(deps, call, requests)
      return pageAnswer(requests, size, ({ id }) => [id], answer)
    }),
    route(operations.showRequest, requestIn(deps), (call, request) => shown(deps, call, request)),
    route(operations.confirmRequest, requestIn(deps), async (call, { id }) => {
      const { scope } = call.member
      const result = await change(deps, call, (db, audit) => confirm(deps, call, db, audit, id))
      if (result.kind === 'ended') throw answerTo(result.why)
      deps.wake(scope.accountId)
      for (const hint of result.hints) deps.sendHint(scope.accountId, hint)
      return shown(deps, call, result.request)
    }),
    route(operations.refuseRequest, requestIn(deps), async (call, { id }) => {
      const end = { state: 'refused', reason: call.body.reason ?? '' } as const
      return shown(deps, call, await endIt(deps, call, id, end))
    }),
    route(operations.withdrawRequest, requestIn(deps), async (call, { id, askedBy }) => {
      if (askedBy !== call.member.userId) throw answerTo(refuse('request_of_another'))
      return shown(deps, call, await endIt(deps, call, id, { state: 'withdrawn', reason: '' }))
    }),
  ]
}

/** The request that the path names. Who may not decide sees their own alone. */
const requestIn =
  ({ db }: Pick<RequestDeps, 'db'>) =>
  async ({ path, member, now }: NamedCall): Promise<LimitRequest> => {
    const [row] = await findLimitRequest(db, member.scope, path.id)
    if (row === undefined || (row.asked_by !== member.userId && !mayDo(member.role, 'requests.decide')))
      throw notFound()
    return requestOf(row, now)
  }

type Confirmed =
  | { readonly kind: 'done'; readonly request: LimitRequest; readonly hints: readonly Hint[] }
  | { readonly kind: 'ended'; readonly why: Refusal<'request_impossible'> }

/**
 * Does the act of a request. A refusal leaves the request as it is: it is over the limits of who confirms, or was decided meanwhile. If
 * the act can no longer be done, the request ends, which is stored.
 */
const confirm = async (
  deps: RequestDeps,
  call: Call,
  db: JoinedDb,
  audit: WriteAudit,
  id: string,
): Promise<Confirmed | Refusal<DashboardRefusal>> => {
  const { now } = call
  const { scope, userId } = call.member
  const whole = wholeOf(scope)
  // Every change of members takes this lock first: who asked stays what they are until the act is committed.
  await lockAccount(db, whole)
  const locked = await lockOpenRequest(db, whole, id, now)
  if ('refused' in locked) return locked
  const { request } = locked
  if (request.askedBy === userId) return refuse('request_own')
  const confirmer = await memberAllowance(db, whole, userId)
  if (confirmer === undefined || !mayDo(confirmer.role, 'requests.decide')) return refuse('no_longer_allowed')
  // The wallets that this node knows of who confirms may be a second old.
  if (!askerSees(request, confirmer.wallets)) return refuse('no_longer_allowed')
  const by = actorIn(call).actor
  const impossible = async (reason: string): Promise<Confirmed> => {
    const over = { state: 'over', userId, by, reason, resultId: null } as const
    const ended = await endLocked(db, request, over, now)
    for (const entry of requestEntries(ended)) audit(entry)
    const why = reason === 'asker' ? 'asker' : 'changed'
    return { kind: 'ended', why: refuse('request_impossible', { why, by: request.askedName }) }
  }
  const asker = await memberAllowance(db, whole, request.askedBy)
  const mayAsk = asker !== undefined && mayDo(asker.role, 'requests.ask') && askerSees(request, asker.wallets)
  if (!mayAsk) return impossible('asker')

  const doer = { scope, by: request.askedName, userId: request.askedBy, allowed: confirmer.allowed }
  const auditAsked: WriteAudit = (entry) =>
    audit({ ...entry, after: { ...((entry.after as object | undefined) ?? {}), asked_by: request.askedName } })
  const done = await doAct(deps, { db, audit: auditAsked, doer, now }, actFrom(locked.change))
  if (isRefusal(done)) return done.refused === 'over_limit' ? done : impossible(done.refused)
  const end = { state: 'confirmed', userId, by, reason: '', resultId: done.intentId } as const
  const ended = await endLocked(db, request, end, now)
  for (const entry of requestEntries(ended)) audit(entry)
  return { kind: 'done', request: ended, hints: done.hints }
}

const endIt = (
  deps: RequestDeps,
  call: Call,
  id: string,
  end: { readonly state: 'refused' | 'withdrawn'; readonly reason: string },
): Promise<LimitRequest> => {
  const { scope, userId } = call.member
  return change(deps, call, async (db, audit) => {
    const locked = await lockOpenRequest(db, wholeOf(scope), id, call.now)
    if ('refused' in locked) return locked
    const decided = { ...end, userId, by: actorIn(call).actor, resultId: null }
    const ended = await endLocked(db, locked.request, decided, call.now)
    for (const entry of requestEntries(ended)) audit(entry)
    return ended
  })
}

const shown = async (deps: RequestDeps, call: Call, request: LimitRequest) =>
  (await answerer(deps, call, [request]))(request)

/** The answers to these requests, with the names of their orders. */
const answerer = async (
  { db, zone }: Pick<RequestDeps, 'db' | 'zone'>,
  { member }: Call,
  requests: readonly LimitRequest[],
): Promise<(request: LimitRequest) => operations.LimitRequest> => {
  const { userId, role } = member
  const account = wholeAccount(member.scope.accountId)
  const intentIds = requests.flatMap(({ intentId }) => intentId ?? [])
  const checkoutIds = requests.flatMap(({ checkoutId }) => checkoutId ?? [])
  const intents = new Map((await namesOfRequested(db, account, intentIds)).map((row) => [row.id, row]))
  const checkouts = new Map((await namesOfCheckouts(db, account, checkoutIds)).map((row) => [row.id, row]))
  const allowed = role === 'owner' ? unlimited : allowanceOf(await readLimits(db, account), role)
  return (request) => {
    const { id, act, limits, intentId, checkoutId, state, reason } = request
    const intent = intentId === null ? undefined : intents.get(intentId)
    const checkout = checkoutId === null ? undefined : checkouts.get(checkoutId)
    return {
      id,
      act,
      limits: [...limits],
      alert: request.alertId,
      intent: intentId,
      checkout: checkoutId,
      payment: intent?.code ?? '',
      order: intent?.external_order_id ?? checkout?.external_order_id ?? '',
      amount: formatMinor(request.amount),
      short: formatMinor(request.short),
      currency: request.currency,
      asked_by: request.askedName,
      own: request.askedBy === userId,
      may_confirm: mayConfirm(request, { userId, role, allowed }),
      asked_at: timeIn(zone, request.askedAt),
      expires_at: timeIn(zone, request.expiresAt),
      state,
      decided_by: request.decidedName,
      decided_at: timeOrNull(zone, request.decidedAt),
      // What made it impossible is for programs: it is a code.
      reason: state === 'refused' ? reason : '',
      result: request.resultId,
    }
  }
}
