/** Reads and cuts CHANGELOG.md: a part for each version, newest first; what is not released yet is in the part "Unreleased". */

export type ChangelogPart = { readonly title: string; readonly text: string }

const heading = /^## (.+)$/gm

export const changelogParts = (changelog: string): ChangelogPart[] => {
  const starts = [...changelog.matchAll(heading)]
  return starts.map((start, n) => ({
    title: start[1]!,
    text: changelog.slice(start.index + start[0].length, starts[n + 1]?.index).trim(),
  }))
}

/** The title of a version's part: `0.2.0, 2026-11-18`. */
export const titleOf = (version: string, day: string): string => `${version}, ${day}`

/** The notes of a version, or undefined if the changelog has none. */
export const notesOf = (changelog: string, version: string): string | undefined =>
  changelogParts(changelog).find(({ title, text }) => title.startsWith(`${version}, `) && text !== '')?.text

/** What was unreleased becomes the part of the version. Without entries there is nothing to release. */
export const cutChangelog = (changelog: string, version: string, day: string): string => {
  const unreleased = changelogParts(changelog).find(({ title }) => title === 'Unreleased')
  if (unreleased === undefined || unreleased.text === '')
    throw new Error('CHANGELOG.md has nothing under "Unreleased".')
  return changelog.replace(/^## Unreleased$/m, () => `## ${titleOf(version, day)}`)
}

/** The changelog with an empty part "Unreleased" before all others. */
export const openChangelog = (changelog: string): string => {
  if (changelogParts(changelog)[0]?.title === 'Unreleased') throw new Error('CHANGELOG.md is open already.')
  return changelog.replace(/^(?=## )/m, '## Unreleased\n\n')
}
