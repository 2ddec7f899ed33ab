/** Headers of a merchant's own as they are edited: those that are there, whose values nobody is shown, and new ones. */
export type HeaderRow = {
  readonly key: number
  readonly name: string
  /** Empty in one that is kept: its value stays. */
  readonly value: string
  readonly kept: boolean
}

export const rowsOf = (names: readonly string[]): HeaderRow[] =>
  names.map((name, key) => ({ key, name, value: '', kept: true }))

export const withOneMore = (rows: readonly HeaderRow[]): HeaderRow[] => [
  ...rows,
  { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '', value: '', kept: false },
]

/** A name that stands there twice: only one of the two could be sent. */
export const twiceIn = (rows: readonly HeaderRow[]): string | undefined => {
  const names = rows.map(({ name }) => name.trim().toLowerCase())
  return rows.find((_, at) => names[at] !== '' && names.indexOf(names[at]!) < at)?.name.trim()
}

/** What to ask for: a value sets, null takes away, what is not named stays. Undefined: nothing changes. */
export const headerChanges = (
  before: readonly string[],
  rows: readonly HeaderRow[],
): Record<string, string | null> | undefined => {
  const set = rows.flatMap(({ name, value, kept }) => {
    const trimmedName = name.trim()
    return trimmedName === '' || (kept && value === '') ? [] : [[trimmedName, value] as const]
  })
  const named = new Set(rows.map(({ name }) => name.trim().toLowerCase()))
  const gone = before.filter((name) => !named.has(name.toLowerCase())).map((name) => [name, null] as const)
  const changes = [...gone, ...set]
  return changes.length === 0 ? undefined : Object.fromEntries(changes)
}
