/**
 * Emails to all owners of an account. Each owner's email is handed to the mail server once, and the caller is told at
 * once who has theirs.
 */

import type { Email, SendMailNow } from '../../core/email.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { ownersOf } from '../people/user-sql.ts'

export type OwnersEmail = {
  readonly accountId: AccountId
  /** The id of the notice: with the owner's id it is the id of each email. */
  readonly id: string
  readonly write: (account: string) => Omit<Email, 'to' | 'id'>
  /** The owners who have theirs already. */
  readonly except: readonly UserId[]
  /** This owner has theirs now, or can never receive one. */
  readonly done: (userId: UserId) => Promise<void>
}

/** `all`: every owner is done. `some`: the others later. `away`: the mail server takes nothing now. */
export type EmailOwners = (letters: OwnersEmail) => Promise<'all' | 'some' | 'away'>

/** Called after the commit of the change. */
export const ownersMailer =
  (db: Session, hand: SendMailNow): EmailOwners =>
  async ({ accountId, id, write, except, done }) => {
    let all = true
    for (const { user_id, email, account } of await ownersOf(db, accountId)) {
      if (except.includes(user_id)) continue
      const handed = await hand({ ...write(account), to: email, id: `${id}.${user_id}` })
      if (handed === 'away') return 'away'
      // One full mailbox does not delay the others.
      if (handed === 'later') all = false
      else await done(user_id)
    }
    return all ? 'all' : 'some'
  }
