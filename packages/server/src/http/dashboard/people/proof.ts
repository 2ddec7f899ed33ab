/**
 * `/session/proof/`: the signed-in person proves that it is still them, by what docs/decisions/0084 asks of them. The proof is stored
 * with the session, or with the session of a token. Tries are counted before they are checked (sign-in-limits.ts).
 */
import { proveSelf, showProof } from '@sanad/contract/dashboard/people/proof'
import { findCredentials } from '../../../accounts/people/user-sql.ts'
import { isProved, proofLife_ms, waysOf } from '../../../accounts/sessions/proof.ts'
import { findProof, saveProof } from '../../../accounts/sessions/proof-sql.ts'
import { proveByCode, proveByPassword } from '../../../accounts/sessions/prove-person.ts'
import type { Instant } from '../../../core/clock.ts'
import { isRefusal } from '../../../core/refusal.ts'
import { invalid, notAuthenticated } from '../../answers.ts'
import { accepted, answerTo } from '../refusals.ts'
import { type Route, type UserCall, userRoute } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import type { SessionDeps } from './me.ts'
import { countProof } from './sign-in-limits.ts'

const ownCredentials = async (deps: SessionDeps, { user }: UserCall) => {
  const [own] = await findCredentials(deps.db, user.userId)
  if (own === undefined) throw notAuthenticated()
  return own
}

export const proofRoutes = (deps: SessionDeps): Route[] => {
  const shown = (provedAt: Instant | null, hasFactor: boolean, now: Instant) => ({
    proved_until: timeOrNull(deps.zone, provedAt !== null && isProved(provedAt, now) ? provedAt + proofLife_ms : null),
    ways: waysOf({ hasFactor }),
  })
  return [
    userRoute(showProof, async (call) => {
      const { user, via, now } = call
      const own = await ownCredentials(deps, call)
      const [session] = via.id === null ? [] : await findProof(deps.db, via.id, user.userId, now)
      return shown(session?.proved_at ?? null, own.totp_since !== null, now)
    }),
    userRoute(proveSelf, async (call) => {
      const { user, via, body, now } = call
      // A token from before tokens had sessions has nowhere to store a proof.
      if (via.id === null) throw answerTo({ refused: 'confirmation_required' })
      const own = await ownCredentials(deps, call)
      const hasFactor = own.totp_since !== null
      const way = waysOf({ hasFactor })[0]!
      const given = body[way]
      if (given === undefined || given === '')
        throw invalid([{ attr: way, code: 'required', detail: 'This field is required.' }])
      const succeeded = await countProof(deps, call, way)
      const proved =
        way === 'password'
          ? await proveByPassword(own, given)
          : await proveByCode(deps.db, deps.factor, own, given, now)
      // Nothing was checked: the try does not count.
      if (isRefusal(proved) && proved.refused === 'sign_in_busy') await succeeded()
      accepted(proved)
      await succeeded()
      const [saved] = await saveProof(deps.db, via.id, user.userId, now, own.valid_from)
      if (saved === undefined) throw notAuthenticated()
      return shown(saved.proved_at, hasFactor, now)
    }),
  ]
}
