/**
 * `/me/` and `/me/second_factor/`: name, password and second factor of the signed-in user. A change of credentials
 * needs the password again. The password is counted like signing in, and checked before the transaction begins, because
 * hashing is slow. After a new password, and after switching the second factor on or off, the browser gets a new cookie.
 * The user gets a notice, in case it was not them; of the second factor the owners of their accounts too.
 */

import * as operations from '@sanad/contract/dashboard/people/own-settings'
import { auditUserChange } from '../../../accounts/audit/audit-user.ts'
import { changePassword, proveChange } from '../../../accounts/members/change-password.ts'
import type { FactorChange } from '../../../accounts/notices/owner-notice.ts'
import { findCredentials, setName } from '../../../accounts/people/user-sql.ts'
import { findProof } from '../../../accounts/sessions/proof-sql.ts'
import type { CredentialChanger } from '../../../accounts/sessions/renew-sessions.ts'
import {
  beginSecondFactor,
  checkOwnPassword,
  confirmSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
} from '../../../accounts/sessions/set-up-second-factor.ts'
import type { NewSession } from '../../../accounts/sessions/sign-in.ts'
import { clientFacts } from '../../../accounts/watch/watch-sign-ins.ts'
import type { Instant } from '../../../core/clock.ts'
import { isRefusal } from '../../../core/refusal.ts'
import { notAuthenticated } from '../../answers.ts'
import { sessionTokenIn } from '../authenticate.ts'
import { qrSvg } from '../qr-svg.ts'
import { accepted, answerTo } from '../refusals.ts'
import { change, type Route, type UserCall, userRoute } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import { reloadedMe, type SessionDeps, setSessionCookie } from './me.ts'
import { countOwnCode, countOwnProof } from './sign-in-limits.ts'

export const credentialChanger = ({ user, via, from }: UserCall): CredentialChanger => ({
  userId: user.userId,
  accountId: user.member?.accountId ?? null,
  inSession: via.kind === 'session',
  validFrom: user.validFrom,
  from,
})

/** What the user and the owners of their accounts are told. */
export const factorChanged = ({ user, from }: UserCall, change: FactorChange) =>
  ({ kind: 'second_factor_changed', facts: { change, ...clientFacts(from) }, email: user.email }) as const

const ownEntry = (call: UserCall, action: string) => ({ action, kind: 'user', id: call.user.userId }) as const

/** The old cookie stops working, on this node at once; the browser gets the cookie of the new session. */
export const renewCookie = (deps: SessionDeps, call: UserCall, session: NewSession | null): void => {
  deps.sessions.forgetSession(sessionTokenIn(call.request, deps) ?? '')
  if (session !== null) setSessionCookie(deps, call.reply, session)
}

/**
 * Whoever has a second factor proves themselves by it before their credentials change: by the password alone, a thief of an open session
 * could set up a factor of their own, and have every proof from then on. Returns when they proved it, or now without a factor.
 */
const refuseWithoutFactor = async (deps: SessionDeps, call: UserCall): Promise<Instant> => {
  const { user, via, now } = call
  const [own] = await findCredentials(deps.db, user.userId)
  if (own === undefined || (own.totp_since === null && own.passkeys === 0)) return now
  if (!(await call.proved())) throw answerTo({ refused: 'confirmation_required' })
  const [session] = via.id === null || via.kind === 'counter' ? [] : await findProof(deps.db, via.id, user.userId, now)
  return session?.proved_at ?? now
}

const checkPasswordAgain = async (deps: SessionDeps, call: UserCall, password: string) => {
  await countOwnProof(deps, call)
  const own = accepted(await checkOwnPassword(deps.db, call.user.userId, password))
  return own
}

export const ownCredentialRoutes = (deps: SessionDeps): Route[] => [
  userRoute(operations.changeMe, async (call) => {
    const { name } = call.body
    await change(deps, call, async (db, audit) => {
      const [own] = await findCredentials(db, call.user.userId)
      if (own === undefined || own.name === name) return
      await setName(db, own.id, name)
      audit({ ...ownEntry(call, 'user.update'), before: { name: own.name }, after: { name } })
    })
    const me = await reloadedMe(deps, call)
    return { ...me, user: { ...me.user, name } }
  }),
  userRoute(operations.changePassword, async (call) => {
    const { body } = call
    const provedAt = await refuseWithoutFactor(deps, call)
    await countOwnProof(deps, call)
    const passwords = { password: body.password, newPassword: body.new_password }
    const proven = accepted(await proveChange(deps.db, call.user.userId, passwords))
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await changePassword(db, credentialChanger(call), proven, provedAt, call.now))
      const about = { kind: 'password_changed', facts: clientFacts(call.from), email: call.user.email } as const
      await auditUserChange(db, audit, call.user.userId, { action: 'user.password_change', about })
      return done
    })
    renewCookie(deps, call, changed.session)
    return undefined
  }),
  userRoute(operations.showSecondFactor, async ({ user }) => {
    const [own] = await findCredentials(deps.db, user.userId)
    if (own === undefined) throw notAuthenticated()
    const since = own.totp_since
    return {
      on: since !== null || own.passkeys > 0,
      app: since !== null,
      since: timeOrNull(deps.zone, since),
      recovery_codes_left: own.recovery_left,
    }
  }),
  userRoute(operations.beginSecondFactor, async (call) => {
    await refuseWithoutFactor(deps, call)
    const own = await checkPasswordAgain(deps, call, call.body.password)
    const begun = await change(deps, call, async (db, audit) => {
      const done = accepted(await beginSecondFactor(db, deps.factor, own))
      audit(ownEntry(call, 'user.second_factor_begin'))
      return done
    })
    return { ...begun, qr_svg: qrSvg(begun.uri) }
  }),
  userRoute(operations.confirmSecondFactor, async (call) => {
    const { code } = call.body
    await refuseWithoutFactor(deps, call)
    await countOwnProof(deps, call)
    const confirmed = await change(deps, call, async (db, audit) => {
      const done = accepted(await confirmSecondFactor(db, deps.factor, credentialChanger(call), code, call.now))
      const about = factorChanged(call, 'app_on')
      await auditUserChange(db, audit, call.user.userId, { action: 'user.second_factor_on', about })
      return done
    })
    renewCookie(deps, call, confirmed.session)
    return { recovery_codes: [...confirmed.recoveryCodes] }
  }),
  userRoute(operations.renewRecoveryCodes, async (call) => {
    const { password, code } = call.body
    const own = await checkPasswordAgain(deps, call, password)
    await countOwnCode(deps, call)
    const renewed = await change(deps, call, async (db, audit) => {
      const done = await renewRecoveryCodes(db, deps.factor, own, code, call.now)
      // Returned, not thrown: the code stays used. So below.
      if (isRefusal(done)) return done
      const about = factorChanged(call, 'recovery_codes_made')
      await auditUserChange(db, audit, call.user.userId, { action: 'user.recovery_codes_renew', about })
      return done
    })
    return { recovery_codes: [...renewed.recoveryCodes] }
  }),
  userRoute(operations.endSecondFactor, async (call) => {
    const { password, code } = call.body
    const own = await checkPasswordAgain(deps, call, password)
    await countOwnCode(deps, call)
    const ended = await change(deps, call, async (db, audit) => {
      const done = await endSecondFactor(
        db,
        deps.factor,
        credentialChanger(call),
        own,
        code,
        deps.operatorsNeedFactor,
        call.now,
      )
      if (isRefusal(done)) return done
      const about = factorChanged(call, 'app_off')
      await auditUserChange(db, audit, call.user.userId, { action: 'user.second_factor_off', about })
      return done
    })
    renewCookie(deps, call, ended.session)
    return undefined
  }),
]
