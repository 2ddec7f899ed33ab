/** The text of a refusal: in the user's language if its code is known, otherwise the server's English text. */
import type { ProblemEntry } from '../../api/call.ts'
import { hasText, type KeyOf } from '../../words/catalogue.ts'
import type { Translate } from '../../words/language.ts'
import { refusalWords } from '../../words/refusals.ts'
import { amountLimits, type TypedAmount } from './typed-amount.ts'

/** The key of a code's text, preferring the text for this field. */
export const refusalKey = ({
  code,
  attr,
}: Pick<ProblemEntry, 'code' | 'attr'>): KeyOf<typeof refusalWords> | undefined => {
  const field = attr?.split('.').findLast((part) => !/^\d+$|^non_field_errors$/.test(part))
  return [`refused.${code}.${field}`, `refused.${code}`].find((key) => hasText(refusalWords, key))
}

/** A limit as the value of a text: a whole number also selects the plural form. */
const limitIn = (limit: string): { readonly n: string | number; readonly count?: number } =>
  /^\d{1,15}$/.test(limit) ? { n: Number(limit), count: Number(limit) } : { n: limit }

export const refusalText = (
  entry: ProblemEntry,
  t: Translate,
  facts: Readonly<Record<string, string>> = {},
): string => {
  const key = refusalKey(entry)
  // The limit is only in the server's text.
  return key === undefined
    ? entry.detail
    : t(key, { ...facts, ...limitIn(/\d+(\.\d+)?/.exec(entry.detail)?.[0] ?? '') })
}

/** The text for a typed amount that is refused before it is sent: the same as that of the server's refusal. */
export const amountRefusal = (code: Extract<TypedAmount, { kind: 'no' }>['code'], t: Translate): string =>
  code === 'invalid' ? t('refused.invalid.amount') : t(`refused.${code}`, limitIn(String(amountLimits[code])))
