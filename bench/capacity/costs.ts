/** What one call costs on a certain machine, as `node bench/capacity.ts --measure` writes it. Pure but for reading the file. */
import { readFileSync } from 'node:fs'
import { BenchRefused } from '../harness/processes.ts'

/** `alert` is verified by it: with matching, event, delivery and what is recorded of the attempt. */
export const calls = [
  'create',
  'reference',
  'alert',
  'retrieve',
  'list',
  'page',
  'dashboard_list',
  'heartbeat',
] as const
export type Call = (typeof calls)[number]

/** Processor microseconds of one call, in Sanad's processes and in PostgreSQL. */
export type CallCost = { readonly node_us: number; readonly postgres_us: number }

export type Costs = {
  readonly machine: string
  readonly node: string
  readonly postgres: string
  /** The version of Sanad that was measured. */
  readonly commit: string
  /** How many calls were under way at a time: with fewer, fewer share a commit, and a call costs more. */
  readonly at_once: number
  readonly calls: Readonly<Record<Call, CallCost>>
  /** Processors that are used when nothing happens. */
  readonly idle: { readonly node: number; readonly postgres: number }
  /** Vacuuming, in PostgreSQL, for one verified payment. */
  readonly vacuum_us: number
  /** Bytes of WAL of so many verified payments right after a checkpoint: the first ones log whole pages. */
  readonly wal: readonly (readonly [payments: number, bytes: number])[]
  /** Bytes on disk of one verified payment with its indexes, by how long they are kept. */
  readonly disk: {
    readonly forever: number
    /** Texts and payers, in `forever` until they are erased. */
    readonly texts: number
    /** Attempts and bodies of webhooks: 30 days. */
    readonly attempts: number
    /** Ends of deliveries: 90 days. */
    readonly ends: number
    /** Idempotency keys: a day. */
    readonly keys: number
  }
  /** Bytes of one entry of the log of API calls. */
  readonly api_call: number
  /** MB after the run. */
  readonly memory: { readonly node: number; readonly postgres: number; readonly connection: number }
}

export const readCosts = (file: string): Costs => {
  const costs = JSON.parse(readFileSync(file, 'utf8')) as Costs
  for (const call of calls)
    if (!(costs.calls?.[call]?.node_us > 0) || !(costs.calls[call].postgres_us >= 0))
      throw new BenchRefused(`${file} has no cost of "${call}": write it again by --measure.`)
  return costs
}
