/** Which tables a statement reads with real values, how, and how many rows, measured by `explain analyze`. */
import type { Db, Session } from '../../src/postgres/connection/database.ts'
import { sentBy } from './prepared-plans.ts'

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

export type TableRead = {
  readonly table: string
  /** The statement scans the whole table. */
  readonly isWhole: boolean
  /** Rows that pass the filters of this node. */
  readonly rows: number
  readonly filteredOut: number
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

export const tableReads = async (db: Db, run: (session: never) => Promise<unknown>): Promise<TableRead[]> => {
  const { text, values } = await sentBy((session: Session) => run(session as never))
  const [row] = await db.run({ text: `explain (analyze, format json) ${text}`, values })
  return nodesOf(JSON.parse(row![0]!)[0].Plan).flatMap((node) => {
    const table = node['Relation Name']
    if (table === undefined) return []
    const loops = node['Actual Loops']
    const filteredOut = (node['Rows Removed by Filter'] ?? 0) * loops
    return [{ table, isWhole: node['Node Type'] === 'Seq Scan', rows: node['Actual Rows'] * loops, filteredOut }]
  })
}

/** How a statement reads one table: whether it scans the whole table, and how many rows it reads. */
export const readsOf = async (db: Db, table: string, run: (session: never) => Promise<unknown>) => {
  const reads = (await tableReads(db, run)).filter((read) => read.table === table)
  return {
    count: reads.length,
    isWhole: reads.some((read) => read.isWhole),
    rows: reads.reduce((sum, read) => sum + read.rows, 0),
  }
}
