/**
 * Analyses tables that have grown from empty, and again each time they have several times as many rows. Before PostgreSQL has
 * analysed a table for the first time, its plans are bad: page 1 of a list sorts every row. Autovacuum comes only after a minute.
 * ANALYZE also invalidates cached plans: a plan that was chosen while the table was small is made again.
 */

import type { Db } from '../connection/database.ts'
import { grownTables } from './analyse-sql.ts'

const leastRows = 200

/** Returns how many tables were analysed. */
export const analyseGrown = async (db: Db): Promise<number> => {
  const tables = await grownTables(db, leastRows)
  // Names come from the catalogue, quoted by PostgreSQL: ANALYZE takes no parameters.
  for (const { name } of tables) await db.run({ text: `analyze ${name}`, values: [] })
  return tables.length
}
