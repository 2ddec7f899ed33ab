/**
 * Until PostgreSQL has looked at a table for the first time it plans in the dark: page 1 of a list sorts every row. Its
 * own housekeeping comes only after a minute, so tables that have grown from empty are looked at by us, and again each
 * time they hold several times as many rows. Looking also has every plan that was kept made anew: one that was made while
 * a table was small, when all ways cost the same, does not outlive that.
 */

import type { Db } from '../connection/database.ts'
import { grownTables } from './analyse-sql.ts'

const leastRows = 200

/** How many tables were looked at. */
export const analyseGrown = async (db: Db): Promise<number> => {
  const tables = await grownTables(db, leastRows)
  // Names come from the catalogue, quoted by PostgreSQL: a name cannot be a parameter here.
  for (const { name } of tables) await db.run({ text: `analyze ${name}`, values: [] })
  return tables.length
}
