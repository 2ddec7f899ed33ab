/** Searches the entries of all accounts for twins: one account at a time, one page at a time. */
import type { AccountId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { walletEntriesAfter } from './twin-sql.ts'
import { twinsAmong } from './twins.ts'
import type { WalletEntry } from './wallet-identity.ts'
import { entryOf } from './wallet-identity-sql.ts'

const pageSize = 2_000
const lowestId = '00000000-0000-0000-0000-000000000000'

export type Twin = WalletEntry & { readonly accountId: AccountId }

/** Stops after `mostEntries` entries. */
export const findTwins = async (db: Session, mostEntries = Number.POSITIVE_INFINITY): Promise<Twin[][]> => {
  const found: Twin[][] = []
  let [checked, after]: [number, readonly [string, string]] = [0, [lowestId, lowestId]]
  let ofAccount: Twin[] = []
  while (checked < mostEntries) {
    const rows = await walletEntriesAfter(db, after, pageSize)
    for (const row of rows) {
      if (ofAccount[0] !== undefined && ofAccount[0].accountId !== row.account_id) {
        found.push(...twinsAmong(ofAccount))
        ofAccount = []
      }
      ofAccount.push({ ...entryOf(row), accountId: row.account_id })
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = [last.account_id, last.id]
    checked += rows.length
    if (rows.length < pageSize) break
  }
  return [...found, ...twinsAmong(ofAccount)]
}

/** How many entries are checked at the start of the service and for its health. */
const mostChecked = 20_000

/** How many real wallets have twins, among the first entries. */
export const countTwins = async (db: Session): Promise<number> => (await findTwins(db, mostChecked)).length
