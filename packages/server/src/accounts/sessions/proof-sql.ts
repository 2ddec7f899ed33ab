import type { Instant } from '../../core/clock.ts'
import type { SessionId, UserId } from '../../core/ids.ts'
import { at, instant, nullable } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/**
 * When the user of a session last proved that it is them. No row: the session is over, or the credentials were changed since it was
 * opened. Read for every call that needs a proof, and never cached. Index: primary keys.
 */
export const findProof = statement(
  'find_proof',
  { proved_at: nullable(instant()) },
  (id: SessionId, userId: UserId, now: Instant) => [id, userId, at(now)],
  `
  select s.proved_at
    from sessions s
    join users u on u.id = s.user_id and u.disabled_at is null and s.created_at >= u.valid_from
   where s.id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > $3`,
)

/**
 * Stores a proof. Not if the credentials were changed since the proof was checked ($4). A change of credentials ends the session,
 * so of two at once either the session is over here, or the change ends it afterwards. Index: primary keys.
 */
export const saveProof = statement(
  'save_proof',
  { proved_at: instant() },
  (id: SessionId, userId: UserId, now: Instant, validFrom: Instant) => [id, userId, at(now), at(validFrom)],
  `
  update sessions s set proved_at = greatest(s.proved_at, $3::timestamptz)
    from users u
   where s.id = $1 and s.user_id = $2 and u.id = s.user_id and u.valid_from = $4 and u.disabled_at is null
     and s.created_at >= u.valid_from and s.ended_at is null and s.expires_at > $3
  returning s.proved_at`,
)
