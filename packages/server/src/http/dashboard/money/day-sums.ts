/** `/day-close/sums/`: the day of all real wallets, by kind and by who took the money, and the same as a CSV file. */

import * as operations from '@sanad/contract/dashboard/money/day-close'
import { actorOf } from '../../../accounts/people/signed-in-user.ts'
import { isSpentOutcome, outcomeOf } from '../../../alerts/arrived.ts'
import { firstIdAt } from '../../../core/ids.ts'
import { wholeOf } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import { sumsByCurrency, sumsByWallet } from '../../../views/day-close/money-sums.ts'
import { arrivedSums, type SumRow } from '../../../views/day-close/money-sums-sql.ts'
import { takersOf } from '../../../views/day-close/takers-sql.ts'
import type { Reader } from '../../../views/reads/replica-statements.ts'
import { byteOrderMark, csvLine } from '../../csv.ts'
import type { Reads } from '../../routes/route.ts'
import { attachment } from '../attachment.ts'
import { namesIn } from '../people/given-wallets.ts'
import { askerOf, type Call, type DashboardContext, type Route, route } from '../route.ts'
import { timeIn } from '../time-text.ts'
import { boundsOf } from './day-close-query.ts'
import { sumCells, sumsAnswer, walletSumsAnswer } from './sums-answer.ts'

type DaySumsDeps = Pick<DashboardContext, 'db' | 'reads'>
type SumsCall = Call & Pick<Reads<typeof operations.showDaySums>, 'query'>

export const daySumRoutes = (deps: DaySumsDeps): Route[] => [
  route(operations.showDaySums, async (call) => {
    const { rows, takers, day, zone, until } = await rowsOfDay(deps, call, 'day_close')
    return {
      day,
      time_zone: zone.name,
      closed: call.now >= until,
      wallets: sumsByWallet(rows).map(walletSumsAnswer),
      totals: sumsByCurrency(rows).map(sumsAnswer),
      shifts: takers.flatMap(({ by, shift, group }) =>
        sumsByCurrency(group).map((sums) => ({
          by,
          shift: shift && { id: shift.id, started_at: timeIn(zone, shift.started_at) },
          sums: sumsAnswer(sums),
        })),
      ),
    }
  }),
  route(operations.downloadDaySums, async (call) => {
    const { rows, takers, day, zone } = await rowsOfDay(deps, call, 'exports')
    const wallets = await namesIn(deps.db, call.member.scope)
    // The last column says of which wallets the sums are, to who was given some.
    const lines: string[] = []
    const add = (cells: readonly string[], last = wallets?.join(', ')): void =>
      void lines.push(csvLine(last === undefined ? cells : [...cells, last]))
    const head = ['line', 'wallet', 'member', 'shift', 'kind', 'currency', 'count', 'amount', 'forgiven_amount']
    add(head, wallets === null ? undefined : 'wallets')
    for (const { name, sums } of sumsByWallet(rows))
      for (const cells of sumCells(sums)) add(['wallet', name, '', '', ...cells])
    for (const sums of sumsByCurrency(rows)) for (const cells of sumCells(sums)) add(['total', '', '', '', ...cells])
    for (const { by, shift, group } of takers) {
      const began = shift === null ? '' : timeIn(zone, shift.started_at)
      for (const sums of sumsByCurrency(group))
        for (const cells of sumCells(sums)) add(['taken', '', by, began, ...cells])
    }
    return call.reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', attachment(`day-close-${day}`, 'csv', wallets))
      .send(byteOrderMark + lines.join(''))
  }),
]

const rowsOfDay = async ({ reads }: DaySumsDeps, call: SumsCall, reader: Reader) => {
  const zone: Zone = await call.zone()
  const day = call.query.day ?? zone.format(new Date(call.now)).slice(0, 10)
  const { from, until } = boundsOf(day, zone)
  const { rows, takers } = await reads.read(reader, askerOf(call), async ({ db }) => {
    const rows = await arrivedSums(db, call.member.scope, firstIdAt(from), firstIdAt(until))
    return { rows, takers: await byTaker(db, call, rows) }
  })
  return { rows, takers, day, zone, until }
}

/** The paid money by who took it: members with their shifts first, the oldest shift first, then what no member took. */
const byTaker = async (db: Session, call: Call, rows: readonly SumRow[]) => {
  const spent = rows.filter((row) => {
    const outcome = outcomeOf(row)
    return outcome !== undefined && isSpentOutcome(outcome)
  })
  const groups = [...Map.groupBy(spent, ({ user_id, shift_id }) => `${user_id} ${shift_id}`).values()]
  const found = await takersOf(
    db,
    wholeOf(call.member.scope),
    [...new Set(spent.flatMap(({ user_id }) => user_id ?? []))],
    [...new Set(spent.flatMap(({ shift_id }) => shift_id ?? []))],
  )
  const takers = groups.map((group) => {
    const { user_id, shift_id } = group[0]!
    const user = found.find((taker) => taker.user_id === user_id)
    const shift = found.find((taker) => taker.shift_id === shift_id && shift_id !== null)
    return {
      by: user === undefined ? '' : actorOf(user),
      shift: shift === undefined ? null : { id: shift.shift_id!, started_at: shift.started_at! },
      group,
    }
  })
  const order = ({ by, shift }: (typeof takers)[number]): string =>
    by === '' ? '2' : `${shift === null ? '1' : `0 ${String(shift.started_at).padStart(15, '0')}`} ${by}`
  return takers.sort((a, b) => (order(a) < order(b) ? -1 : 1))
}
