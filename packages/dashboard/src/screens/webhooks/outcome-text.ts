/** What came of an attempt, in words by its code; what the server says of one that is not known here stays as it is. */
import { hasText } from '../../words/catalogue.ts'
import type { Translate } from '../../words/language.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'

export const outcomeText = (
  { outcome, error }: { outcome: string; error: string },
  t: Translate<typeof webhooksWords>,
): string => {
  const key = `webhooks.came.${outcome}`
  return hasText(webhooksWords, key) ? t(key) : error
}
