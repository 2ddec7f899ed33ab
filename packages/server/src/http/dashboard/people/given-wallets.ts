/** The wallets that a member is given: read from a body, and named for the audit log and for the member. */
import type { GivenWallets } from '../../../accounts/people/wallet-limit.ts'
import { refuse } from '../../../core/refusal.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import { listWallets } from '../../../views/wallets/wallet-sql.ts'
import { answerTo } from '../refusals.ts'

/** The wallets that were sent, if all are the account's. */
export const givenWallets = async (
  db: Session,
  scope: Scope,
  sent: readonly string[] | null,
): Promise<GivenWallets> => {
  if (sent === null) return null
  const own = (await listWallets(db, scope)).map(({ id }) => id)
  const found = own.filter((id) => sent.includes(id))
  if (found.length !== sent.length) throw answerTo(refuse('member_wallet_unknown'))
  return found
}

/** Given wallets with their names, in the order of the list of wallets. */
export const namedWallets = async (
  db: Session,
  scope: Scope,
  wallets: GivenWallets,
): Promise<{ readonly id: string; readonly name: string }[] | null> => {
  if (wallets === null) return null
  const own = await listWallets(db, scope)
  return own.filter(({ id }) => wallets.includes(id)).map(({ id, name }) => ({ id, name }))
}

/** The names of the wallets that the caller sees; null: all. For files, which say of which wallets they are. */
export const namesIn = async (db: Session, scope: Scope): Promise<string[] | null> =>
  (await namedWallets(db, scope, scope.wallets))?.map(({ name }) => name) ?? null

/** What an audit entry says about the wallets of a member or an invitation: their names, or that they are all. */
export const auditedWallets = async (db: Session, scope: Scope, wallets: GivenWallets): Promise<string[] | 'all'> =>
  (await namedWallets(db, scope, wallets))?.map(({ name }) => name) ?? 'all'
