/** A shift as CSV text: every payment that the member took, as it is read, then the sums. The whole text is never in memory. */

import { outcomeOf } from '../../../alerts/arrived.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import type { ShiftReport } from '../../../views/shifts/report-shift.ts'
import type { ShiftLine } from '../../../views/shifts/shift-lines-sql.ts'
import { byteOrderMark, csvLine } from '../../csv.ts'
import { sumCells } from '../money/sums-answer.ts'
import { timeIn } from '../time-text.ts'

const columns = [
  'line',
  'wallet',
  'kind',
  'currency',
  'count',
  'amount',
  'forgiven_amount',
  'taken_at',
  'received_at',
  'payer',
  'reference',
  'order',
  'payment',
  'intent',
  'alert',
  'handed_over_by',
  'handed_over_at',
  'member',
] as const

type Head = {
  readonly by: string
  readonly zone: Zone
  /** The names of the wallets that the caller sees; null: all. */
  readonly wallets: readonly string[] | null
}

export async function* shiftTable(
  { by, zone, wallets }: Head,
  lines: AsyncIterable<ShiftLine>,
  report: ShiftReport,
): AsyncGenerator<string, void> {
  // To a member who was given some wallets, the last column says of which wallets the sums are.
  const names = wallets?.join(', ')
  const row = (cells: readonly string[]): string =>
    csvLine(names === undefined ? cells : [...cells, ...Array(columns.length - cells.length).fill(''), names])
  yield byteOrderMark + csvLine(names === undefined ? columns : [...columns, 'wallets'])
  for await (const line of lines)
    yield row([
      'payment',
      line.wallet_name,
      outcomeOf(line) ?? '',
      line.currency,
      '',
      formatMinor(line.amount),
      formatMinor(line.forgiven),
      timeIn(zone, line.taken_at!),
      timeIn(zone, line.received_at),
      line.payer ?? '',
      line.reference ?? '',
      line.external_order_id,
      line.code ?? '',
      line.intent_id ?? '',
      line.id,
      line.handed_by ?? '',
      line.handed_at === null ? '' : timeIn(zone, line.handed_at),
      by,
    ])
  for (const { name, sums } of report.wallets) for (const cells of sumCells(sums)) yield row(['wallet', name, ...cells])
  for (const sums of report.totals) for (const cells of sumCells(sums)) yield row(['total', '', ...cells])
  for (const { name, sums } of report.nobody) for (const cells of sumCells(sums)) yield row(['nobody', name, ...cells])
}
