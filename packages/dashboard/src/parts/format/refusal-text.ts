/** What the server refused, in the person's language where its code is known, in the server's own words otherwise. */
import type { ProblemEntry } from '../../api/call.ts'
import type { TextKey } from '../../words/all.ts'
import { isKnown } from '../../words/catalogue.ts'
import type { Say } from '../../words/language.ts'

/** The key of a code's text: the one for this very field, where there is one. */
export const refusalKey = ({ code, attr }: Pick<ProblemEntry, 'code' | 'attr'>): TextKey | undefined => {
  const field = attr?.split('.').findLast((part) => !/^\d+$|^non_field_errors$/.test(part))
  const key = [`refused.${code}.${field}`, `refused.${code}`].find(isKnown)
  return key as TextKey | undefined
}

export const refusalText = (entry: ProblemEntry, t: Say, facts: Readonly<Record<string, string>> = {}): string => {
  const key = refusalKey(entry)
  // The limit that was passed stands in the server's sentence, and nowhere else.
  return key === undefined ? entry.detail : t(key, { ...facts, n: /\d+(\.\d+)?/.exec(entry.detail)?.[0] ?? '' })
}
