/** Letters to all owners of an account, for whoever in the house has something to tell them. */
import type { AccountId } from '../ground/ids.ts'
import type { Letter, SendMail } from '../ground/letter.ts'
import type { Session } from '../postgres/database.ts'
import { ownersOf } from './person-sql.ts'

export type WriteToOwners = (accountId: AccountId, write: (account: string) => Omit<Letter, 'to'>) => Promise<void>

/** After the commit of what they tell of. */
export const ownersWriter =
  (db: Session, send: SendMail): WriteToOwners =>
  async (accountId, write) => {
    for (const { email, account } of await ownersOf(db, accountId)) send({ ...write(account), to: email })
  }
