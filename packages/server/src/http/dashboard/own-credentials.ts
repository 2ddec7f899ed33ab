/**
 * `/me/` and `/me/second_factor/`: name, password and second factor of whoever is signed in. What proves a person is asked
 * for again, counted like signing in, and checked before the transaction begins: it is slow. After a change of credentials
 * the browser goes on with a new cookie, and the person gets a letter, in case it was somebody else.
 */
import * as operations from '@sanad/contract/dashboard/people'
import { renderSVG } from 'uqr'
import { changePassword, proveChange } from '../../accounts/change-password.ts'
import { changedLetter } from '../../accounts/letters.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  proveSelf,
  renewRecoveryCodes,
} from '../../accounts/manage-second-factor.ts'
import { noteOfPerson } from '../../accounts/note-of-person.ts'
import { findOwn, setName } from '../../accounts/person-sql.ts'
import type { Changer } from '../../accounts/renew-sessions.ts'
import type { NewSession } from '../../accounts/sign-in.ts'
import type { SendMail } from '../../ground/letter.ts'
import { isRefusal } from '../../ground/refusal.ts'
import { notAuthenticated } from '../answers.ts'
import { readCode, readName, readPassword, readPasswordAndCode, readPasswordChange } from '../body/people-body.ts'
import { countOwnCode, countOwnProof } from './knock.ts'
import { giveSession, meAgain, type SessionRooms } from './me.ts'
import { answerTo } from './refusals.ts'
import { bodyOf, change, type PersonCall, personalRoute, type Route } from './route.ts'
import { answerAtDoor } from './session.ts'
import { sessionTokenIn } from './who.ts'

export type CredentialRooms = SessionRooms & { readonly send: SendMail }

const changerIn = ({ person, via, from }: PersonCall): Changer => ({
  userId: person.userId,
  accountId: person.member?.accountId ?? null,
  inSession: via.kind === 'session',
  from,
})

const aboutSelf = (call: PersonCall, action: string) => ({ action, kind: 'user', id: call.person.userId }) as const

/** The old cookie is worth nothing any more, on this node at once. */
const goOn = (rooms: CredentialRooms, call: PersonCall, session: NewSession | null): void => {
  rooms.sessions.forgetSession(sessionTokenIn(call.request, rooms) ?? '')
  if (session !== null) giveSession(rooms, call.reply, session)
}

const provenSelf = async (rooms: CredentialRooms, call: PersonCall, password: string) => {
  await countOwnProof(rooms, call)
  const own = await proveSelf(rooms.db, call.person.userId, password)
  if (isRefusal(own)) throw answerAtDoor(own)
  return own
}

export const ownCredentialRoutes = (rooms: CredentialRooms): Route[] => [
  personalRoute(operations.changeMe, async (call) => {
    const { name } = bodyOf(call, readName)
    await change(rooms, call, async (db, note) => {
      const [own] = await findOwn(db, call.person.userId)
      if (own === undefined || own.name === name) return
      await setName(db, own.id, name)
      note({ ...aboutSelf(call, 'user.update'), before: { name: own.name }, after: { name } })
    })
    const me = await meAgain(rooms, call)
    return { ...me, user: { ...me.user, name } }
  }),
  personalRoute(operations.changePassword, async (call) => {
    const given = bodyOf(call, readPasswordChange)
    await countOwnProof(rooms, call)
    const asked = { password: given.password, newPassword: given.new_password }
    const proven = await proveChange(rooms.db, call.person.userId, asked)
    if (isRefusal(proven)) throw answerAtDoor(proven)
    const changed = await change(rooms, call, async (db, note) => {
      const done = await changePassword(db, changerIn(call), proven, call.now)
      if (!isRefusal(done)) await noteOfPerson(db, note, call.person.userId, { action: 'user.password_change' })
      return done
    })
    if (isRefusal(changed)) throw answerTo(changed)
    goOn(rooms, call, changed.session)
    rooms.send(changedLetter(call.person.email, 'password'))
    return undefined
  }),
  personalRoute(operations.showSecondFactor, async ({ person }) => {
    const [own] = await findOwn(rooms.db, person.userId)
    if (own === undefined) throw notAuthenticated()
    const since = own.totp_since
    return {
      on: since !== null,
      since: since === null ? null : rooms.zone.format(new Date(since)),
      recovery_codes_left: own.recovery_left,
    }
  }),
  personalRoute(operations.beginSecondFactor, async (call) => {
    const own = await provenSelf(rooms, call, bodyOf(call, readPassword).password)
    const begun = await change(rooms, call, async (db, note) => {
      const done = await beginSecondFactor(db, rooms.factor, own)
      if (!isRefusal(done)) note(aboutSelf(call, 'user.second_factor_begin'))
      return done
    })
    if (isRefusal(begun)) throw answerTo(begun)
    return { ...begun, qr_svg: renderSVG(begun.uri, { ecc: 'M', border: 2 }) }
  }),
  personalRoute(operations.confirmSecondFactor, async (call) => {
    const { code } = bodyOf(call, readCode)
    await countOwnProof(rooms, call)
    const confirmed = await change(rooms, call, async (db, note) => {
      const done = await confirmSecondFactor(db, rooms.factor, changerIn(call), code, call.now)
      if (!isRefusal(done)) await noteOfPerson(db, note, call.person.userId, { action: 'user.second_factor_on' })
      return done
    })
    if (isRefusal(confirmed)) throw answerTo(confirmed)
    goOn(rooms, call, confirmed.session)
    rooms.send(changedLetter(call.person.email, 'second_factor_on'))
    return { recovery_codes: [...confirmed.recoveryCodes] }
  }),
  personalRoute(operations.renewRecoveryCodes, async (call) => {
    const { password, code } = bodyOf(call, readPasswordAndCode)
    const own = await provenSelf(rooms, call, password)
    await countOwnCode(rooms, call)
    const renewed = await change(rooms, call, async (db, note) => {
      const done = await renewRecoveryCodes(db, rooms.factor, own, code, call.now)
      if (!isRefusal(done)) note(aboutSelf(call, 'user.recovery_codes_renew'))
      return done
    })
    if (isRefusal(renewed)) throw answerTo(renewed)
    return { recovery_codes: [...renewed.recoveryCodes] }
  }),
  personalRoute(operations.endSecondFactor, async (call) => {
    const { password, code } = bodyOf(call, readPasswordAndCode)
    const own = await provenSelf(rooms, call, password)
    await countOwnCode(rooms, call)
    const ended = await change(rooms, call, async (db, note) => {
      const done = await endSecondFactor(db, rooms.factor, changerIn(call), own, code, call.now)
      if (!isRefusal(done)) await noteOfPerson(db, note, call.person.userId, { action: 'user.second_factor_off' })
      return done
    })
    if (isRefusal(ended)) throw answerTo(ended)
    goOn(rooms, call, ended.session)
    rooms.send(changedLetter(call.person.email, 'second_factor_off'))
    return undefined
  }),
]
