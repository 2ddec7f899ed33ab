/**
 * For how long an account keeps what is not needed for ever. Every kind has a shortest time, which no setting goes below: the time
 * in which matching compares texts and payers, in which a member still decides, and in which what was done must be explainable. A
 * test compares these times with those that matching uses. Pure.
 */
import { type RetentionKind, retentionKinds } from '@sanad/contract/kinds'

export type { RetentionKind }

/** Days for each kind. */
export type Retention = Readonly<Record<RetentionKind, number>>

type Bounds = { readonly usual: number; readonly least: number }

/** In days. */
export const retentionBounds: Readonly<Record<RetentionKind, Bounds>> = {
  // A phone that was off, or a clock that is wrong, brings credits that are compared with those of the last 31 days and more.
  texts: { usual: 730, least: 45 },
  // A new template reads them again; until then a member looks at them.
  no_money: { usual: 180, least: 30 },
  // An intent may be open for 30 days, and its claimed payer is compared for as long as its amount rests.
  payers: { usual: 730, least: 45 },
  api_calls: { usual: 7, least: 1 },
  // The database itself refuses to delete an entry that is younger.
  audit: { usual: 1_825, least: 365 },
}

/** Ten years: books of a business are kept no longer anywhere that Sanad serves. */
export const longestRetention = 3_650

/** A text that a member had to decide about when its time came stays for this time more, at most. */
export const undecidedDays = 365

export const usualRetention: Retention = Object.freeze(
  Object.fromEntries(retentionKinds.map((kind) => [kind, retentionBounds[kind].usual])) as Record<
    RetentionKind,
    number
  >,
)

export const isRetention = (kind: RetentionKind, days: number): boolean =>
  Number.isInteger(days) && days >= retentionBounds[kind].least && days <= longestRetention

export type RetentionRead =
  | { readonly ok: true; readonly retention: Retention }
  | { readonly ok: false; readonly error: string }

const example = 'Example: {"texts": 365, "audit": 1825}'
const isKind = (name: string): name is RetentionKind => (retentionKinds as readonly string[]).includes(name)

/** Reads the operator's setting: absent or empty keeps every usual time, JSON replaces single ones. `error` is a sentence without
 *  the setting's name. */
export const readRetention = (setting: string | undefined): RetentionRead => {
  const text = setting?.trim() ?? ''
  if (text === '') return { ok: true, retention: usualRetention }
  const invalid = (sentence: string): RetentionRead => ({ ok: false, error: `${sentence} ${example}` })
  let changes: unknown
  try {
    changes = JSON.parse(text)
  } catch {
    return invalid('It is not JSON.')
  }
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
    return invalid('It must be an object of days.')
  for (const [name, days] of Object.entries(changes)) {
    if (!isKind(name))
      return invalid(`There is no kind "${name.slice(0, 40)}"; there are ${retentionKinds.join(', ')}.`)
    if (typeof days !== 'number' || !isRetention(name, days))
      return invalid(`"${name}" must be whole days from ${retentionBounds[name].least} to ${longestRetention}.`)
  }
  return { ok: true, retention: Object.freeze({ ...usualRetention, ...(changes as Partial<Retention>) }) }
}
