/**
 * `/approvals/`, and `/ask/` of wallets, providers and templates: a manager asks an owner to confirm what decides whose messages
 * count as money. Owners get a notice in the transaction of the request. When an owner confirms, the change is in the audit log
 * under the owner's name, and the approval with both names.
 */
import * as operations from '@sanad/contract/dashboard/wallets/approvals'
import type { Approval } from '../../../accounts/approvals/approval.ts'
import { approvalsOf, endWithoutChange, findApprovalOf } from '../../../accounts/approvals/approvals.ts'
import type { Change } from '../../../accounts/audit/audit.ts'
import { namesInNotice } from '../../../accounts/notices/owner-notice.ts'
import { askApproval } from '../../../alerts/approvals/ask-approval.ts'
import { confirmApproval } from '../../../alerts/approvals/confirm-approval.ts'
import type { GuardedChange, Performed } from '../../../alerts/approvals/perform-change.ts'
import { isRefusal } from '../../../core/refusal.ts'
import { allPhones } from '../../../wallets/wallet-phones.ts'
import { notFound } from '../../answers.ts'
import { providerChanges } from '../../body/dashboard/provider-body.ts'
import { readNewWallet, readWalletChanges } from '../../body/dashboard/wallet-body.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { readBy } from '../../routes/route.ts'
import { accepted } from '../refusals.ts'
import { actorIn, type Call, change, type NamedCall, type Route, route } from '../route.ts'
import { approvalAnswer, describeChange, namesIn, newNamesIn } from './approval-answers.ts'
import { providerIn } from './providers.ts'
import { forgetWatches, type TemplateDeps, templateIn } from './templates.ts'
import { providerNotice, templateNotice, walletNotice } from './trust-notice.ts'
import { type WalletDeps, walletIn } from './wallets.ts'

export type ApprovalDeps = WalletDeps & TemplateDeps

export const approvalRoutes = (deps: ApprovalDeps): Route[] => {
  const shown = async ({ member }: Call, approval: Approval) =>
    approvalAnswer(approval, member.userId, await namesIn(deps.db, member.scope, [approval]), deps.zone)

  const ask = async (call: Call, asked: GuardedChange) => {
    const { member, now } = call
    const asker = { scope: member.scope, userId: member.userId, name: actorIn(call).actor }
    const done = await change(deps, call, async (tx, audit) => {
      const result = accepted(await askApproval(tx, asker, asked, describeChange, now))
      if (result.isNew) audit({ ...entryOf('approval.ask', result.approval), ...noticeOf(result.approval) })
      return result
    })
    return shown(call, done.approval)
  }

  /** After the commit: this node uses the change at once. */
  const forget = async ({ member }: Call, performed: Performed): Promise<void> => {
    const { scope } = member
    if (performed.kind === 'wallet.create' || performed.kind === 'wallet.update') {
      const before = performed.kind === 'wallet.update' ? allPhones(performed.before) : []
      deps.wallets.forget(scope, performed.id)
      for (const { phoneId } of [...before, ...allPhones(performed.after)]) deps.knownPhones.forget(phoneId)
    }
    if (performed.kind === 'provider.update') await forgetWatches(deps, scope, performed.id)
    if (performed.kind === 'template.publish') {
      const { providerId } = performed.template
      deps.templates.forget(providerId, scope.accountId)
      await forgetWatches(deps, scope, providerId)
    }
  }

  return [
    route(readBy(operations.askNewWallet, readNewWallet), (call) =>
      ask(call, { kind: 'wallet.create', wallet: call.body }),
    ),
    route(readBy(operations.askWalletChange, readWalletChanges), walletIn(deps), (call, { id }) =>
      ask(call, { kind: 'wallet.update', id, changes: call.body }),
    ),
    route(operations.askProviderChange, providerIn(deps), (call, { id }) =>
      ask(call, { kind: 'provider.update', id, changes: providerChanges(call.body) }),
    ),
    route(operations.askPublishing, templateIn(deps), (call, { id }) => ask(call, { kind: 'template.publish', id })),
    route(operations.listApprovals, async ({ query: { after, page_size: size, open }, member, now }) => {
      const rows = await approvalsOf(deps.db, member.scope, { below: after?.[0], open, size: size + 1 }, now)
      const names = await namesIn(deps.db, member.scope, rows)
      return pageAnswer(
        rows,
        size,
        ({ id }) => [id],
        (approval) => approvalAnswer(approval, member.userId, names, deps.zone),
      )
    }),
    route(operations.showApproval, async (call) => {
      const approval = await findApprovalOf(deps.db, call.member.scope, call.path.id, call.now)
      if (approval === undefined) throw notFound()
      return shown(call, approval)
    }),
    route(operations.confirmApproval, async (call) => {
      const { member, now } = call
      const { id } = call.path
      const by = { name: actorIn(call).actor, proved: await call.proved() }
      const done = await change(deps, call, async (tx, audit) => {
        const result = await confirmApproval(tx, member.scope, id, by, describeChange, now)
        // Returned, not thrown: that the approval is stale stays stored.
        if (isRefusal(result)) return result
        audit(entryOf('approval.confirm', result.approval))
        audit(entryOfChange(result.performed, result.approval))
        return result
      })
      await forget(call, done.performed)
      return shown(call, done.approval)
    }),
    route(operations.declineApproval, (call) => endIt(deps, call, 'declined', shown)),
    route(operations.withdrawApproval, (call) => endIt(deps, call, 'withdrawn', shown)),
  ]
}

const endIt = async <T>(
  deps: ApprovalDeps,
  call: NamedCall,
  state: 'declined' | 'withdrawn',
  shown: (call: Call, approval: Approval) => Promise<T>,
): Promise<T> => {
  const { member, now } = call
  const { id } = call.path
  const by = { name: actorIn(call).actor, ...(state === 'withdrawn' ? { only: member.userId } : {}) }
  const done = await change(deps, call, async (tx, audit) => {
    const result = accepted(await endWithoutChange(tx, member.scope, id, state, by, now))
    audit(entryOf(state === 'declined' ? 'approval.decline' : 'approval.withdraw', result))
    return result
  })
  return shown(call, done)
}

/** The actor of the entry is who acts now; `asked_by` is who asked. The values themselves are in the entry of the change. */
const entryOf = (action: string, approval: Approval): Change => ({
  action,
  kind: 'approval',
  id: approval.id,
  ...(approval.before === null || action !== 'approval.ask' ? {} : { before: approval.before }),
  after: {
    ...(action === 'approval.ask' ? approval.after : {}),
    name: approval.objectName,
    change: approval.kind,
    reasons: approval.reasons.join(', '),
    asked_by: approval.askedName,
  },
})

/** The change itself, as if the owner had made it, with the name of who asked for it. */
const entryOfChange = (performed: Performed, { askedName }: Approval): Change => {
  const { before, after } = describeChange(performed)
  const asked = { asked_by: askedName }
  if (performed.kind === 'template.publish') {
    const { name, version } = performed.template
    const told = templateNotice(name, performed.template.senderNames)
    return { action: performed.kind, kind: 'template', id: performed.id, after: { name, version, ...asked }, ...told }
  }
  return {
    action: performed.kind,
    kind: performed.kind === 'provider.update' ? 'provider' : 'wallet',
    id: performed.id,
    ...(before === null ? {} : { before }),
    after: { ...after, ...asked },
    ...noticeOfChange(performed),
  }
}

/** The owners are told of the change as if an owner had made it without being asked: the session of an owner may be stolen. */
const noticeOfChange = (performed: Exclude<Performed, { kind: 'template.publish' }>): Pick<Change, 'notice'> => {
  if (performed.kind === 'provider.update') return providerNotice(performed.before, performed.after, performed.reasons)
  return walletNotice(
    performed.kind === 'wallet.update' ? performed.before : undefined,
    performed.after,
    performed.reasons,
  )
}

const noticeOf = (approval: Approval): Pick<Change, 'notice'> => {
  const { senders, packages } = newNamesIn(approval)
  const facts = {
    name: approval.objectName,
    reasons: approval.reasons.join(','),
    ...namesInNotice('senders', senders),
    ...namesInNotice('packages', packages),
  }
  return { notice: { kind: 'approval_asked', facts } }
}
