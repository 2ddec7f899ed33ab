/**
 * `/intents/` and `/intents/{id}/`: list, show, attach a reference, take a claimed one from another order, set the payer, cancel,
 * accept the amount that arrived.
 * Creating an intent and the CSV file are in files of their own.
 */

import {
  acceptPaid,
  attachReference,
  cancelIntent,
  listIntents,
  setPayer,
  showIntent,
  takeReference,
} from '@sanad/contract/dashboard/money/intents'
import type { Instant } from '../../../core/clock.ts'
import type { IntentId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import { isRefusal, refuse } from '../../../core/refusal.ts'
import { type Scope, wholeOf } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { type Intent, statusAt } from '../../../intents/intent.ts'
import { claimPayer } from '../../../matching/payers/claim-payer.ts'
import { referenceAttacher } from '../../../matching/resolve/attach-references.ts'
import { claimHints } from '../../../matching/resolve/keep-claim.ts'
import { takeReference as take } from '../../../matching/resolve/take-reference.ts'
import { withSavepoints } from '../../../postgres/query/savepoints.ts'
import { intentFinder } from '../../../views/intents/find-intents.ts'
import { type LikelyAlert, likelyAlerts } from '../../../views/queue/likely-alerts.ts'
import { readTakeReference } from '../../body/dashboard/take-reference-body.ts'
import { readAttachReference } from '../../body/merchant/attach-reference-body.ts'
import { intentFilter } from '../../merchant/intent-filter.ts'
import { numberedPage, pageLinks } from '../../query/numbered-page.ts'
import { type Reads, readBy } from '../../routes/route.ts'
import { arrivalAnswer } from '../arrival-answer.ts'
import { doerIn } from '../limited-act.ts'
import { accepted, answerTo } from '../refusals.ts'
import { actorIn, askerOf, type Call, change, type Route, route, tryChange } from '../route.ts'
import { createIntentRoutes } from './create-intent.ts'
import { type AcceptAct, acceptAct, cancelAct } from './intent-acts.ts'
import { intentAnswer, shownIntent } from './intent-answer.ts'
import { type IntentRouteDeps, intentIn, walletOf } from './intent-deps.ts'

export const intentRoutes = (deps: IntentRouteDeps, base: string): Route[] => [
  route(listIntents, (call) => intentPage(deps, call, base)),
  route(showIntent, intentIn(deps), (call, intent) => shownIntent(deps, call.member.scope, intent, call.now)),
  route(readBy(attachReference, readAttachReference), intentIn(deps), async (call, intent) =>
    shownIntent(deps, call.member.scope, await attachWithAudit(deps, call, intent), call.now),
  ),
  route(readBy(takeReference, readTakeReference), intentIn(deps), async (call, intent) =>
    shownIntent(deps, call.member.scope, await takeWithAudit(deps, call, intent), call.now),
  ),
  route(setPayer, intentIn(deps), async (call, intent) =>
    shownIntent(deps, call.member.scope, await setPayerWithAudit(deps, call, intent), call.now),
  ),
  route(cancelIntent, intentIn(deps), async (call, intent) =>
    shownIntent(deps, call.member.scope, await cancelWithAudit(deps, call, intent), call.now),
  ),
  route(acceptPaid, intentIn(deps), async (call, intent) =>
    shownIntent(deps, call.member.scope, await acceptWithAudit(deps, call, intent), call.now),
  ),
  ...createIntentRoutes(deps),
]

/** Intents of a list, each with the unmatched alert that likely belongs to it. */
export const listedIntents = async (
  deps: IntentRouteDeps,
  scope: Scope,
  intents: readonly Intent[],
  zone: Zone,
  now: Instant,
) => {
  const likely = await likelyAlerts(deps.db, scope, intents, now)
  return Promise.all(
    intents.map(async (intent) => ({
      ...intentAnswer(intent, await walletOf(deps, intent, now), zone, now),
      ...arrivalAnswer(intent.arrival),
      amount_unique: intent.payable !== intent.base,
      unmatched: likelyAnswer(likely.get(intent.id), intent, zone),
    })),
  )
}

const likelyAnswer = (alert: LikelyAlert | undefined, intent: Intent, zone: Zone) =>
  alert === undefined
    ? null
    : {
        alert: alert.alertId,
        amount: formatMinor(intent.payable),
        received_at: zone.format(new Date(alert.receivedAt)),
        count: alert.count,
      }

const intentPage = async (deps: IntentRouteDeps, call: Call & Reads<typeof listIntents>, base: string) => {
  const { request, query, member, zone, now } = call
  const { ordering, page: requested, page_size: size, ...filters } = query
  const filter = intentFilter(member.scope, filters)
  // The count of a search reads up to ten thousand rows; other counts are mostly known.
  const count =
    filter.terms.length === 0
      ? await deps.list.count(filter, now)
      : await deps.reads.read('search_counts', askerOf(call), ({ list }) => list.count(filter, now))
  const page = numberedPage(requested, count, size)
  const intents = await deps.list.page(filter, ordering, size, page.offset, now)
  const shownIn = await zone()
  const address = `${deps.ownOrigin(request)}${base}/intents/`
  return {
    count,
    ...pageLinks(address, request.raw.url ?? '', page),
    results: await listedIntents(deps, member.scope, intents, shownIn, now),
  }
}

/** The intent's status now, for the answer to a change that came too late. */
const statusNow = async (deps: IntentRouteDeps, { member, now }: Call, id: IntentId): Promise<string> => {
  const intent = await deps.find(member.scope, id)
  return intent === undefined ? '' : statusAt(intent, now)
}

const attachWithAudit = async (
  deps: IntentRouteDeps,
  call: Call & { readonly body: { readonly reference: string } },
  { id, reference: before }: Intent,
): Promise<Intent> => {
  const { member, now } = call
  const { reference } = call.body
  const result = await tryChange(deps, call, async (db, audit) => {
    const within = withSavepoints(db)
    const attach = referenceAttacher({ db: within, shared: within, zone: deps.zone, find: intentFinder(within) })
    const requested = { scope: wholeOf(member.scope), id, reference, by: actorIn(call).actor }
    const intent = await attach(requested, now)
    // The same reference again changes nothing.
    if (!isRefusal(intent) && before !== reference)
      audit({
        action: 'intent.reference',
        kind: 'intent',
        id,
        before: { reference: before, status: 'PENDING' },
        after: { reference: intent.reference, status: intent.status },
      })
    return intent
  })
  if (isRefusal(result)) {
    for (const hint of claimHints(result.facts)) deps.sendHint(member.scope.accountId, hint)
    const facts = { ...result.facts, status: await statusNow(deps, call, id), attr: 'reference' }
    throw answerTo({ ...result, facts })
  }
  if (result.matched !== null) {
    deps.wake(member.scope.accountId)
    // The alert is no longer in the queue.
    deps.sendHint(member.scope.accountId, { kind: 'alert', id: result.matched.id })
  }
  return result
}

/** Moves a claimed reference to the intent of the path. Both intents have an entry in the audit log. */
const takeWithAudit = async (
  deps: IntentRouteDeps,
  call: Call & { readonly body: { readonly reference: string; readonly from: string } },
  { id, code, reference: before }: Intent,
): Promise<Intent> => {
  const { member, now } = call
  const { reference, from } = call.body
  // Both orders must be of wallets that the member sees.
  if ((await deps.find(member.scope, from)) === undefined)
    throw answerTo(refuse('intent_unknown', { intent: from, attr: 'from' }))
  const result = await change(deps, call, async (db, audit) => {
    const taking = { scope: wholeOf(member.scope), id, from, reference, by: actorIn(call).actor }
    const taken = accepted(await take(db, deps.zone, taking, now))
    const { intent, holder } = taken
    audit({
      action: 'intent.take_reference',
      kind: 'intent',
      id,
      before: { reference: before, status: 'PENDING' },
      after: {
        reference: intent.reference,
        status: intent.status,
        payment: code,
        from: holder.id,
        from_payment: holder.code,
      },
    })
    audit({
      action: 'intent.lose_reference',
      kind: 'intent',
      id: holder.id,
      before: { reference: holder.reference },
      after: { reference: '', payment: holder.code, to: id, to_payment: code },
    })
    return intent
  })
  if (result.matched !== null) {
    deps.wake(member.scope.accountId)
    deps.sendHint(member.scope.accountId, { kind: 'alert', id: result.matched.id })
  }
  return result
}

/** Creates an intent for the amount that arrived, books the alert onto it, and returns it. */
const acceptWithAudit = async (
  deps: IntentRouteDeps,
  call: Call & Pick<Reads<typeof acceptPaid>, 'body'>,
  old: Intent,
): Promise<Intent> => {
  const { member, now } = call
  const input = acceptInput(old, call.body)
  const { booked, hints } = await change(deps, call, async (db, audit) =>
    accepted(await acceptAct(deps, { db, audit, doer: await doerIn(db, call), now }, input)),
  )
  const { intent } = booked
  deps.wake(member.scope.accountId)
  for (const hint of hints) deps.sendHint(member.scope.accountId, hint)
  return (await deps.find(member.scope, intent.id)) ?? intent
}

export const acceptInput = ({ id }: Intent, body: Reads<typeof acceptPaid>['body']): AcceptAct => ({
  act: 'accept_paid',
  intentId: id,
  paid: body.paid_amount,
  anotherPayment: body.another_payment === true,
})

/** Stores the claimed payer. Nothing else of the intent changes. */
const setPayerWithAudit = async (
  deps: IntentRouteDeps,
  call: Call & Pick<Reads<typeof setPayer>, 'body'>,
  { id }: Intent,
): Promise<Intent> => {
  const { member, now } = call
  const { name, phone } = call.body
  const result = await change(deps, call, async (db, audit) => {
    const claim = { scope: wholeOf(member.scope), intentId: id, name, phone, source: 'member' as const }
    const claimed = accepted(await claimPayer(db, claim, now))
    const { before, intent } = claimed
    if (before.name !== name || before.phone !== phone)
      audit({ action: 'intent.payer', kind: 'intent', id, before: { ...before }, after: { name, phone } })
    return intent
  })
  return result
}

const cancelWithAudit = async (deps: IntentRouteDeps, call: Call, { id }: Intent): Promise<Intent> => {
  const { now } = call
  const { intent } = await change(deps, call, async (db, audit) =>
    accepted(
      await cancelAct(deps, { db, audit, doer: await doerIn(db, call), now }, { act: 'cancel_intent', intentId: id }),
    ),
  )
  return intent
}
