/**
 * Seals the queries of addresses that an earlier version stored whole. It runs at every start of the service: a node of that version
 * or a restored backup may have added such addresses. The batches are bounded, and several nodes may run it at once.
 */
import { smallestId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { EndpointSecrets } from './endpoint-secrets.ts'
import { splitUrl } from './endpoint-url.ts'
import { readWholeUrls, sealStoredQueries } from './seal-queries-sql.ts'

const endpoints_per_batch = 200

/** Returns how many queries were sealed. */
export const sealQueries = async (db: Session, secrets: Pick<EndpointSecrets, 'sealQuery'>): Promise<number> => {
  let sealed = 0
  let after: string = smallestId
  for (;;) {
    const rows = await readWholeUrls(db, after, endpoints_per_batch)
    if (rows.length === 0) return sealed
    const changes = rows.map(({ id, url: was }) => {
      const { url, query } = splitUrl(was)
      return { id, was, url, sealed: secrets.sealQuery(id, query)! }
    })
    sealed += (await sealStoredQueries(db, changes)).length
    after = rows.at(-1)!.id
  }
}
