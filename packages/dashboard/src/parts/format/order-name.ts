/** How a user knows an intent: by the order number, or by its code where there is none. */
import type { Translate } from '../../words/language.ts'
import type { unmatchedWords } from '../../words/screens/unmatched.ts'

export type Ordered = { readonly external_order_id: string; readonly code: string }

export const orderText = ({ external_order_id, code }: Ordered, t: Translate<typeof unmatchedWords>): string =>
  external_order_id === '' ? t('order.code', { code }) : t('order.named', { order: external_order_id })
