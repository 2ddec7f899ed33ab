/** A reference that is to be attached to an intent, with the id of its timeline entry. Pure. */
import type { Instant } from '../core/clock.ts'
import type { AccountId } from '../core/ids.ts'

export type Attachment = {
  readonly accountId: AccountId
  readonly id: string
  readonly reference: string
  readonly referenceKey: string
  readonly entryId: string
  readonly by: string
  readonly now: Instant
}
