/**
 * Prepares statements on a connection, which keeps their plans, and measures these plans later, when the tables contain other
 * rows. The rows that a statement really reads are measured, not the planner's estimates.
 */
import pg from 'pg'
import { type RawQuery, type Session, sessionSettings } from '../../src/postgres/connection/database.ts'

/** The query that a statement sends. */
export const sentBy = async (run: (session: Session) => Promise<unknown>): Promise<RawQuery> => {
  let sent: RawQuery | undefined
  await run({
    run: async (query) => {
      sent = query
      return []
    },
  })
  return sent!
}

const element = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL'
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value)
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(element).join(',')}}`)
  return pg.escapeLiteral(Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value))
}

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Plan[]
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

/** The rows that were read, returned or not, the pages, and how each table was read. */
export const readBy = (plan: Plan): { rows: number; pages: number; way: string } => ({
  rows: nodes(plan).reduce(
    (sum, node) =>
      sum +
      node['Actual Loops'] *
        (node['Actual Rows'] +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Join Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)),
    0,
  ),
  pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  way: nodes(plan)
    .flatMap((node) =>
      node['Relation Name'] ? `${node['Node Type']} ${node['Relation Name']} by ${node['Index Name']}` : [],
    )
    .join('; '),
})

const arrayHead = 20
/** An array in PostgreSQL's binary format (binary-array.ts) as text, converted by PostgreSQL; other values unchanged. */
const asText = async (client: pg.Client, value: unknown): Promise<unknown> => {
  const isArray = Buffer.isBuffer(value) && value.length >= arrayHead && value.readInt32BE(0) === 1
  if (!isArray) return value
  const { rows } = await client.query({
    text: 'select typarray::regtype::text as type from pg_type where oid = $1',
    values: [value.readInt32BE(8)],
  })
  const { rows: texts } = await client.query({ text: `select $1::${rows[0].type}::text as text`, values: [value] })
  return texts[0].text
}

const argumentsOf = async (client: pg.Client, values: readonly unknown[]): Promise<string> => {
  const texts: string[] = []
  for (const value of values) texts.push(literal(await asText(client, value)))
  return texts.length === 0 ? '' : `(${texts.join(', ')})`
}

export const preparedPlans = (
  databaseUrl: string,
  hot: Readonly<Record<string, (session: Session) => Promise<unknown>>>,
) => {
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl, options: sessionSettings(true) })
    await client.connect()
    return client
  }

  /** Opens a connection on which every statement is planned now; it keeps these plans. */
  const planAll = async () => {
    const client = await connect()
    for (const [name, run] of Object.entries(hot)) {
      const { text, values } = await sentBy(run)
      await client.query(`prepare ${pg.escapeIdentifier(name)} as ${text}`)
      await client.query(`explain execute ${pg.escapeIdentifier(name)}${await argumentsOf(client, values)}`)
    }
    return client
  }

  const measure = async (client: pg.Client, name: string): Promise<ReturnType<typeof readBy>> => {
    const { values } = await sentBy(hot[name]!)
    await client.query('begin')
    try {
      // The first run may read new pages or clean pages up. A schema change in any database of the server, for example by
      // another test, makes a connection read the catalog again. Neither belongs to the plan. A bad plan reads too much in
      // every run, so the run that reads the fewest pages counts.
      const options = '(analyze, buffers, timing off, format json)'
      const text = `explain ${options} execute ${pg.escapeIdentifier(name)}${await argumentsOf(client, values)}`
      const runs: ReturnType<typeof readBy>[] = []
      for (let run = 0; run < 4; run++) {
        await client.query('savepoint before')
        const { rows } = await client.query(text)
        runs.push(readBy(rows[0]['QUERY PLAN'][0].Plan))
        await client.query('rollback to savepoint before')
      }
      return runs.reduce((least, run) => (run.pages < least.pages ? run : least))
    } finally {
      await client.query('rollback')
    }
  }
  return { planAll, measure }
}
