/**
 * Sends an email to the owners of an account (`ownersOfAccount`). The caller records each owner who has the email, so that the next
 * try sends it only to the others.
 */

import type { Instant } from '../../core/clock.ts'
import type { Email, SendMailNow } from '../../core/email.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { mostPlaces } from '../people/most-places.ts'
import { ownersOfAccount } from '../people/user-sql.ts'

export type OwnersEmail = {
  readonly accountId: AccountId
  /** The id of the notice: with the owner's id it is the id of each email. */
  readonly id: string
  /** The name of the account, and its time zone; `''`: that of the service. */
  readonly write: (account: string, timeZone: string) => Omit<Email, 'to' | 'id'>
  /** When it happened. Who was an owner then, and was removed since, gets the email too: an intruder cannot keep it from them. */
  readonly at: Instant
  /** The owners who already have their email, or get another about the same. */
  readonly except: readonly UserId[]
  /** This owner has the email now, or can never receive it. */
  readonly onSent: (userId: UserId) => Promise<void>
}

/** `all`: there is no owner left to email. `some`: try the others later. `unavailable`: the mail server accepts nothing now. */
export type EmailOwners = (email: OwnersEmail) => Promise<'all' | 'some' | 'unavailable'>

/** Called after the commit of the change. */
export const ownersMailer =
  (db: Session, sendNow: SendMailNow): EmailOwners =>
  async ({ accountId, id, at, write, except, onSent }) => {
    let all = true
    for (const { user_id, email, account, time_zone } of await ownersOfAccount(
      db,
      wholeAccount(accountId),
      at,
      mostPlaces,
    )) {
      if (except.includes(user_id)) continue
      const outcome = await sendNow({ ...write(account, time_zone), to: email, id: `${id}.${user_id}` })
      if (outcome === 'unavailable') return 'unavailable'
      // One full mailbox does not delay the others.
      if (outcome === 'later') all = false
      else await onSent(user_id)
    }
    return all ? 'all' : 'some'
  }
