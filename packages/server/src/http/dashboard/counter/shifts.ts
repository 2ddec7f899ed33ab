/** `/shifts/`: a member starts and ends a shift; its report, also as a CSV file. A cashier reads their own shifts only. */

import { Readable } from 'node:stream'
import * as operations from '@sanad/contract/dashboard/money/shifts'
import { mayDo } from '../../../accounts/people/permission.ts'
import { actorOf } from '../../../accounts/people/signed-in-user.ts'
import { endOf, isOpen, type Shift } from '../../../accounts/shifts/shift.ts'
import {
  lastShift,
  listOwnShifts,
  listShifts,
  type NamedShift,
  namedShift,
  shiftOf,
} from '../../../accounts/shifts/shift-sql.ts'
import { endShift, startShift } from '../../../accounts/shifts/work-shift.ts'
import { outcomeOf } from '../../../alerts/arrived.ts'
import type { UserId } from '../../../core/ids.ts'
import { formatMinor } from '../../../core/money.ts'
import { wholeOf } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { linesOfShift, reportShift } from '../../../views/shifts/report-shift.ts'
import type { ShiftLine } from '../../../views/shifts/shift-lines-sql.ts'
import { notFound } from '../../answers.ts'
import { attachment } from '../attachment.ts'
import { sumsAnswer, walletSumsAnswer } from '../money/sums-answer.ts'
import { namesIn } from '../people/given-wallets.ts'
import { accepted } from '../refusals.ts'
import { type Call, change, type DashboardContext, type NamedCall, type Route, route } from '../route.ts'
import { timeIn, timeOrNull } from '../time-text.ts'
import { shiftTable } from './shift-csv.ts'

type ShiftDeps = Pick<DashboardContext, 'db' | 'sendHint'>

export const shiftRoutes = (deps: ShiftDeps): Route[] => [
  route(operations.startShift, async (call) => {
    const { scope, userId } = call.member
    const started = await change(deps, call, (db, audit) =>
      db.transaction(async (tx) => {
        const shift = accepted(await startShift(tx, wholeOf(scope), userId, call.now))
        audit({
          action: 'shift.start',
          kind: 'shift',
          id: shift.id,
          after: { name: call.user.name || call.user.email },
        })
        return shift
      }),
    )
    return shiftAnswer({ shift: started, by: actorOf(call.user) }, call, await call.zone())
  }),
  route(operations.listShifts, async (call) => {
    const { after, page_size: size } = call.query
    return pageAnswer(call, size, await listShifts(deps.db, call.member.scope, after, size + 1))
  }),
  route(operations.listOwnShifts, async (call) => {
    const { after, page_size: size } = call.query
    const { scope, userId } = call.member
    return pageAnswer(call, size, await listOwnShifts(deps.db, scope, userId, after, size + 1))
  }),
  route(operations.showShift, shiftIn(deps), (call, found) => reportAnswer(deps, call, found)),
  route(operations.endShift, shiftIn(deps), (call, found) => endWithAudit(deps, call, found, call.member.userId)),
  route(operations.endShiftOfMember, shiftIn(deps), (call, found) => endWithAudit(deps, call, found, undefined)),
  route(operations.downloadShift, shiftIn(deps), async (call, { shift, by }) => {
    const { scope } = call.member
    const report = await reportShift(deps.db, scope, shift)
    const zone = await call.zone()
    const day = timeIn(zone, shift.startedAt).slice(0, 10)
    const wallets = await namesIn(deps.db, scope)
    return call.reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', attachment(`shift-${day}-${shift.id}`, 'csv', wallets))
      .send(Readable.from(shiftTable({ by, zone, wallets }, linesOfShift(deps.db, scope, shift), report)))
  }),
]

/** `only`: the member whose shift it must be; undefined: anyone's. */
const endWithAudit = async (
  deps: ShiftDeps,
  call: Call,
  found: FoundShift,
  only: UserId | undefined,
): Promise<operations.ShiftReport> => {
  const { member, now } = call
  const shift = await change(deps, call, (db, audit) =>
    db.transaction(async (tx) => {
      const request = { id: found.shift.id, by: actorOf(call.user), only }
      const ended = accepted(await endShift(tx, wholeOf(member.scope), request, now))
      audit({ action: 'shift.end', kind: 'shift', id: ended.id, after: { name: found.name } })
      return ended
    }),
  )
  return reportAnswer(deps, call, { ...found, shift })
}

const pageAnswer = async (call: Call, size: number, rows: readonly NamedShift[]) => {
  const shown = rows.slice(0, size)
  const zone = await call.zone()
  return {
    next: rows.length > size ? shown.at(-1)!.id : null,
    results: shown.map((row) => shiftAnswer(named(row), call, zone)),
  }
}

/** The open shift of the member who calls. */
export const openShift = async (deps: Pick<DashboardContext, 'db'>, call: Call): Promise<operations.Shift | null> => {
  const [row] = await lastShift(deps.db, wholeOf(call.member.scope), call.member.userId)
  const shift = row && shiftOf(row)
  return shift !== undefined && isOpen(shift, call.now)
    ? shiftAnswer({ shift, by: actorOf(call.user) }, call, await call.zone())
    : null
}

type FoundShift = { readonly shift: Shift; readonly by: string; readonly name: string }

const named = (row: NamedShift): FoundShift => ({
  shift: shiftOf(row),
  by: actorOf(row),
  name: row.name || row.email,
})

const seesAll = ({ member }: Call): boolean => mayDo(member.role, 'all_shifts.read')

/** The shift that the path names: one's own, or any for who may see all. */
const shiftIn =
  (deps: ShiftDeps) =>
  async (call: NamedCall): Promise<FoundShift> => {
    const [row] = await namedShift(deps.db, call.member.scope, call.path.id)
    if (row === undefined || !(seesAll(call) || row.user_id === call.member.userId)) throw notFound()
    return named(row)
  }

const shiftAnswer = ({ shift, by }: Omit<FoundShift, 'name'>, call: Call, zone: Zone): operations.Shift => ({
  id: shift.id,
  by,
  own: shift.userId === call.member.userId,
  started_at: timeIn(zone, shift.startedAt),
  latest_end: timeIn(zone, shift.latestEnd),
  ended_at: timeOrNull(zone, isOpen(shift, call.now) ? null : endOf(shift)),
  ended_by: shift.endedBy,
})

const lineAnswer = (line: ShiftLine, zone: Zone): operations.ShiftLine => ({
  alert: line.id,
  received_at: timeIn(zone, line.received_at),
  taken: line.taken_at !== null,
  wallet: line.wallet_name,
  kind: outcomeOf(line) as operations.ShiftLine['kind'],
  amount: formatMinor(line.amount),
  currency: line.currency,
  payer: line.payer ?? '',
  reference: line.reference ?? '',
  intent: line.intent_id,
  code: line.code ?? '',
  external_order_id: line.external_order_id,
  handed_over: line.handed_by === null ? null : { by: line.handed_by, at: timeIn(zone, line.handed_at!) },
})

const reportAnswer = async (deps: ShiftDeps, call: Call, found: FoundShift): Promise<operations.ShiftReport> => {
  const report = await reportShift(deps.db, call.member.scope, found.shift)
  const zone = await call.zone()
  return {
    shift: shiftAnswer(found, call, zone),
    wallets: report.wallets.map(walletSumsAnswer),
    totals: report.totals.map(sumsAnswer),
    earlier: report.earlier.map(sumsAnswer),
    nobody: report.nobody.map(walletSumsAnswer),
    not_handed_over: report.notHandedOver.map((line) => lineAnswer(line, zone)),
  }
}
