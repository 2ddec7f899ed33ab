/**
 * What this device has announced, kept over a reload and shared by its tabs: each payment is announced once. Without storage a page
 * remembers it as long as it is open.
 */
import { readPreference, savePreference } from '../../words/preferences.ts'

const preference = 'counter-heard'
let inMemory: readonly string[] | undefined

const read = (): readonly string[] | undefined => {
  const stored = readPreference(preference)
  if (stored === null) return inMemory
  const ids = stored.split(' ').filter((id) => id !== '')
  return ids.length === 0 ? inMemory : ids
}

const save = (ids: readonly string[]): void => {
  inMemory = ids
  savePreference(preference, ids.join(' '))
}

/** Runs one at a time on this device, if the browser can do that. */
const alone = async (work: () => void): Promise<void> => {
  if (globalThis.navigator?.locks === undefined) work()
  else await navigator.locks.request('sanad-counter-heard', work)
}

/** Changes what was heard. `change` returns its result and what is remembered from now on. */
export const changeHeard = async <T>(
  change: (heard: readonly string[] | undefined) => { readonly result: T; readonly heard: readonly string[] },
): Promise<T> => {
  let outcome: { readonly result: T } | undefined
  await alone(() => {
    const next = change(read())
    save(next.heard)
    outcome = next
  })
  return outcome!.result
}
