import { ownsReference } from '../alerts/reference-owner-sql.ts'
import { bool, instant, nullable, text } from '../postgres/query/columns.ts'
import { onlyRow, type RowOf } from '../postgres/query/statement.ts'
import type { PageClaim } from './page-claim.ts'

/** The reference that was refused last to a PENDING intent `i`; null: none was. */
export const claimColumns = {
  claimed_reference: nullable(text()),
  claimed_paid: bool(),
  claimed_until: nullable(instant()),
}

/** The columns above as a select list, in the same order. Index: alerts_reference, intents_reference_held. */
export const claimFields = `
         q.reference as claimed_reference,
         exists (select from alerts m
                  where m.identity = q.identity and m.reference_key = q.reference_key and ${ownsReference('m')}
                    and m.state in ('matched', 'booked')) as claimed_paid,
         (select h.expires_at from intents h
           where h.status = 'PENDING'
             and ${onlyRow('h.identity = q.identity', 'h.reference_key', 'q.reference_key')}) as claimed_until`

/** Joins the row `q` that the columns need. Index: primary key of reference_claims. */
export const joinClaim = `
    left join lateral (
         select q.identity, q.reference_key, q.reference
           from reference_claims q
          where q.account_id = i.account_id and q.intent_id = i.id and i.status = 'PENDING'
          order by q.claimed_at desc, q.reference_key
          limit 1) as q on true`

export const claimOf = (row: RowOf<typeof claimColumns>): PageClaim | undefined =>
  row.claimed_reference === null
    ? undefined
    : { reference: row.claimed_reference, paid: row.claimed_paid, until: row.claimed_until }
