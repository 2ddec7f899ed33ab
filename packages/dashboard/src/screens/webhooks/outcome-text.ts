/** The result of an attempt as text; for an unknown code the server's text. */
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
