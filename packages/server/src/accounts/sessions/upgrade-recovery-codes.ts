/**
 * Converts recovery codes that an earlier version stored without a key. It runs at every start of the service: a node of that
 * version or a restored backup may have added such codes. The batches are bounded, and several nodes may run it at once.
 */
import { smallestId, type UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { keyRecoveryCodes, readPlainRecoveryCodes } from './recovery-code-sql.ts'
import type { SecondFactor } from './second-factor.ts'

const users_per_batch = 200

/** Returns how many users had such codes. */
export const upgradeRecoveryCodes = async (
  db: Session,
  factor: Pick<SecondFactor, 'keyedRecoveryHash'>,
): Promise<number> => {
  let users = 0
  let after: string = smallestId
  for (;;) {
    const rows = await readPlainRecoveryCodes(db, after, users_per_batch)
    if (rows.length === 0) return users
    const plain = rows.map(({ hash }) => hash)
    const ids = [...new Set(rows.map(({ user_id }): UserId => user_id))]
    users += (await keyRecoveryCodes(db, ids, plain, plain.map(factor.keyedRecoveryHash))).length
    after = rows.at(-1)!.user_id
  }
}
