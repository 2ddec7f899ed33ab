/** Filters of a list that are in the URL: a filtered list can be shared, and Back works. Pure. */
import type { CallName, CallQuery } from '../../api/call.ts'

/**
 * The filters in the URL, as parameters of a call. Their values are sent as they are: the service refuses those that it does
 * not know.
 */
export const filtersIn = <Name extends CallName>(
  params: URLSearchParams,
  names: readonly (keyof CallQuery<Name> & string)[],
): CallQuery<Name> => Object.fromEntries(names.map((name) => [name, params.get(name) ?? undefined])) as CallQuery<Name>

/** The parameters after the changes. An empty value removes its parameter. */
export const withFilters = (params: URLSearchParams, changes: Readonly<Record<string, string>>): URLSearchParams => {
  const changed = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes))
    if (value === '') changed.delete(name)
    else changed.set(name, value)
  return changed
}

/**
 * The end of a day, for a filter until this day: the API reads a date alone as its midnight, which would leave the day out.
 * It has no offset, so it is in the zone of the account. Any other text stays as it is.
 */
export const lastMomentOf = <T extends string | undefined>(day: T): T | `${string}T23:59:59.999999` =>
  day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59.999999` : day
