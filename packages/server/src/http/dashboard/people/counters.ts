/**
 * `/counters/` and `/cashiers/`: owners make a browser a counter and manage cashiers and PINs; at the counter, `/counters/here/` shows
 * the names, takes a PIN and locks. A PIN is checked between two transactions, because hashing is slow (accounts/counters/enter-pin.ts).
 */
import * as operations from '@sanad/contract/dashboard/people/counters'
import type { FastifyRequest } from 'fastify'
import { type Actor, changeWithAudit, recordChange } from '../../../accounts/audit/audit.ts'
import * as counters from '../../../accounts/counters/account-counters.ts'
import { isIdle, type OpenCounter } from '../../../accounts/counters/counter.ts'
import { cashiersOfAccount, lockCounterRow } from '../../../accounts/counters/counter-sql.ts'
import {
  countPinTry,
  isForOwners,
  isPinRight,
  isWorthTelling,
  type PinTry,
  signInAtCounter,
  takeTryBack,
} from '../../../accounts/counters/enter-pin.ts'
import { keepCashier, openCounterOf } from '../../../accounts/counters/find-counter.ts'
import { isTrivialPin, pinDigits } from '../../../accounts/counters/pin.ts'
import type { NewPin } from '../../../accounts/counters/sealed-pin.ts'
import * as cashiers from '../../../accounts/members/cashiers.ts'
import { writeNotices } from '../../../accounts/notices/write-notices.ts'
import { hashInTurn } from '../../../accounts/people/password.ts'
import { actorOf } from '../../../accounts/people/signed-in-user.ts'
import { browserOf } from '../../../accounts/sessions/browser.ts'
import { endSessionRow } from '../../../accounts/sessions/session-sql.ts'
import { clientFacts } from '../../../accounts/watch/watch-sign-ins.ts'
import type { Instant } from '../../../core/clock.ts'
import { type NoticeId, timeOrderedId } from '../../../core/ids.ts'
import { wholeAccount } from '../../../core/scope.ts'
import { withRetries } from '../../../postgres/query/gather.ts'
import { notAuthenticated } from '../../answers.ts'
import { cellOf, requireAccountHere } from '../../moved-account.ts'
import { addressAndAgent, counterCookie, counterIn, sessionCookie, sessionTokenIn } from '../authenticate.ts'
import { accepted, answerTo } from '../refusals.ts'
import { change, count, openRoute, type Route, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import { meAtCounter, type SessionDeps, setCounterCookie } from './me.ts'
import { memberAnswer } from './members.ts'

const usualIdle_minutes = 10

const counterAnswer = (deps: SessionDeps, counter: counters.ListedCounter, now: Instant): operations.CounterDevice => {
  const time = (at: number): string => deps.zone.format(new Date(at))
  const { cashier_seen_at: touchedAt, paused_until: pausedUntil } = counter
  const isOpen = touchedAt !== null && !isIdle(touchedAt, counter.idle_minutes, now)
  return {
    id: counter.id,
    name: counter.name,
    made_by: counter.made_by,
    created_at: time(counter.created_at),
    last_used_at: time(counter.last_seen_at),
    address: counter.address,
    ...browserOf(counter.agent),
    agent: counter.agent,
    idle_minutes: counter.idle_minutes,
    cashier: isOpen ? counter.cashier : null,
    paused_until: timeOrNull(deps.zone, pausedUntil !== null && pausedUntil > now ? pausedUntil : null),
    wrong_pins: counter.wrong_total,
  }
}

const auditValues = ({ name, idle_minutes }: { readonly name: string; readonly idle_minutes: number }) => ({
  name,
  idle_minutes,
})

/** Slow: hashes the PIN. A PIN that is none, or a simple one, is refused. */
const newPin = async ({ pins }: Pick<SessionDeps, 'pins'>, typed: string): Promise<NewPin> => {
  const digits = pinDigits(typed)
  if (digits === undefined) throw answerTo({ refused: 'pin_refused', facts: { code: 'pin_form' } })
  if (isTrivialPin(digits)) throw answerTo({ refused: 'pin_refused', facts: { code: 'pin_simple' } })
  const hash = await hashInTurn(digits)
  if (hash === 'busy') throw answerTo({ refused: 'sign_in_busy' })
  return pins.newPin(hash)
}

/** The counter of this browser. Its calls are counted together, as those of a user. */
const counterHere = async (deps: SessionDeps, request: FastifyRequest, now: Instant): Promise<OpenCounter> => {
  const counter = await counterIn(request, deps, now)
  if (counter === undefined) throw notAuthenticated()
  requireAccountHere(request.server, counter.accountId)
  await count(deps, 'dashboard', counter.id, now)
  return counter
}

/** What happens at a counter while nobody is signed in is logged under the name of the counter. */
const counterActor = (counter: OpenCounter, request: FastifyRequest): Actor => ({
  accountId: counter.accountId,
  userId: null,
  actor: counter.name,
  via: 'counter',
  ...addressAndAgent(request),
})

const auditWrongPin = async (
  deps: SessionDeps,
  request: FastifyRequest,
  tried: PinTry,
  now: Instant,
): Promise<void> => {
  const told = isWorthTelling(tried)
  if (told === undefined) return
  const { counter, pin, ofPin, ofCounter } = tried
  const after = {
    counter: counter.name,
    cashier: pin === undefined ? '' : actorOf(pin),
    wrong: Math.max(ofPin?.dayWrong ?? 0, ofCounter.total),
  }
  const action = told === 'guessed' ? 'counter.pins_guessed' : 'counter.pins_paused'
  const actor = counterActor(counter, request)
  await deps.db.transaction(async (tx) => {
    await recordChange(tx, actor, { action, kind: 'counter', id: counter.id, after }, now)
    if (!isForOwners(tried)) return
    const facts = {
      ...clientFacts(actor),
      counter: counter.name,
      count: after.wrong,
      ...(pin === undefined ? {} : { name: actorOf(pin) }),
    }
    const notice = {
      accountId: counter.accountId,
      id: timeOrderedId<NoticeId>(now),
      kind: 'pins_guessed',
      objectKind: 'member',
      objectId: pin?.user_id ?? counter.id,
      by: '',
      facts,
    } as const
    await writeNotices(tx, [notice], now)
  })
  if (isForOwners(tried)) deps.sendHint(counter.accountId, { kind: 'notice', id: '' })
  deps.sendHint(counter.accountId, { kind: 'counter', id: counter.id })
  deps.sendHint(counter.accountId, { kind: 'member', id: pin?.user_id ?? '' })
}

const hereRoutes = (deps: SessionDeps): Route[] => [
  openRoute(operations.showCounterHere, async ({ request, now }) => {
    const counter = await counterHere(deps, request, now)
    const paused = (until: Instant | null) => timeOrNull(deps.zone, until !== null && until > now ? until : null)
    const all = await cashiersOfAccount(deps.db, wholeAccount(counter.accountId))
    return {
      name: counter.name,
      account: counter.account,
      cashier: counter.cashier?.userId ?? null,
      paused_until: paused(counter.pausedUntil),
      cashiers: all.map(({ id, name, paused_until }) => ({ id, name, paused_until: paused(paused_until) })),
      service_time_zone: deps.zone.name,
    }
  }),
  openRoute(operations.enterPin, async ({ request, reply, body, now }) => {
    const counter = await counterHere(deps, request, now)
    // What is no PIN at all is never right, and counts for nobody.
    const digits = pinDigits(body.pin)
    if (digits === undefined) throw answerTo({ refused: 'pin_refused', facts: { code: 'pin_form' } })
    const tried = accepted(
      await withRetries(() => deps.db.transaction((tx) => countPinTry(tx, counter, body.cashier, now))),
    )
    const isRight = await isPinRight(tried, digits, deps.pins)
    if (isRight === 'busy') {
      await withRetries(() => deps.db.transaction((tx) => takeTryBack(tx, tried)))
      throw answerTo({ refused: 'sign_in_busy' })
    }
    if (!isRight) {
      await auditWrongPin(deps, request, tried, now)
      throw answerTo({ refused: 'pin_wrong' })
    }
    const { pin } = tried
    const actor = { ...counterActor(counter, request), userId: pin!.user_id, actor: actorOf(pin!) }
    await withRetries(() =>
      changeWithAudit(deps.db, actor, now, async (tx, audit) => {
        const cashier = accepted(await signInAtCounter(tx, tried, now))
        audit({ action: 'counter.sign_in', kind: 'counter', id: counter.id, after: { counter: counter.name } })
        return cashier
      }),
    )
    deps.sendHint(counter.accountId, { kind: 'counter', id: counter.id })
    const token = request.cookies[counterCookie(deps)] ?? ''
    const open = await openCounterOf(deps.db, token, request.ip, now)
    // Ended, or the cashier removed, in this moment.
    if (open?.cashier?.userId !== pin!.user_id) throw notAuthenticated()
    setCounterCookie(deps, reply, token)
    return meAtCounter(deps, open, now)
  }),
  openRoute(operations.lockCounter, async ({ request, now }) => {
    const counter = await counterHere(deps, request, now)
    await lockCounterRow(deps.db, wholeAccount(counter.accountId), counter.id)
    deps.sendHint(counter.accountId, { kind: 'counter', id: counter.id })
    return undefined
  }),
  openRoute(operations.touchCounter, async ({ request, now }) => {
    await keepCashier(deps.db, await counterHere(deps, request, now), now)
    return undefined
  }),
]

export const counterDeviceRoutes = (deps: SessionDeps): Route[] => [
  ...hereRoutes(deps),
  route(operations.listCounters, async ({ member, now }) =>
    (await counters.listCounters(deps.db, member.scope, now)).map((counter) => counterAnswer(deps, counter, now)),
  ),
  route(operations.openCounter, async (call) => {
    const { request, reply, member, via, now, body } = call
    if (via.kind !== 'session') throw answerTo({ refused: 'counter_browser_only' })
    const wanted = { name: body.name, idle_minutes: body.idle_minutes ?? usualIdle_minutes }
    const before = await counterIn(request, deps, now)
    const opened = await change(deps, call, async (db, audit) => {
      const done = accepted(await counters.openCounter(db, member.scope, wanted, member.userId, call.from, now))
      // The browser was a counter already: its cookie is replaced, so nobody could use that one again.
      if (before !== undefined && cellOf(request.server, before.accountId) === undefined)
        await counters.endCounter(db, wholeAccount(before.accountId), before.id, now)
      await endSessionRow(db, member.userId, via.id, now)
      audit({ action: 'counter.create', kind: 'counter', id: done.counter.id, after: auditValues(done.counter) })
      return done
    })
    deps.sessions.forgetSession(sessionTokenIn(request, deps) ?? '')
    reply.clearCookie(sessionCookie(deps), { path: '/', secure: deps.secure })
    setCounterCookie(deps, reply, opened.token)
    return counterAnswer(deps, opened.counter, now)
  }),
  route(operations.changeCounter, async (call) => {
    const { member, path, body, now } = call
    const { after } = await change(deps, call, async (db, audit) => {
      const done = accepted(await counters.changeCounter(db, member.scope, path.id, body, now))
      audit({
        action: 'counter.update',
        kind: 'counter',
        id: done.before.id,
        before: auditValues(done.before),
        after: auditValues(done.after),
      })
      return done
    })
    return counterAnswer(deps, after, now)
  }),
  route(operations.endCounter, async (call) => {
    await change(deps, call, async (db, audit) => {
      const ended = accepted(await counters.endCounter(db, call.member.scope, call.path.id, call.now))
      audit({ action: 'counter.end', kind: 'counter', id: ended.id, before: { name: ended.name } })
      return ended
    })
    return undefined
  }),
  route(operations.liftCounterPause, async (call) => {
    const { member, path, now } = call
    await change(deps, call, async (db, audit) => {
      const lifted = accepted(await counters.liftCounterPause(db, member.scope, path.id))
      audit({ action: 'counter.lift_pause', kind: 'counter', id: path.id, after: { name: lifted.name } })
      return lifted
    })
    return counterAnswer(deps, accepted(await counters.findCounterOf(deps.db, member.scope, path.id, now)), now)
  }),
  ...cashierRoutes(deps),
]

const cashierRoutes = (deps: SessionDeps): Route[] => [
  route(operations.addCashier, async (call) => {
    const { member, body, now } = call
    const pin = await newPin(deps, body.pin)
    const added = await change(deps, call, async (db, audit) => {
      const done = accepted(await cashiers.addCashier(db, member.scope, { name: body.name, pin }, member.userId, now))
      audit({
        action: 'member.add_cashier',
        kind: 'member',
        id: done.user_id,
        after: { name: done.name, role: done.role },
      })
      return done
    })
    return memberAnswer(deps, added, member.userId)
  }),
  route(operations.renameCashier, async (call) => {
    const { member, path, body } = call
    const { after } = await change(deps, call, async (db, audit) => {
      const done = accepted(await cashiers.renameCashier(db, member.scope, path.id, body.name, member.userId))
      const { before, after } = done
      audit({
        action: 'member.rename',
        kind: 'member',
        id: path.id,
        before: { name: before.name },
        after: { name: after.name },
      })
      return done
    })
    return memberAnswer(deps, after, member.userId)
  }),
  route(operations.setPin, async (call) => {
    const { member, path, body, now } = call
    const pin = await newPin(deps, body.pin)
    const set = await change(deps, call, async (db, audit) => {
      const done = accepted(await cashiers.setPin(db, member.scope, path.id, pin, member.userId, now))
      const after = { name: actorOf(done.member) }
      audit({ action: done.had ? 'member.change_pin' : 'member.set_pin', kind: 'member', id: path.id, after })
      return done
    })
    return memberAnswer(deps, set.member, member.userId)
  }),
  route(operations.removePin, async (call) => {
    const { member, path } = call
    await change(deps, call, async (db, audit) => {
      const done = accepted(await cashiers.removePin(db, member.scope, path.id, member.userId))
      audit({ action: 'member.remove_pin', kind: 'member', id: path.id, before: { name: actorOf(done) } })
      return done
    })
    return undefined
  }),
  route(operations.liftPinPause, async (call) => {
    const { member, path } = call
    const lifted = await change(deps, call, async (db, audit) => {
      const done = accepted(await cashiers.liftPause(db, member.scope, path.id, member.userId))
      audit({ action: 'member.lift_pause', kind: 'member', id: path.id, after: { name: actorOf(done) } })
      return done
    })
    return memberAnswer(deps, lifted, member.userId)
  }),
]
