/** The order of versions: three numbers. */

export const versionPattern = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/

const numbers = (version: string): number[] => version.split('.').map(Number)

export const isNewer = (one: string, other: string): boolean => {
  const [mine, theirs] = [numbers(one), numbers(other)]
  const differs = mine.findIndex((number, place) => number !== theirs[place])
  return differs !== -1 && mine[differs]! > theirs[differs]!
}
