/**
 * `/password/`: sends a link for a new password, and sets the password with such a link. The request for a link is answered
 * before any user is looked up: neither the text nor the time of the answer shows whether a user has that email address. The
 * link proves the address; if it was not proved before, everything that was set up before ends.
 */
import { askPasswordReset, resetPassword } from '@sanad/contract/dashboard/people/own-settings'
import { changeWithAudit } from '../../../accounts/audit/audit.ts'
import { auditUserChange } from '../../../accounts/audit/audit-user.ts'
import { makeResetLink, proveReset, resetPassword as reset } from '../../../accounts/members/change-password.ts'
import { emailOf } from '../../../accounts/people/email-address.ts'
import { resetEmail, resetLink } from '../../../accounts/people/user-emails.ts'
import { clientFacts } from '../../../accounts/watch/watch-sign-ins.ts'
import type { BackgroundQueue } from '../../../core/background-queue.ts'
import type { QueueMail } from '../../../core/email.ts'
import { isRefusal } from '../../../core/refusal.ts'
import { addressAndAgent } from '../authenticate.ts'
import { movedOf, requireUserHere } from '../moved-user.ts'
import { accepted, answerTo } from '../refusals.ts'
import { openRoute, type Route } from '../route.ts'
import { browserOf, type SessionDeps, setBrowserCookie } from './me.ts'
import { countBadLink, countReset } from './sign-in-limits.ts'

export type PasswordDeps = SessionDeps & {
  readonly send: QueueMail
  readonly afterwards: BackgroundQueue
}

export const forgottenPasswordRoutes = (deps: PasswordDeps): Route[] => [
  // Accepts any text as an address: the answer must not reveal whether a user has it.
  openRoute(askPasswordReset, async ({ request, body, now }) => {
    const typed = body.email.trim().toLowerCase()
    await countReset(deps, request, typed, now)
    const [email, origin] = [emailOf(typed), deps.ownOrigin(request)]
    if (email === undefined || !deps.mails) return undefined
    deps.afterwards(async () => {
      // The link of the other cell is for the password there.
      const moved = await movedOf(deps, request.server, email)
      if (moved !== undefined) return request.server.forwarder?.repeat(request, moved)
      const link = await makeResetLink(deps.db, email, now)
      if (link !== undefined) deps.send(resetEmail(link.email, resetLink(origin, link.token)))
    })
    return undefined
  }),
  openRoute(resetPassword, async ({ request, reply, body, now }) => {
    const proven = await proveReset(deps.db, { token: body.token, newPassword: body.new_password }, now)
    if (isRefusal(proven)) {
      if (proven.refused === 'link_over') await countBadLink(deps, request, now)
      throw answerTo(proven)
    }
    const { userId, email } = proven
    await requireUserHere(deps, request, userId)
    const actor = { accountId: null, userId, actor: email, via: 'session', ...addressAndAgent(request) } as const
    const { changes } = await changeWithAudit(deps.db, actor, now, async (db, audit) => {
      const done = accepted(await reset(db, audit, proven, now))
      const after = done.taken ? { email, address_proved: true } : undefined
      const about = { kind: 'password_changed', facts: clientFacts(actor), email } as const
      await auditUserChange(db, audit, userId, { action: 'user.password_reset', after, about })
      return done
    })
    for (const { kind, id, accountId = null, notice } of changes) {
      deps.sendHint(accountId, { kind, id })
      if (notice !== undefined) deps.sendHint(accountId, { kind: 'notice', id: '' })
    }
    setBrowserCookie(deps, reply, browserOf(deps, request, email, 'by_link'))
    return undefined
  }),
]
