/** The merchant's own headers while they are edited: existing ones, whose values are never shown, and new ones. */
export type HeaderRow = {
  readonly key: number
  readonly name: string
  /** An empty value of an existing header leaves it unchanged. */
  readonly value: string
  readonly existing: boolean
}

export const rowsOf = (names: readonly string[]): HeaderRow[] =>
  names.map((name, key) => ({ key, name, value: '', existing: true }))

export const withEmptyRow = (rows: readonly HeaderRow[]): HeaderRow[] => [
  ...rows,
  { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '', value: '', existing: false },
]

/** A name that two rows have; undefined: none. Only one of the two could be sent. */
export const duplicateName = (rows: readonly HeaderRow[]): string | undefined => {
  const names = rows.map(({ name }) => name.trim().toLowerCase())
  return rows.find((_, at) => names[at] !== '' && names.indexOf(names[at]!) < at)?.name.trim()
}

/** The change to send: a value sets a header, null removes it, the others stay. Undefined: nothing changes. */
export const headerChanges = (
  before: readonly string[],
  rows: readonly HeaderRow[],
): Record<string, string | null> | undefined => {
  const set = rows.flatMap(({ name, value, existing }) => {
    const trimmedName = name.trim()
    return trimmedName === '' || (existing && value === '') ? [] : [[trimmedName, value] as const]
  })
  const kept = new Set(rows.map(({ name }) => name.trim().toLowerCase()))
  const removed = before.filter((name) => !kept.has(name.toLowerCase())).map((name) => [name, null] as const)
  const changes = [...removed, ...set]
  return changes.length === 0 ? undefined : Object.fromEntries(changes)
}
