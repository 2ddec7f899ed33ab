/** What the server refused, in the person's language where its code is known, in the server's own words otherwise. */
import type { ProblemEntry } from '../api/call.ts'
import { all, type TextKey } from '../words/all.ts'
import type { Say } from '../words/language.ts'

export const refusalText = ({ code, detail }: ProblemEntry, t: Say): string => {
  const key = `refused.${code}`
  return Object.hasOwn(all.en, key) ? t(key as TextKey) : detail
}
