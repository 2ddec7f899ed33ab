/**
 * `/invitations/`: lists, creates, resends and withdraws invitations of an account. `/invitation/`: shows the invitation
 * of a link, and accepts it. One link is only in the answer to the member who creates it, another one only in the email: that
 * one proves the address. No list and no log has them: anyone with a link can join as the invited user.
 */

import * as operations from '@sanad/contract/dashboard/people/members'
import type { FastifyRequest } from 'fastify'
import { type Actor, changeWithAudit } from '../../../accounts/audit/audit.ts'
import { type Accepted, acceptAs, acceptAsNew, showInvitation } from '../../../accounts/members/accept-invitation.ts'
import { newPasswordHash } from '../../../accounts/members/change-password.ts'
import * as invitations from '../../../accounts/members/invitations.ts'
import { membershipNotices } from '../../../accounts/members/member-notices.ts'
import { countOtherOwners } from '../../../accounts/people/member-sql.ts'
import type { MemberRole } from '../../../accounts/people/permission.ts'
import { invitationEmail, invitationLink } from '../../../accounts/people/user-emails.ts'
import { walletsIn } from '../../../accounts/people/wallet-limit.ts'
import { openSession } from '../../../accounts/sessions/sign-in.ts'
import { rememberWithoutNotice } from '../../../accounts/watch/watch-sign-ins.ts'
import type { Instant } from '../../../core/clock.ts'
import type { QueueMail } from '../../../core/email.ts'
import { isRefusal, type Refusal } from '../../../core/refusal.ts'
import { wholeAccount } from '../../../core/scope.ts'
import type { Tx } from '../../../postgres/connection/database.ts'
import { invalid } from '../../answers.ts'
import { requireAccountHere } from '../../moved-account.ts'
import type { Reads } from '../../routes/route.ts'
import { addressAndAgent, sessionTokenIn } from '../authenticate.ts'
import { qrSvg } from '../qr-svg.ts'
import { accepted, answerTo } from '../refusals.ts'
import { type Call, change, count, type OpenCall, openRoute, type Route, route } from '../route.ts'
import { auditedWallets, givenWallets } from './given-wallets.ts'
import { browserOf, meOf, type SessionDeps, setBrowserCookie, setSessionCookie } from './me.ts'
import { countBadLink } from './sign-in-limits.ts'

export type InvitationDeps = SessionDeps & { readonly send: QueueMail }

const invitationAnswer = (
  deps: InvitationDeps,
  invitation: invitations.Invitation,
  now: Instant,
): operations.Invitation => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role as MemberRole,
  wallets: walletsIn(invitation.wallets)?.slice() ?? null,
  state: now < invitation.expires_at ? 'open' : 'expired',
  invited_by: invitation.invited_by,
  created_at: deps.zone.format(new Date(invitation.created_at)),
  expires_at: deps.zone.format(new Date(invitation.expires_at)),
  mailed: deps.mails,
})

/** Called after the commit. */
const sendLink = (deps: InvitationDeps, created: invitations.InvitationEmail, origin: string): void => {
  if (created.mailToken === null) return
  const { email, role, invited_by } = created.invitation
  const link = invitationLink(origin, created.mailToken)
  deps.send(invitationEmail({ to: email, account: created.account, role: role as MemberRole, by: invited_by, link }))
}

export const invitationRoutes = (deps: InvitationDeps): Route[] => [
  route(operations.listInvitations, async ({ member, now }) => {
    const all = await invitations.listInvitations(deps.db, member.scope)
    return all.map((invitation) => invitationAnswer(deps, invitation, now))
  }),
  route(operations.createInvitation, async (call) => {
    const { scope, userId } = call.member
    const by = { userId, proved: await call.proved() }
    const wallets = await givenWallets(deps.db, scope, call.body.wallets)
    return createAndSend(deps, call, 'invitation.create', (tx) =>
      invitations.createInvitation(tx, { ...call.body, wallets, scope, by, mailed: deps.mails }, call.now),
    )
  }),
  route(operations.resendInvitation, async (call) => {
    const { id } = call.path
    const { scope, userId } = call.member
    const by = { userId, proved: await call.proved(), mailed: deps.mails }
    return createAndSend(deps, call, 'invitation.resend', (tx) =>
      invitations.resendInvitation(tx, scope, id, by, call.now),
    )
  }),
  route(operations.withdrawInvitation, async (call) => {
    const { id } = call.path
    await change(deps, call, async (tx, audit) => {
      const done = accepted(await invitations.withdrawInvitation(tx, call.member.scope, id))
      audit({ action: 'invitation.withdraw', kind: 'invitation', id, before: done })
      return done
    })
    return undefined
  }),
  openRoute(operations.showInvitation, async ({ request, body, now }) => {
    const invitation = await invitationBy(deps, request, body.token, now)
    return {
      account: invitation.account,
      email: invitation.email,
      role: invitation.role as MemberRole,
      invited_by: invitation.invited_by,
      expires_at: deps.zone.format(new Date(invitation.expires_at)),
      known: invitation.known_id !== null,
    }
  }),
  openRoute(operations.acceptInvitation, accept(deps)),
]

const invitationBy = async (deps: InvitationDeps, request: FastifyRequest, token: string, now: Instant) => {
  const invitation = await showInvitation(deps.db, token, now)
  if (!isRefusal(invitation)) {
    requireAccountHere(request.server, invitation.account_id)
    return invitation
  }
  await countBadLink(deps, request, now)
  throw answerTo(invitation)
}

/** Creates or renews an invitation with its audit entry, and sends its link. */
const createAndSend = async (
  deps: InvitationDeps,
  call: Call,
  action: string,
  make: (
    tx: Tx,
  ) => Promise<
    | invitations.InvitationEmail
    | Refusal<
        | 'no_longer_allowed'
        | 'already_member'
        | 'already_invited'
        | 'members_limit'
        | 'invitation_unknown'
        | 'confirmation_required'
        | 'owner_sees_all'
      >
  >,
): Promise<operations.InvitationWithLink> => {
  await count(deps, 'invitation', call.member.scope.accountId, call.now)
  const created = await change(deps, call, async (tx, audit) => {
    const done = accepted(await make(tx))
    const { id, email, role, expires_at } = done.invitation
    const wallets = await auditedWallets(tx, call.member.scope, walletsIn(done.invitation.wallets))
    const after = {
      email,
      role,
      ...(wallets === 'all' ? {} : { wallets }),
      expires_at: deps.zone.format(new Date(expires_at)),
    }
    audit({ action, kind: 'invitation', id, after })
    return done
  })
  const origin = deps.ownOrigin(call.request)
  const link = invitationLink(origin, created.token)
  sendLink(deps, created, origin)
  return { ...invitationAnswer(deps, created.invitation, call.now), link, qr_svg: qrSvg(link) }
}

/** Accepts an invitation. The audit log of the account gets two entries: for the invitation and for the new member. */
const acceptWithAudit = async (
  deps: InvitationDeps,
  actor: Actor,
  now: Instant,
  work: (tx: Tx) => Promise<Accepted | Refusal<'link_over' | 'sign_in_first' | 'other_person'>>,
): Promise<Accepted> => {
  const { result } = await changeWithAudit(deps.db, actor, now, async (tx, audit) => {
    const done = accepted(await work(tx))
    const { id, account_id: accountId, email, role } = done.invitation
    audit({ action: 'invitation.accept', kind: 'invitation', id, accountId })
    const wallets = await auditedWallets(tx, wholeAccount(accountId), walletsIn(done.invitation.wallets))
    const after = {
      email,
      role,
      ...(wallets === 'all' ? {} : { wallets }),
      ...(done.proved ? { address_proved: true } : {}),
    }
    const [others] = await countOtherOwners(tx, wholeAccount(accountId), done.userId)
    const told = membershipNotices({
      userId: done.userId,
      email,
      accountId,
      account: done.invitation.account,
      role: role as MemberRole,
      roleBefore: null,
      ownAct: true,
      otherOwners: others!.owners > 0,
    })
    audit({ action: 'member.join', kind: 'member', id: done.userId, after, accountId, ...told })
    return done
  })
  deps.sendHint(result.invitation.account_id, { kind: 'member', id: result.userId })
  deps.sendHint(result.invitation.account_id, { kind: 'invitation', id: result.invitation.id })
  deps.sendHint(result.invitation.account_id, { kind: 'notice', id: '' })
  return result
}

const accept =
  (deps: InvitationDeps) =>
  async ({ request, reply, body, now }: OpenCall & Reads<typeof operations.acceptInvitation>) => {
    const invitation = await invitationBy(deps, request, body.token, now)
    const from = addressAndAgent(request)
    const actor = { accountId: invitation.account_id, actor: invitation.email, via: 'session', ...from } as const

    if (invitation.known_id !== null) {
      const cookie = sessionTokenIn(request, deps) ?? ''
      // A user who was signed out or disabled a moment ago can no longer join.
      deps.sessions.forgetSession(cookie)
      const session = await deps.sessions.bySession(cookie, request.ip, now)
      if (session === undefined) throw answerTo({ refused: 'sign_in_first' })
      const { userId, validFrom } = session.user
      await acceptWithAudit(deps, { ...actor, userId }, now, (tx) =>
        acceptAs(tx, body.token, { userId, session: session.id, validFrom }, now),
      )
      deps.sessions.forgetSession(cookie)
      const after = await deps.sessions.bySession(cookie, request.ip, now)
      if (after === undefined) throw answerTo({ refused: 'sign_in_first' })
      return meOf(deps, after.user, after.expiresAt, now)
    }

    const { name, new_password: password } = body
    if (name === undefined || password === undefined) throw invalid(missingFields({ name, new_password: password }))
    const hashed = accepted(await newPasswordHash(password, invitation.email))
    const joined = await acceptWithAudit(deps, { ...actor, userId: null }, now, (tx) =>
      acceptAsNew(tx, { token: body.token, name, passwordHash: hashed.hash }, now),
    )
    const member = { userId: joined.userId, accountId: invitation.account_id, validFrom: 0 }
    const session = accepted(await openSession(deps.db, member, from, now))
    setSessionCookie(deps, reply, session)
    const browser = browserOf(deps, request, invitation.email)
    await rememberWithoutNotice(deps.db, joined.userId, browser.place, now)
    setBrowserCookie(deps, reply, browser)
    const opened = await deps.sessions.bySession(session.token, request.ip, now)
    if (opened === undefined) throw answerTo({ refused: 'sign_in_first' })
    return meOf(deps, opened.user, session.expiresAt, now)
  }

const missingFields = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.entries(fields)
    .filter(([, value]) => value === undefined)
    .map(([attr]) => ({ attr, code: 'required', detail: 'This field is required.' }))
