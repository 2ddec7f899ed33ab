/**
 * Writes the log of every change by a user or a command: the actor, the action, the object before and after, the address.
 * An entry is written in the transaction of its change: there is no change without an entry, and no entry for a change that
 * was rolled back. An entry never holds a secret: a field that is named like a secret makes the change fail. The mobile number of a
 * buyer is masked: an entry stays for years, and longer than the buyer is known.
 */
import type { AuditVia } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type AuditId, type NoticeId, timeOrderedId, type UserId } from '../../core/ids.ts'
import type { Db, Session } from '../../postgres/connection/database.ts'
import { type JoinedDb, joinTransaction } from '../../postgres/query/joined.ts'
import type { NewNotice, NewUserNotice, NoticeAbout, NoticeObject } from '../notices/owner-notice.ts'
import { writeNotices, writeUserNotices } from '../notices/write-notices.ts'
import type { ObjectKind } from '../people/visible-kinds.ts'
import { insertAudit } from './audit-sql.ts'
import { withoutBuyers } from './without-buyers.ts'

export type { ObjectKind }

/** `action`: the kind of object and what was done, such as `wallet.update`. */
export type Change = {
  readonly action: string
  readonly kind: ObjectKind
  readonly id: string
  readonly before?: unknown
  readonly after?: unknown
  /** Left out: the account that the user acts for. */
  readonly accountId?: AccountId | null
  /** The notice by which the owners are notified, in the dashboard and by email. Left out: the change is only logged. */
  readonly notice?: NoticeAbout
  /** The notice by which a user learns of a change that concerns themselves. */
  readonly userNotice?: Omit<NewUserNotice, 'id' | 'by'>
  /** The entry does not say from which address and browser the change came: its readers may be strangers to the user. */
  readonly hidesClient?: boolean
}

/** The user or command that makes a change, and where the request came from. */
export type Actor = {
  readonly accountId: AccountId | null
  readonly userId: UserId | null
  readonly actor: string
  readonly via: AuditVia
  readonly address: string
  readonly agent: string
}

const secretName = /"(?:[a-z_]*secret|password|token|code|headers|signing_key|recovery_codes)":/
const longestText = 20_000

const asText = (change: Change, value: unknown): string | null => {
  if (value === undefined) return null
  const whole = JSON.stringify(value)
  if (secretName.test(whole)) throw new Error('an audit entry would hold a secret')
  const text = withoutBuyers(change, whole)
  return text.length <= longestText ? text : JSON.stringify({ too_long: text.length })
}

export const recordChange = (session: Session, actor: Actor, change: Change, now: Instant) =>
  insertAudit(session, {
    id: timeOrderedId<AuditId>(now),
    accountId: change.accountId === undefined ? actor.accountId : change.accountId,
    at: now,
    userId: actor.userId,
    actor: actor.actor.slice(0, 300),
    via: actor.via,
    action: change.action,
    kind: change.kind,
    objectId: change.id.slice(0, 128),
    before: asText(change, change.before),
    after: asText(change, change.after),
    address: change.hidesClient ? '' : actor.address,
    agent: change.hidesClient ? '' : actor.agent,
  })

/** The notice for the owners; undefined: they get none. */
const noticeOf = (actor: Actor, change: Change, now: Instant): NewNotice | undefined => {
  const accountId = change.accountId === undefined ? actor.accountId : change.accountId
  if (change.notice === undefined) return undefined
  if (accountId === null) throw new Error(`${change.action} belongs to no account, so there are no owners to notify`)
  return {
    accountId,
    id: timeOrderedId<NoticeId>(now),
    ...change.notice,
    objectKind: change.kind as NoticeObject,
    objectId: change.id,
    by: actor.actor.slice(0, 300),
  }
}

const userNoticeOf = (actor: Actor, about: Change['userNotice'], now: Instant): NewUserNotice | undefined =>
  about && { ...about, id: timeOrderedId<NoticeId>(now), by: actor.actor.slice(0, 300) }

/** Adds a change to the audit entries of the transaction. */
export type WriteAudit = (change: Change) => void

/**
 * Runs `work` and writes its audit entries in one transaction. `work` uses the database that it is given and calls
 * `audit` for each change; work that ends in a refusal must not call it. The changes are returned with the result, so that the
 * caller can announce them after the commit.
 */
export const changeWithAudit = async <T>(
  db: Db,
  actor: Actor,
  now: Instant,
  work: (db: JoinedDb, audit: WriteAudit) => Promise<T>,
): Promise<{ readonly result: T; readonly changes: readonly Change[] }> => {
  const changes: Change[] = []
  const result = await db.transaction(async (tx) => {
    const outcome = await work(joinTransaction(tx), (change) => void changes.push(change))
    for (const change of changes) await recordChange(tx, actor, change, now)
    const notices = changes.flatMap((change) => noticeOf(actor, change, now) ?? [])
    await writeNotices(tx, notices, now)
    await writeUserNotices(
      tx,
      changes.flatMap(({ userNotice }) => userNoticeOf(actor, userNotice, now) ?? []),
      now,
    )
    return outcome
  })
  return { result, changes }
}
