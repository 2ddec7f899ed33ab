/**
 * Letters to all owners of an account, for whoever in the house has something to tell them and keeps account of who was
 * told: each letter is handed over once, and it is said at once who has theirs.
 */
import type { AccountId, UserId } from '../../core/ids.ts'
import type { HandMail, Letter } from '../../core/letter.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { ownersOf } from '../people/user-sql.ts'

export type ForOwners = {
  readonly accountId: AccountId
  /** Of what it tells: with the reader's, the name of each letter. */
  readonly id: string
  readonly write: (account: string) => Omit<Letter, 'to' | 'id'>
  /** Who has theirs already. */
  readonly except: readonly UserId[]
  /** Somebody has theirs now, or will never take any. */
  readonly done: (userId: UserId) => Promise<void>
}

/** `all`: nobody is left. `some`: the others another time. `away`: no letter goes anywhere now. */
export type WriteToOwners = (letters: ForOwners) => Promise<'all' | 'some' | 'away'>

/** After the commit of what they tell of. */
export const ownersWriter =
  (db: Session, hand: HandMail): WriteToOwners =>
  async ({ accountId, id, write, except, done }) => {
    let all = true
    for (const { user_id, email, account } of await ownersOf(db, accountId)) {
      if (except.includes(user_id)) continue
      const handed = await hand({ ...write(account), to: email, id: `${id}.${user_id}` })
      if (handed === 'away') return 'away'
      // One mailbox that is full does not keep the others waiting.
      if (handed === 'later') all = false
      else await done(user_id)
    }
    return all ? 'all' : 'some'
  }
