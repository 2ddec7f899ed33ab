/** What came of an attempt, in words by its code; what the server says of one that is not known here stays as it is. */
import type { TextKey } from '../../words/all.ts'
import { isKnown } from '../../words/catalogue.ts'
import type { Say } from '../../words/language.ts'

export const cameText = ({ outcome, error }: { outcome: string; error: string }, t: Say): string => {
  const key = `webhooks.came.${outcome}`
  return isKnown(key) ? t(key as TextKey) : error
}
