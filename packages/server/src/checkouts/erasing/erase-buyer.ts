/**
 * Finds and erases what an account keeps of a buyer, by phone number. One step is one transaction over a bounded number of rows, and
 * says where the next one begins: a step that is killed leaves nothing half done, and one that is repeated finds nothing to do.
 */
import { type BuyerKind, buyerKinds } from '@sanad/contract/buyer-kinds'
import type { WriteAudit } from '../../accounts/audit/audit.ts'
import { allowMasking } from '../../accounts/audit/mask-audit-sql.ts'
import { retentionBounds } from '../../accounts/retention/retention.ts'
import { keyedAlert } from '../../alerts/erasing/erase-alerts.ts'
import { alertsToErase, eraseMessages, eraseTexts } from '../../alerts/erasing/erased-alerts-sql.ts'
import type { Hiding } from '../../alerts/hidden/hidden-text.ts'
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { firstIdAt, largestId, smallestId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import { type BuyerPhone, buyerPhone } from '../../matching/payers/buyer-phone.ts'
import { claimedPayersAfter, removeClaimedPayer } from '../../matching/payers/claimed-payer-sql.ts'
import { comparePhones } from '../../matching/rules/payer-phone.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { readTexts, replaceTexts } from '../../postgres/tenancy/account-texts.ts'
import { searchText } from '../checkout-sql.ts'
import { type BuyerPlace, buyerPlaces } from './buyer-places.ts'
import { checkoutsToErase, eraseCustomerRows } from './erase-customers-sql.ts'

/** What became of a row with the number. `found`: it was only looked for. */
type Outcome = 'found' | 'erased' | 'waiting' | 'recent' | 'fixed'

export type BuyerCount = Record<Outcome | 'unclear', number> & { oldest: Instant | null; newest: Instant | null }
export type BuyerStep = {
  readonly counts: Readonly<Record<BuyerKind, BuyerCount>>
  readonly lookedAt: number
  /** Null: everything was looked at. */
  readonly cursor: string | null
}

type Job = {
  readonly tx: Tx
  readonly hiding: Hiding
  readonly scope: Scope
  readonly phone: BuyerPhone
  readonly erases: boolean
  /** Rows with this id or a later one are still compared with new messages. */
  readonly firstRecent: string
  readonly now: Instant
  readonly counts: Record<BuyerKind, BuyerCount>
}

/** Rows that were looked at, and the key of the last one. */
type Looked = { readonly rows: number; readonly last: readonly string[] }

/** How much one step looks at. */
export const buyerStepRows = 2_000

const timeOf = (id: string): Instant => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const note = (job: Job, kind: BuyerKind, outcome: Outcome, id: string | undefined): void => {
  const count = job.counts[kind]
  count.found++
  if (outcome !== 'found') count[outcome]++
  if (id === undefined) return
  const time = timeOf(id)
  count.oldest = Math.min(count.oldest ?? time, time)
  count.newest = Math.max(count.newest ?? time, time)
}

/** A field that holds one number and nothing else, or a text with it. */
const names = ({ phone }: Job, texts: readonly (string | null)[]): boolean =>
  texts.some((text) => text !== null && (phone.isIn(text) || comparePhones(phone.digits, text) === 'same'))

const countUnclear = ({ phone, counts }: Job, kind: BuyerKind, texts: readonly (string | null)[]): void => {
  if (texts.some((text) => text !== null && phone.mayBeIn(text))) counts[kind].unclear++
}

const lookAtMessages = async (job: Job, after: string, most: number): Promise<Looked> => {
  const { tx, hiding, scope, firstRecent, now } = job
  const rows = await alertsToErase(tx, scope, after, largestId, most)
  const due: typeof rows = []
  for (const row of rows) {
    const texts = [row.raw_text, row.title, row.payer]
    if (!names(job, texts)) countUnclear(job, 'messages', texts)
    else if (row.undecided) note(job, 'messages', 'waiting', row.id)
    else if (row.id >= firstRecent) note(job, 'messages', 'recent', row.id)
    else if (job.erases) due.push(row)
    else note(job, 'messages', 'found', row.id)
  }
  const keyed = (money: boolean) =>
    due.filter((row) => row.money === money).map((row) => keyedAlert(scope, hiding, row))
  const erased = new Set<string>()
  for (const [alerts, erase] of [
    [keyed(true), (list: ReturnType<typeof keyed>) => eraseTexts(tx, scope, list, false, now)],
    [keyed(false), (list: ReturnType<typeof keyed>) => eraseMessages(tx, scope, list, now)],
  ] as const)
    if (alerts.length > 0) for (const { id } of await erase(alerts)) erased.add(id)
  // One that began to wait for a member meanwhile is left.
  for (const { id } of due) note(job, 'messages', erased.has(id as never) ? 'erased' : 'waiting', id)
  return { rows: rows.length, last: rows.length === 0 ? [] : [rows.at(-1)!.id] }
}

const lookAtClaims = async (job: Job, after: string, most: number): Promise<Looked> => {
  const { tx, scope, firstRecent } = job
  const rows = await claimedPayersAfter(tx, scope, after, most)
  for (const { intent_id: id, name, phone } of rows) {
    const texts = [name, phone]
    if (!names(job, texts)) countUnclear(job, 'claimed_payers', texts)
    else if (id >= firstRecent) note(job, 'claimed_payers', 'recent', id)
    else {
      if (job.erases) await removeClaimedPayer(tx, scope, id)
      note(job, 'claimed_payers', job.erases ? 'erased' : 'found', id)
    }
  }
  return { rows: rows.length, last: rows.length === 0 ? [] : [rows.at(-1)!.intent_id] }
}

const lookAtCustomers = async (job: Job, after: string, most: number): Promise<Looked> => {
  const { tx, scope, firstRecent } = job
  const rows = await checkoutsToErase(tx, scope, after, largestId, most)
  for (const row of rows) {
    const texts = [row.customer_name, row.customer_phone]
    if (!names(job, texts)) countUnclear(job, 'customers', texts)
    else if (row.id >= firstRecent) note(job, 'customers', 'recent', row.id)
    else {
      const { id, external_order_id: externalOrderId, description } = row
      if (job.erases)
        await eraseCustomerRows(tx, scope, [
          { id, search: searchText({ externalOrderId, description, customerName: '', customerPhone: '' }) },
        ])
      note(job, 'customers', job.erases ? 'erased' : 'found', id)
    }
  }
  return { rows: rows.length, last: rows.length === 0 ? [] : [rows.at(-1)!.id] }
}

const lookAtTexts =
  (place: BuyerPlace) =>
  async (job: Job, after: readonly string[], most: number): Promise<Looked> => {
    const { tx, scope, phone } = job
    const rows = await readTexts(tx, place, scope.accountId, after, most)
    for (const row of rows) {
      const id = place.timed ? row.key[0] : undefined
      if (!row.texts.some((text) => text !== null && phone.isIn(text))) {
        countUnclear(job, place.kind, row.texts)
      } else if (place.fixed) note(job, place.kind, 'fixed', id)
      else if (!job.erases) note(job, place.kind, 'found', id)
      else {
        if (place.masked) await allowMasking(tx)
        const erased = place.masked ? phone.maskedIn : phone.erasedFrom
        const replaced = row.texts.map((text) => (text === null ? null : erased(text)))
        // A row that was written meanwhile is found by the next search.
        const done = await replaceTexts(tx, place, scope.accountId, row, replaced)
        note(job, place.kind, done ? 'erased' : 'found', id)
      }
    }
    return { rows: rows.length, last: rows.at(-1)?.key ?? [] }
  }

type Look = (job: Job, after: readonly string[], most: number) => Promise<Looked>

const byId =
  (look: (job: Job, after: string, most: number) => Promise<Looked>): Look =>
  (job, after, most) =>
    look(job, after[0] ?? smallestId, most)

const looks: readonly Look[] = [
  byId(lookAtMessages),
  byId(lookAtClaims),
  byId(lookAtCustomers),
  ...buyerPlaces.map(lookAtTexts),
]

type Cursor = readonly [place: number, after: readonly string[]]

const cursorText = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Undefined: no step ended there. */
const readCursor = (text: string | undefined): Cursor | undefined => {
  if (text === undefined) return [0, []]
  try {
    const [place, after] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [number, string[]]
    const key = buyerPlaces[place - 3]?.key ?? ([['id', 'uuid']] as const)
    const fits = (value: unknown, type: string): boolean =>
      typeof value === 'string' &&
      (type === 'uuid' ? uuid.test(value) : type === 'integer' ? /^\d{1,9}$/.test(value) : !value.includes('\0'))
    if (!Number.isInteger(place) || looks[place] === undefined || !Array.isArray(after)) return undefined
    if (after.length > 0 && (after.length !== key.length || !key.every(([, type], n) => fits(after[n], type))))
      return undefined
    return [place, after]
  } catch {
    return undefined
  }
}

const noCount = (): BuyerCount => ({
  found: 0,
  erased: 0,
  waiting: 0,
  recent: 0,
  fixed: 0,
  unclear: 0,
  oldest: null,
  newest: null,
})

export const noBuyerCounts = (): Record<BuyerKind, BuyerCount> =>
  Object.fromEntries(buyerKinds.map((kind) => [kind, noCount()])) as Record<BuyerKind, BuyerCount>

export type BuyerRequest = {
  readonly phone: string
  readonly cursor: string | undefined
  /** At most so many rows. */
  readonly most: number
}

const step = async (
  tx: Tx,
  hiding: Hiding,
  scope: Scope,
  { phone: typed, cursor, most }: BuyerRequest,
  erases: boolean,
  now: Instant,
): Promise<(BuyerStep & { readonly phone: BuyerPhone }) | Refusal<'buyer_phone' | 'buyer_cursor'>> => {
  const phone = buyerPhone(typed)
  if (phone === undefined) return refuse('buyer_phone')
  const begin = readCursor(cursor)
  if (begin === undefined) return refuse('buyer_cursor')
  const firstRecent = firstIdAt(now - retentionBounds.texts.least * day_ms)
  const counts = noBuyerCounts()
  const job: Job = { tx, hiding, scope, phone, erases, firstRecent, now, counts }
  let [place, after] = begin
  let lookedAt = 0
  while (lookedAt < most) {
    const look = looks[place]
    if (look === undefined) return { phone, counts, lookedAt, cursor: null }
    const wanted = Math.min(most - lookedAt, 500)
    const { rows, last } = await look(job, after, wanted)
    lookedAt += rows
    ;[place, after] = rows < wanted ? [place + 1, []] : [place, last]
  }
  return { phone, counts, lookedAt, cursor: looks[place] === undefined ? null : cursorText([place, after]) }
}

/** Counts, and changes nothing. */
export const findBuyer = (tx: Tx, hiding: Hiding, scope: Scope, request: BuyerRequest, now: Instant) =>
  step(tx, hiding, scope, request, false, now)

/** The entry of the audit log says how many rows of each kind, and the last two digits of the number. */
export const eraseBuyer = async (
  tx: Tx,
  audit: WriteAudit,
  hiding: Hiding,
  scope: Scope,
  request: BuyerRequest,
  now: Instant,
): Promise<BuyerStep | Refusal<'buyer_phone' | 'buyer_cursor'>> => {
  const done = await step(tx, hiding, scope, request, true, now)
  if ('refused' in done) return done
  const erased = Object.entries(done.counts).flatMap(([kind, { erased: rows }]) => (rows === 0 ? [] : [[kind, rows]]))
  if (erased.length > 0)
    audit({
      action: 'account.erase_buyer',
      kind: 'account',
      id: scope.accountId,
      accountId: scope.accountId,
      after: { number_ends: done.phone.digits.slice(-2), rows: Object.fromEntries(erased) },
    })
  return done
}
