/** A wallet's day as CSV text: every line as it is read, then the sums. The whole text is never in memory. */

import { formatMinor, type Minor } from '../../../core/money.ts'
import { arrivalOfLine, type ClosedLine, type DayTotals } from '../../../views/day-close/close-day.ts'
import { byteOrderMark, csvLine } from '../../csv.ts'
import type { DayQuery } from './day-close-query.ts'

const columns = [
  'line',
  'received_at',
  'state',
  'direction',
  'amount',
  'currency',
  'balance',
  'chain',
  'missing',
  'fee',
  'reference',
  'payer',
  'payment',
  'intent',
  'alert',
  'count',
  'forgiven_amount',
] as const
type Cells = Partial<Record<(typeof columns)[number], string>>

const line = (cells: Cells): string => csvLine(columns.map((name) => cells[name] ?? ''))
const money = (amount: Minor | null): string => (amount === null ? '' : formatMinor(amount))
const unlessZero = (amount: Minor | undefined): string =>
  amount === undefined || amount === 0n ? '' : formatMinor(amount)

const linesPerChunk = 200

export async function* dayTable(
  query: DayQuery,
  lines: AsyncGenerator<ClosedLine, DayTotals>,
): AsyncGenerator<string, void> {
  let text = `${byteOrderMark}${csvLine([...columns])}`
  let count = 0
  try {
    for (;;) {
      const { done, value } = await lines.next()
      if (done) {
        yield text + sums(query, value)
        return
      }
      text += alertLine(query, value)
      if (++count % linesPerChunk > 0) continue
      yield text
      text = ''
    }
  } finally {
    // The client may have disconnected.
    await lines.return(undefined as never)
  }
}

const alertLine = ({ zone }: DayQuery, { row, placed }: ClosedLine): string =>
  line({
    line: 'alert',
    received_at: zone.format(new Date(row.received_at)),
    state: row.state,
    direction: row.direction ?? '',
    amount: money(row.amount),
    forgiven_amount: unlessZero(arrivalOfLine(row)?.forgiven),
    currency: row.currency ?? '',
    balance: money(row.balance),
    chain: placed?.kind ?? '',
    missing: unlessZero(placed?.missing),
    fee: unlessZero(placed?.fee),
    reference: row.reference ?? '',
    payer: row.payer ?? '',
    payment: row.intent_code ?? '',
    intent: row.intent_id ?? '',
    alert: row.id,
  })

const sums = ({ wallet, zone, walletDay }: DayQuery, totals: DayTotals): string => {
  const { currency } = wallet
  const balance = (name: string, amount: Minor | null, at: number, known = ''): string =>
    line({ line: name, received_at: zone.format(new Date(at)), currency, balance: money(amount), chain: known })
  const lines = {
    credits: totals.credits,
    debits: totals.debits,
    fees: totals.fees,
    missing: totals.missing,
    verified: totals.verified,
    unmatched: totals.unmatched,
    wrong_amount: totals.wrongAmount,
    dismissed: totals.dismissed,
    denied: totals.denied,
    left_out: totals.leftOut,
  }
  return [
    balance('opening', totals.opening?.balance ?? null, walletDay.from, totals.opening?.known),
    ...Object.entries(lines).map(([name, { count, amount }]) =>
      line({
        line: name,
        amount: formatMinor(amount),
        forgiven_amount: name === 'verified' ? formatMinor(totals.verified.forgiven) : '',
        currency,
        count: String(count),
      }),
    ),
    balance('closing', totals.closing, walletDay.until),
  ].join('')
}
