/**
 * `/me/passkeys/`: a user's own passkeys. `/session/passkey/`: signing in with one, without a password. Wrong answers are counted by
 * network address. The audit log has every passkey that is added or removed, and the user and the owners get a notice.
 */
import * as operations from '@sanad/contract/dashboard/people/passkeys'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../../accounts/audit/audit.ts'
import { auditUserChange } from '../../../accounts/audit/audit-user.ts'
import { checkPasskey } from '../../../accounts/sessions/check-passkey.ts'
import { addPasskey, removePasskey } from '../../../accounts/sessions/own-passkeys.ts'
import { creationOptions, relyingPartyOf, requestOptions } from '../../../accounts/sessions/passkey.ts'
import { findPasskey, passkeysOfUser, renamePasskeyRow } from '../../../accounts/sessions/passkey-sql.ts'
import { isRefusal } from '../../../core/refusal.ts'
import { notFound } from '../../answers.ts'
import { addressKey } from '../../limits/address-key.ts'
import { addressAndAgent } from '../authenticate.ts'
import { signedInHere } from '../moved-user.ts'
import { accepted, answerTo } from '../refusals.ts'
import { change, count, giveBack, openRoute, type Route, type UserCall, userRoute } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import type { SessionDeps } from './me.ts'
import { credentialChanger, factorChanged, renewCookie } from './own-credentials.ts'
import { countWrong, openInBrowser } from './session.ts'

/** The host that passkeys are bound to: that of the service's own address. */
const hostOf = (deps: SessionDeps, request: FastifyRequest): string => {
  const host = relyingPartyOf(deps.ownOrigin(request))
  if (host === undefined) throw answerTo({ refused: 'passkey_no_host' })
  return host
}

export const passkeyRoutes = (deps: SessionDeps): Route[] => {
  const shown = async ({ user }: UserCall): Promise<operations.Passkey[]> =>
    (await passkeysOfUser(deps.db, user.userId)).map(({ id, name, synced, created_at, last_used_at }) => ({
      id,
      name,
      synced,
      created_at: deps.zone.format(new Date(created_at)),
      last_used_at: timeOrNull(deps.zone, last_used_at),
    }))
  const shownOne = async (call: UserCall, id: string): Promise<operations.Passkey> => {
    const found = (await shown(call)).find((passkey) => passkey.id === id)
    if (found === undefined) throw notFound()
    return found
  }
  return [
    userRoute(operations.listPasskeys, shown),
    userRoute(operations.beginPasskey, async ({ request, user, via, now }) => {
      const host = hostOf(deps, request)
      if (via.kind !== 'session') throw answerTo({ refused: 'passkey_wrong' })
      const known = await passkeysOfUser(deps.db, user.userId)
      return creationOptions(host, deps.challenges.make('add', via.id, now), user, known)
    }),
    userRoute(operations.addPasskey, async (call) => {
      const { request, user, via, body, now } = call
      if (via.kind !== 'session') throw answerTo({ refused: 'passkey_wrong' })
      const changer = { ...credentialChanger(call), session: via.id }
      const sent = { ...body.passkey, name: body.name, origin: deps.ownOrigin(request) }
      const added = await change(deps, call, async (tx, audit) => {
        const done = accepted(await addPasskey(tx, deps, changer, sent, now))
        const [about, after] = [factorChanged(call, 'passkey_added'), { name: body.name }]
        await auditUserChange(tx, audit, user.userId, { action: 'user.passkey_add', after, about })
        return done
      })
      if (added.session !== null) renewCookie(deps, call, added.session)
      return {
        passkey: await shownOne(call, added.id),
        recovery_codes: added.recoveryCodes === null ? null : [...added.recoveryCodes],
      }
    }),
    userRoute(operations.renamePasskey, async (call) => {
      const { user, path, body } = call
      await change(deps, call, async (tx, audit) => {
        const [renamed] = await renamePasskeyRow(tx, user.userId, path.id, body.name)
        if (renamed === undefined) throw notFound()
        const [before, after] = [{ name: renamed.before }, { name: body.name }]
        if (renamed.before !== body.name)
          audit({ action: 'user.passkey_rename', kind: 'user', id: user.userId, before, after })
      })
      return shownOne(call, path.id)
    }),
    userRoute(operations.removePasskey, async (call) => {
      const { user, path, now } = call
      const removed = await change(deps, call, async (tx, audit) => {
        const done = accepted(await removePasskey(tx, credentialChanger(call), path.id, deps.operatorsNeedFactor, now))
        const [about, before] = [factorChanged(call, 'passkey_removed'), { name: done.name }]
        await auditUserChange(tx, audit, user.userId, { action: 'user.passkey_remove', before, about })
        return done
      })
      if (removed.session !== null) renewCookie(deps, call, removed.session)
      return undefined
    }),
    openRoute(operations.beginPasskeySignIn, ({ request, now }) =>
      requestOptions(hostOf(deps, request), deps.challenges.make('sign_in', '', now)),
    ),
    openRoute(operations.signInWithPasskey, async ({ request, reply, body, now }) => {
      const address = addressKey(request.ip)
      await count(deps, 'sign_in_address', address, now)
      const use = { purpose: 'sign_in', origin: deps.ownOrigin(request) } as const
      const user = await checkPasskey(deps.db, deps.challenges, body.passkey, use, now)
      if (isRefusal(user)) {
        // A passkey that nobody has counts for nobody.
        const [named] = await findPasskey(deps.db, Buffer.from(body.passkey.id, 'base64url'))
        if (named !== undefined) await countWrong(deps, request, named.email, now)
        throw answerTo(user)
      }
      await giveBack(deps, 'sign_in_address', address, now)
      const signingIn = { id: user.userId, valid_from: user.validFrom }
      const signedIn = await signedInHere(deps, request, signingIn, body.account, now)
      const from = addressAndAgent(request)
      const actor: Actor = {
        accountId: signedIn.accountId,
        userId: user.userId,
        actor: user.email,
        via: 'session',
        ...from,
      }
      return openInBrowser(deps, request, reply, signedIn, actor, now)
    }),
  ]
}
