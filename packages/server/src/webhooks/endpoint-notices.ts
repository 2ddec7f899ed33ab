/**
 * What people must be told of an endpoint before it is too late: that it fails, and on which day it will be disabled; that
 * it was. Each is written with the fact (record-results.ts) and waits here for whoever tells it. Taking one is a claim for
 * some minutes: a teller that dies, or finds the mail away, leaves it to the next (work/tell-owners.ts). Who was told is
 * written down one by one: only who was being told in the instant of a crash may be told twice.
 */
import type { Instant } from '../ground/clock.ts'
import type { AccountId, EndpointId, NoticeId, UserId } from '../ground/ids.ts'
import type { Session } from '../postgres/database.ts'
import { markNoticeTold, markOwnerTold, type NoticeKind, takeNoticeRows } from './endpoint-notices-sql.ts'

export type Notice = {
  readonly accountId: AccountId
  readonly id: NoticeId
  readonly endpointId: EndpointId
  readonly url: string
  /** `failing`: it will be disabled. `disabled`: it was, for failing. `gone`: it was, because it answered 410. */
  readonly kind: NoticeKind
  readonly failingSince: Instant | null
  readonly failures: number
  readonly disablesAt: Instant | null
  readonly at: Instant
  /** The owners who have their letter. */
  readonly told: readonly UserId[]
  /** It is so still: it fails on, or nobody has enabled it since. */
  readonly isSo: boolean
}

const taken_ms = 300_000

type Row = Awaited<ReturnType<typeof takeNoticeRows>>[number]

const isSo = ({ kind, failing_since, at, enabled, deleted, still_since, disabled_at }: Row): boolean =>
  !deleted && (kind === 'failing' ? enabled && still_since === failing_since : !enabled && disabled_at === at)

export const takeNotices = async (db: Session, limit: number, now: Instant): Promise<Notice[]> =>
  (await takeNoticeRows(db, now, now + taken_ms, limit)).map((row) => ({
    accountId: row.account_id,
    id: row.id,
    endpointId: row.endpoint_id,
    url: row.url,
    kind: row.kind,
    failingSince: row.failing_since,
    failures: row.failures,
    disablesAt: row.disables_at,
    at: row.at,
    told: JSON.parse(row.told),
    isSo: isSo(row),
  }))

/** One of them was, or takes no letters; there is as much time again for the next. */
export const ownerTold = async (
  db: Session,
  { accountId, id }: Notice,
  userId: UserId,
  now: Instant,
): Promise<void> => {
  await markOwnerTold(db, accountId, id, userId, now + taken_ms)
}

/** After all were told; or when it is too late to tell anybody. */
export const noticeTold = async (db: Session, { accountId, id }: Notice, now: Instant): Promise<void> => {
  await markNoticeTold(db, accountId, id, now)
}
