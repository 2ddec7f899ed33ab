/** The names of the API keys among the actors of a timeline, by their client ids. */
import { keyNames } from '../../accounts/keys/key-names-sql.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { keysIn } from './intent-timeline.ts'

/** `by`: actors as they are stored in timeline entries. */
export const actorNames = async (
  db: Session,
  scope: Scope,
  by: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const clients = keysIn(by)
  const rows = clients.length === 0 ? [] : await keyNames(db, scope, clients)
  return new Map(rows.map((row) => [row.client_id, row.name]))
}
