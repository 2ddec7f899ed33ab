/**
 * `/session/proof/`: the signed-in person proves that it is still them, by what docs/decisions/0084 asks of them. The proof is stored
 * with the session, or with the session of a token. Tries are counted before they are checked (sign-in-limits.ts).
 */
import { beginPasskeyProof } from '@sanad/contract/dashboard/people/passkeys'
import { proveSelf, showProof } from '@sanad/contract/dashboard/people/proof'
import { sessionIn } from '../../../accounts/people/signed-in-user.ts'
import { findCredentials } from '../../../accounts/people/user-sql.ts'
import { checkPasskey } from '../../../accounts/sessions/check-passkey.ts'
import { relyingPartyOf, requestOptions } from '../../../accounts/sessions/passkey.ts'
import { passkeysOfUser } from '../../../accounts/sessions/passkey-sql.ts'
import { isProved, type ProofWay, proofLife_ms, waysOf } from '../../../accounts/sessions/proof.ts'
import { findProof, saveProof } from '../../../accounts/sessions/proof-sql.ts'
import { proveByCode, proveByPassword } from '../../../accounts/sessions/prove-person.ts'
import type { Instant } from '../../../core/clock.ts'
import type { SessionId } from '../../../core/ids.ts'
import { isRefusal } from '../../../core/refusal.ts'
import { invalid, notAuthenticated } from '../../answers.ts'
import type { ReadBody } from '../../body/schema-reader.ts'
import { accepted, answerTo } from '../refusals.ts'
import { type Route, type UserCall, userRoute } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import type { SessionDeps } from './me.ts'
import { countWrong } from './session.ts'
import { countProof } from './sign-in-limits.ts'

const ownCredentials = async (deps: SessionDeps, { user }: UserCall) => {
  const [own] = await findCredentials(deps.db, user.userId)
  if (own === undefined) throw notAuthenticated()
  return own
}

type Own = Awaited<ReturnType<typeof ownCredentials>>

/** Checks what was sent, by one of the ways that count for this user. */
const check = async (
  deps: SessionDeps,
  { body, request, now }: UserCall & { readonly body: ReadBody<typeof proveSelf.body> },
  own: Own,
  way: ProofWay,
  session: SessionId,
) => {
  if (way === 'password') return proveByPassword(own, body.password!)
  if (way === 'code') return deps.db.transaction((tx) => proveByCode(tx, deps.factor, own, body.code!, now))
  const use = { purpose: 'proof', session, userId: own.id, origin: deps.ownOrigin(request) } as const
  return checkPasskey(deps.db, deps.challenges, body.passkey!, use, now)
}

export const proofRoutes = (deps: SessionDeps): Route[] => {
  const shown = (provedAt: Instant | null, own: Own, now: Instant) => ({
    proved_until: timeOrNull(deps.zone, provedAt !== null && isProved(provedAt, now) ? provedAt + proofLife_ms : null),
    ways: waysOf(own),
  })
  return [
    userRoute(showProof, async (call) => {
      const { user, via, now } = call
      const own = await ownCredentials(deps, call)
      const id = sessionIn(via)
      const [session] = id === null ? [] : await findProof(deps.db, id, user.userId, now)
      return shown(session?.proved_at ?? null, own, now)
    }),
    userRoute(beginPasskeyProof, async ({ request, user, via, now }) => {
      const id = sessionIn(via)
      if (id === null) throw answerTo({ refused: 'confirmation_required' })
      const host = relyingPartyOf(deps.ownOrigin(request))
      if (host === undefined) throw answerTo({ refused: 'passkey_no_host' })
      const known = await passkeysOfUser(deps.db, user.userId)
      return requestOptions(host, deps.challenges.make('proof', id, now), known)
    }),
    userRoute(proveSelf, async (call) => {
      const { user, via, body, now } = call
      // A token from before tokens had sessions has nowhere to store a proof.
      const id = sessionIn(via)
      if (id === null) throw answerTo({ refused: 'confirmation_required' })
      const own = await ownCredentials(deps, call)
      const ways = waysOf(own)
      const way = ways.findLast((one) => body[one] !== undefined && body[one] !== '')
      if (way === undefined) throw invalid([{ attr: ways[0]!, code: 'required', detail: 'This field is required.' }])
      const takeBack = await countProof(deps, call, way)
      const proved = await check(deps, call, own, way, id)
      // Nothing was checked: the try does not count.
      if (isRefusal(proved) && proved.refused === 'sign_in_busy') await takeBack()
      // In an open session somebody guesses: told as wrong sign-ins are.
      else if (isRefusal(proved)) await countWrong(deps, call.request, user.email, now)
      accepted(proved)
      await takeBack()
      const [saved] = await saveProof(deps.db, id, user.userId, now, own.valid_from)
      if (saved === undefined) throw notAuthenticated()
      return shown(saved.proved_at, own, now)
    }),
  ]
}
