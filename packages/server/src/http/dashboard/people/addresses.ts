/**
 * `/members/{id}/prove/` and `/me/address/`: mails a link that proves the address of a member or of oneself, and proves it. The
 * link works only in a session of that user, and is in no answer: whoever asks for it must not be able to open it.
 */
import * as operations from '@sanad/contract/dashboard/people/members'
import { makeProofLink, proveByLink } from '../../../accounts/addresses/prove-address.ts'
import { auditUserChange } from '../../../accounts/audit/audit-user.ts'
import { findMember } from '../../../accounts/people/member-sql.ts'
import { sessionIn } from '../../../accounts/people/signed-in-user.ts'
import { proofEmail, proofLink } from '../../../accounts/people/user-emails.ts'
import type { QueueMail } from '../../../core/email.ts'
import type { UserId } from '../../../core/ids.ts'
import { isRefusal, refuse } from '../../../core/refusal.ts'
import { Problem } from '../../answers.ts'
import { NON_FIELD } from '../../body/field-error.ts'
import { accepted, answerTo } from '../refusals.ts'
import { change, count, type Route, route, tryChange, type UserCall, userRoute } from '../route.ts'
import { reloadedMe, type SessionDeps } from './me.ts'
import { countBadLink } from './sign-in-limits.ts'

export type AddressDeps = SessionDeps & { readonly send: QueueMail }

const mailOff = (): Problem =>
  new Problem(400, 'validation_error', [
    {
      code: 'mail_off',
      detail: 'This service sends no mail. Its operator can vouch for an address: sanad user prove.',
      attr: NON_FIELD,
    },
  ])

/** Makes the link with its audit entry, and mails it. `userId`: a member of the caller's account, or the caller. */
const mailProof = async (deps: AddressDeps, call: UserCall, userId: UserId, bucketKey: string): Promise<void> => {
  if (!deps.mails) throw mailOff()
  await count(deps, 'invitation', bucketKey, call.now)
  const link = await change(deps, call, async (db, audit) => {
    const made = accepted(await makeProofLink(db, userId, call.now))
    audit({ action: 'user.proof_mail', kind: 'user', id: userId, after: { email: made.email } })
    return made
  })
  deps.send(proofEmail(link.email, proofLink(deps.ownOrigin(call.request), link.token)))
}

export const addressRoutes = (deps: AddressDeps): Route[] => [
  route(operations.mailMemberProof, async (call) => {
    const [member] = await findMember(deps.db, call.member.scope, call.path.id)
    if (member === undefined || member.disabled || member.counter_only) throw answerTo(refuse('member_unknown'))
    await mailProof(deps, call, member.user_id, call.member.scope.accountId)
    return undefined
  }),
  userRoute(operations.mailOwnProof, async (call) => {
    await mailProof(deps, call, call.user.userId, call.user.userId)
    return undefined
  }),
  userRoute(operations.proveAddress, async (call) => {
    const { user, via, now } = call
    const { token } = call.body
    const proving = { userId: user.userId, validFrom: user.validFrom, session: sessionIn(via) }
    const proved = await tryChange(deps, call, async (db, audit) => {
      const done = await proveByLink(db, token, proving, now)
      const after = { email: user.email, address_proved: true }
      if (!isRefusal(done) && done.proved)
        await auditUserChange(db, audit, user.userId, { action: 'user.prove', after })
      return done
    })
    if (isRefusal(proved)) {
      if (proved.refused === 'link_over') await countBadLink(deps, call.request, now)
      throw answerTo(proved)
    }
    return reloadedMe(deps, call)
  }),
]
