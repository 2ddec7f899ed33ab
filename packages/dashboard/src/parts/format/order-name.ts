/** The name of an intent for users: its order number, or its code if it has none. */
import type { Translate } from '../../words/language.ts'

export type OrderName = { readonly external_order_id: string; readonly code: string }

export const orderText = ({ external_order_id, code }: OrderName, t: Translate): string =>
  external_order_id === '' ? t('order.code', { code }) : t('order.named', { order: external_order_id })
