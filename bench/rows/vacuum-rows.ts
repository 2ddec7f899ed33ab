/**
 * What planting rows leaves to do (late entries of the search, dead rows, figures of the planner) is done before anything
 * is measured: PostgreSQL and Sanad would do it in the background meanwhile, and take a processor for it from whichever of
 * the two happens to be measured then.
 */
import type { Db } from '../../packages/server/src/postgres/connection/database.ts'

export const afterPlanting = async (db: Db): Promise<void> => {
  for (const table of ['intents', 'alerts']) await db.run({ text: `vacuum (analyze) ${table}`, values: [] })
}
