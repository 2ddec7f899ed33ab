/**
 * Vacuums and analyses the tables after rows were inserted. Otherwise PostgreSQL and Sanad would do it in the
 * background during a measurement, and use CPU time of whatever is measured then.
 */
import type { Db } from '../../packages/server/src/postgres/connection/database.ts'

export const vacuumRows = async (db: Db): Promise<void> => {
  for (const table of ['intents', 'alerts']) await db.run({ text: `vacuum (analyze) ${table}`, values: [] })
}
