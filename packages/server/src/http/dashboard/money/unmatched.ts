/** `/unmatched/{id}/…/`: what a member does with unmatched money. */

import type { WholeAlert } from '@sanad/contract/dashboard/money/alert'
import * as operations from '@sanad/contract/dashboard/money/unmatched'
import type { WriteAudit } from '../../../accounts/audit/audit.ts'
import { actorOf } from '../../../accounts/people/signed-in-user.ts'
import { revealCode } from '../../../alerts/hidden/reveal-code.ts'
import type { AccountId, WalletId } from '../../../core/ids.ts'
import { refuse } from '../../../core/refusal.ts'
import { type Scope, seesWallet, wholeOf } from '../../../core/scope.ts'
import { acceptBalance, readFollowing } from '../../../matching/queue/accept-balance.ts'
import { dismissAlert, undoDismissal } from '../../../matching/queue/dismiss-alert.ts'
import { notDuplicate } from '../../../matching/queue/not-duplicate.ts'
import type { ReadReport } from '../../../matching/reading/read-report.ts'
import { readStored } from '../../../matching/reading/read-stored.ts'
import { chooseWallet, readAgain } from '../../../matching/reread/read-again.ts'
import { releaseHeld } from '../../../matching/reread/release-held.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import type { JoinedDb } from '../../../postgres/query/joined.ts'
import type { ShownAlert } from '../../../views/alerts/alert-list-sql.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import type { Reads } from '../../routes/route.ts'
import { doerIn } from '../limited-act.ts'
import { accepted, answerTo, type DashboardRefusal } from '../refusals.ts'
import { type Call, change, type DashboardContext, type NamedCall, type Route, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import { type AlertDeps, alertIn, wholeAlert } from './alerts.ts'
import { type BookAct, bookAct } from './book-act.ts'
import { alertAnswer, bookedAnswer } from './unmatched-answers.ts'

export type UnmatchedDeps = AlertDeps &
  Pick<DashboardContext, 'sendHint'> & {
    readonly readReport: ReadReport
    /** Wakes the sender of webhooks after the commit, because events may be due. */
    readonly wake: (accountId: AccountId) => void
  }

export const unmatchedRoutes = (deps: UnmatchedDeps): Route[] => [
  route(operations.bookUnmatched, alertIn(deps), (call, alert) => book(deps, call, alert, 'book')),
  route(operations.bookOntoCopy, alertIn(deps), (call, alert) => book(deps, call, alert, 'book_copy')),
  route(operations.releaseHeldAlert, targetIn(deps), async (call, target) => {
    // Here and below: read before the transaction, because reading may look up templates.
    const rereadAlert = accepted(await readStored(deps, target, call.now))
    return changeAlert(deps, call, 'alert.release', (db) => releaseHeld(db, deps.zone, target, rereadAlert))
  }),
  route(operations.dismissAlert, targetIn(deps), async (call, target) => {
    const { reason } = call.body
    const by = actorOf(call.user)
    return changeAlert(deps, call, 'alert.dismiss', (db) =>
      dismissAlert(db, deps.zone, { ...target, by, why: reason }, call.now),
    )
  }),
  route(operations.undoDismissal, targetIn(deps), async (call, target) => {
    const rereadAlert = accepted(await readStored(deps, target, call.now, undefined, 'unread'))
    return changeAlert(deps, call, 'alert.undo_dismiss', (db) =>
      undoDismissal(db, deps.zone, target, rereadAlert, call.now),
    )
  }),
  route(operations.chooseWallet, targetIn(deps), async (call, target) => {
    const walletId = call.body.wallet as WalletId
    if (!seesWallet(call.member.scope, walletId)) throw answerTo(refuse('wallet_unknown'))
    const rereadAlert = accepted(await readStored(deps, target, call.now, walletId))
    return changeAlert(deps, call, 'alert.choose_wallet', (db) =>
      chooseWallet(db, deps.zone, { ...target, walletId }, rereadAlert),
    )
  }),
  route(operations.readAlertAgain, targetIn(deps), async (call, target) => {
    const rereadAlert = accepted(await readStored(deps, target, call.now))
    return changeAlert(deps, call, 'alert.read_again', (db) => readAgain(db, deps.zone, target, rereadAlert))
  }),
  route(operations.acceptBalance, targetIn(deps), async (call, target) => {
    const rereadAlerts = accepted(await readFollowing(deps, target, call.now))
    return changeAlert(deps, call, 'alert.accept_balance', (db) => acceptBalance(db, deps.zone, target, rereadAlerts))
  }),
  route(operations.notDuplicate, targetIn(deps), async (call, target) => {
    const rereadAlert = accepted(await readStored(deps, target, call.now))
    return changeAlert(deps, call, 'alert.not_duplicate', (db) => notDuplicate(db, deps.zone, target, rereadAlert))
  }),
  route(operations.revealCode, alertIn(deps), async (call, { id, sender }) => {
    const revealed = await change(deps, call, async (db, audit) => {
      const found = accepted(
        await revealCode(db, deps.readReport.hiding, { scope: wholeOf(call.member.scope), alertId: id }),
      )
      audit({ action: 'alert.reveal', kind: 'alert', id, after: { sender } })
      return found
    })
    const { title, text, until } = revealed
    return { title, text, deleted_at: timeOrNull(deps.zone, until) }
  }),
]

const targetIn = (deps: UnmatchedDeps) => async (call: NamedCall) => {
  const { id } = await alertIn(deps)(call)
  return { scope: wholeOf(call.member.scope), alertId: id }
}

const book = async (
  deps: UnmatchedDeps,
  call: Call & Pick<Reads<typeof operations.bookUnmatched>, 'body'>,
  alert: ShownAlert,
  act: BookAct['act'],
): Promise<operations.Booked> => {
  const { member, now } = call
  const input = bookInput(act, alert.id, call.body)
  const { booked, hints } = await change(deps, call, async (db, audit) =>
    accepted(await bookAct(deps, { db, audit, doer: await doerIn(db, call), now }, input)),
  )
  deps.wake(member.scope.accountId)
  for (const hint of hints) deps.sendHint(member.scope.accountId, hint)
  const shown = await findAlert(deps.db, member.scope, alert.id)
  return {
    intent: bookedAnswer(booked.intent, deps.zone, now),
    alert: alertAnswer(shown!, member.role, deps.zone, now),
  }
}

export const bookInput = (
  act: BookAct['act'],
  alertId: string,
  body: Reads<typeof operations.bookUnmatched>['body'],
): BookAct => ({
  act,
  alertId,
  intentId: body.intent,
  alertAmount: body.alert_amount,
  intentAmount: body.intent_amount,
  anotherPayment: body.another_payment === true,
})

/** Runs an action on the alert of the path, with its audit entry, and answers the alert as it is afterwards. */
const changeAlert = async (
  deps: UnmatchedDeps,
  call: NamedCall,
  action: string,
  work: (db: JoinedDb) => Promise<{ readonly refused: DashboardRefusal } | string | object>,
): Promise<WholeAlert> => {
  const { member, now } = call
  const before = await alertIn(deps)(call)
  const result = await change(deps, call, async (db, audit) => {
    accepted(await work(db))
    return auditAlertChange(db, audit, action, member, before)
  })
  deps.wake(member.scope.accountId)
  return wholeAlert(deps, member, result, now)
}

export const auditAlertChange = async (
  db: Session,
  audit: WriteAudit,
  action: string,
  { scope }: { readonly scope: Scope },
  before: { readonly id: string; readonly state: string },
) => {
  const after = (await findAlert(db, scope, before.id))!
  const why = after.dismissed_from === null ? {} : { reason: after.dismissed_why }
  const { sale_order: order, sale_note: note } = after
  const sale = after.sale_by === null ? {} : { order, note }
  const payment = after.intent_id === null ? {} : { intent: after.intent_id, payment: after.intent_code }
  audit({
    action,
    kind: 'alert',
    id: after.id,
    before: { state: before.state },
    after: { state: after.state, ...why, ...sale, ...payment },
  })
  if (after.intent_id !== null)
    audit({
      action: 'intent.match',
      kind: 'intent',
      id: after.intent_id,
      before: { status: 'PENDING' },
      after: { status: after.intent_status, payment: after.intent_code, alert: after.id },
    })
  return after
}
