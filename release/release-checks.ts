/** What must be true of a commit before a release is made from it. */

export type Candidate = {
  readonly version: string
  /** What `git status` lists. */
  readonly changes: string
  readonly branch: string
  readonly commit: string
  /** The commit that has the tag of the version. */
  readonly tagged: string | undefined
  readonly notes: string | undefined
  /** Files with another version. */
  readonly disagreeing: readonly string[]
  readonly released: readonly { readonly version: string; readonly commit: string }[]
  readonly migrations: readonly string[]
  readonly pinned: Readonly<Record<string, readonly string[]>>
  readonly hashOf: (migration: string) => string
}

/** The reasons against a release; none: it can be made. */
export const whyNot = (candidate: Candidate): string[] => {
  const { version, commit, tagged } = candidate
  const reasons: string[] = []
  if (candidate.changes !== '') reasons.push('There are changes that are not committed.')
  if (candidate.branch !== 'main') reasons.push(`This is the branch ${candidate.branch}; releases are made from main.`)
  if (candidate.disagreeing.length > 0) reasons.push(`Another version is in ${candidate.disagreeing.join(', ')}.`)
  if (candidate.notes === undefined) reasons.push(`CHANGELOG.md has no part "${version}, DAY" with entries.`)
  if (tagged !== undefined && tagged !== commit) reasons.push(`v${version} is the tag of another commit, ${tagged}.`)
  const earlier = candidate.released.find((release) => release.version === version)
  if (earlier !== undefined && earlier.commit !== commit)
    reasons.push(
      `${version} was released from ${earlier.commit}: a release is never made again. Prepare a new version.`,
    )
  for (const name of candidate.migrations)
    if (candidate.pinned[name]?.[0] !== candidate.hashOf(name))
      reasons.push(`migrations/${name} is not the file that migrations/released.json pins.`)
  return reasons
}
