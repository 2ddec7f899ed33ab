/**
 * `/password/`: a link for who forgot theirs, and setting a new one by it. The answer to asking is given before anything is
 * looked up: neither its text nor its time tells whether somebody signs in with that address.
 */
import { askPasswordReset, resetPassword } from '@sanad/contract/dashboard/people'
import { changing } from '../../accounts/audit.ts'
import { makeResetLink, proveReset, resetPassword as reset } from '../../accounts/change-password.ts'
import { emailOf } from '../../accounts/email.ts'
import { changedLetter, resetLetter, resetLink } from '../../accounts/letters.ts'
import { noteOfPerson } from '../../accounts/note-of-person.ts'
import type { Afterwards } from '../../ground/afterwards.ts'
import type { SendMail } from '../../ground/letter.ts'
import { isRefusal } from '../../ground/refusal.ts'
import { readForgotten, readReset } from '../body/people-body.ts'
import { countBadLink, countReset } from './knock.ts'
import { rememberDevice, type SessionRooms } from './me.ts'
import { answerTo } from './refusals.ts'
import { bodyOf, openRoute, type Route } from './route.ts'
import { answerAtDoor } from './session.ts'
import { checkOrigin, fromWhere } from './who.ts'

export type PasswordRooms = SessionRooms & {
  readonly send: SendMail
  /** Whether letters go anywhere. */
  readonly mails: boolean
  readonly afterwards: Afterwards
}

export const forgottenPasswordRoutes = (rooms: PasswordRooms): Route[] => [
  openRoute(askPasswordReset, async ({ request, now }) => {
    checkOrigin(request, rooms)
    const typed = bodyOf({ request }, readForgotten).email.trim().toLowerCase()
    await countReset(rooms, request, typed, now)
    const [email, origin] = [emailOf(typed), rooms.ownOrigin(request)]
    if (email === undefined || !rooms.mails) return undefined
    rooms.afterwards(async () => {
      const link = await makeResetLink(rooms.db, email, now)
      if (link !== undefined) rooms.send(resetLetter(link.email, resetLink(origin, link.token)))
    })
    return undefined
  }),
  openRoute(resetPassword, async ({ request, reply, now }) => {
    checkOrigin(request, rooms)
    const given = bodyOf({ request }, readReset)
    const proven = await proveReset(rooms.db, { token: given.token, newPassword: given.new_password }, now)
    if (isRefusal(proven)) {
      if (proven.refused === 'link_over') await countBadLink(rooms, request, now)
      throw answerAtDoor(proven)
    }
    const { userId, email } = proven
    const who = { accountId: null, userId, actor: email, via: 'session', ...fromWhere(request) } as const
    const { result } = await changing(rooms.db, who, now, async (db, note) => {
      const done = await reset(db, proven, now)
      if (!isRefusal(done)) await noteOfPerson(db, note, userId, { action: 'user.password_reset' })
      return done
    })
    if (isRefusal(result)) throw answerTo(result)
    rememberDevice(rooms, request, reply, email, 'by_link')
    rooms.send(changedLetter(email, 'password'))
    return undefined
  }),
]
