/**
 * The key that signs a release, and where its public half stands: in docs/agent.md and docs/releases.md, which come from the repository
 * and not from a service. `npm run release:prepare` writes it there, so that the commit of a release shows the key of its files; the
 * secret key is never in the repository.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const places = ['docs/agent.md', 'docs/releases.md'] as const
const line = /^\*\*The public key of our releases: (?:there is none yet\.|`([A-Za-z0-9+/=]{56})`\.)\*\*/m

/** Null: the page says that there is none. */
export const shownKey = (page: string): string | null => {
  const found = line.exec(page)
  if (found === null) throw new Error('the page has no line of the public key')
  return found[1] ?? null
}

export const withKey = (page: string, publicKey: string): string => {
  shownKey(page)
  return page.replace(line, `**The public key of our releases: \`${publicKey}\`.**`)
}

/** The keys that the pages show, without repetition. */
export const shownKeys = (root: string): (string | null)[] => [
  ...new Set(places.map((place) => shownKey(readFileSync(join(root, place), 'utf8')))),
]

/** Returns the files that were changed. */
export const showKey = (root: string, publicKey: string): string[] =>
  places.filter((place) => {
    const path = join(root, place)
    const page = readFileSync(path, 'utf8')
    if (shownKey(page) === publicKey) return false
    writeFileSync(path, withKey(page, publicKey))
    return true
  })

/** Why a release may not be made with this key, or without one. `publicKey` undefined: there is no key. */
export const whyNotSigned = (
  publicKey: string | undefined,
  shown: readonly (string | null)[],
  isUnsigned: boolean,
): string[] => {
  if (publicKey === undefined)
    return isUnsigned
      ? []
      : [
          'There is no key to sign with: set SANAD_RELEASE_KEY_FILE to its file (docs/releases.md), or say --unsigned: then the notes ' +
            'say UNSIGNED.',
        ]
  if (isUnsigned) return ['There is a key, and --unsigned says that nothing is signed: leave out one of them.']
  return shown.every((one) => one === publicKey)
    ? []
    : [
        'docs/agent.md or docs/releases.md does not show the public key that signs: run npm run release:prepare with the key, and commit.',
      ]
}

/** How the notes of a release say whether its files can be checked. */
export const signatureNotes = (publicKey: string | undefined): string =>
  publicKey === undefined
    ? '**UNSIGNED.** Nobody has signed the files of this release: `SHA256SUMS` tells that a file is whole, not where it is from.'
    : `Signed. Check with \`minisign -Vm SHA256SUMS -P ${publicKey}\`; the same key is in docs/agent.md of this version.`
