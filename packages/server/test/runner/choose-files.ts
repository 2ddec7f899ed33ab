/** Reads the words after `npm test --`, and finds the test files that they name. Pure. */
import { basename } from 'node:path'

export type Request = {
  readonly words: readonly string[]
  /** A pattern of test names. */
  readonly name: string | undefined
  readonly slow: boolean
  readonly watch: boolean
}

export const usage = `npm test -- [path of a file or folder | part of a file name] ... [--name PATTERN] [--watch] [--slow]`

const isPattern = (text: string): boolean => {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

export const readRequest = (args: readonly string[]): Request => {
  const words: string[] = []
  let [name, slow, watch]: [string | undefined, boolean, boolean] = [undefined, false, false]
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (arg === '--slow') slow = true
    else if (arg === '--watch') watch = true
    else if (arg === '--name' || arg.startsWith('--name=')) {
      name = arg === '--name' ? args[++at] : arg.slice('--name='.length)
      if (name === undefined || name === '') throw new Error(`--name needs a pattern\n${usage}`)
      if (!isPattern(name)) throw new Error(`"${name}" is no pattern\n${usage}`)
    } else if (arg.startsWith('-')) throw new Error(`${arg} is not known\n${usage}`)
    else words.push(arg)
  }
  if (watch && words.length === 0) throw new Error(`--watch needs files\n${usage}`)
  return { words, name, slow, watch }
}

export const isSlow = (path: string): boolean => path.endsWith('.slow.test.ts')

/** `path` is relative to the root of the repository, with slashes. A folder may be named without the folders above it. */
const matches = (path: string, word: string): boolean => {
  const asked = word.replace(/^\.\//, '').replace(/\/$/, '')
  if (asked === '' || asked === '.' || `/${path}`.includes(`/${asked}/`)) return true
  return (asked.includes('/') ? path : basename(path)).includes(asked)
}

/**
 * The files that the words name. Of a folder or a part of a name, slow files are left out, unless `slow` is set, or the word
 * names only slow files. A word that names no file is an error.
 */
export const filesNamed = (every: readonly string[], words: readonly string[], slow: boolean): string[] => {
  const found = words.flatMap((word) => {
    const all = every.filter((path) => matches(path, word))
    if (all.length === 0)
      throw new Error(`No test file has "${word}" in its name, and no folder with tests is called so.`)
    const fast = all.filter((path) => !isSlow(path))
    return slow || fast.length === 0 ? all : fast
  })
  return [...new Set(found)]
}
