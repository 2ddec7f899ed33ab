/** Filters of a list that are in the URL: a filtered list can be shared, and Back works. Pure. */

/** The parameters after the changes. An empty value removes its parameter. */
export const withFilters = (params: URLSearchParams, changes: Readonly<Record<string, string>>): URLSearchParams => {
  const changed = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes))
    if (value === '') changed.delete(name)
    else changed.set(name, value)
  return changed
}
