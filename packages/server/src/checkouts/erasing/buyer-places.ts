/** The texts of an account in which the phone number of a buyer may stand, besides messages, claimed payers and customers. */
import type { BuyerKind } from '@sanad/contract/buyer-kinds'
import type { TextPlace } from '../../postgres/tenancy/account-texts.ts'

export type BuyerPlace = TextPlace & {
  readonly kind: BuyerKind
  /** Whether the first column of the key begins with the time of the row. */
  readonly timed: boolean
  /** Nothing is changed there: the reason is in docs/decisions/0102. */
  readonly fixed?: true
  /** Characters become stars, and nothing else changes: the database refuses the rest. */
  readonly masked?: true
}

const id = [['id', 'uuid']] as const
const text = (...names: string[]) => names.map((name) => [name, 'text'] as const)
const json = (...names: string[]) => names.map((name) => [name, 'json'] as const)

export const buyerPlaces: readonly BuyerPlace[] = [
  { table: 'alerts', kind: 'messages', key: id, timed: true, texts: text('dismissed_why') },
  {
    table: 'checkouts',
    kind: 'customers',
    key: id,
    timed: true,
    texts: [
      ...text('external_order_id', 'description', 'return_url', 'cancel_url', 'search'),
      ...json('items', 'metadata'),
    ],
  },
  {
    table: 'payment_links',
    kind: 'payment_links',
    key: id,
    timed: true,
    texts: [...text('external_order_id', 'description', 'return_url'), ...json('metadata')],
  },
  {
    table: 'intents',
    kind: 'payments',
    key: id,
    timed: true,
    texts: [...text('external_order_id', 'notes', 'search_order'), ...json('items')],
  },
  {
    table: 'intent_moves',
    kind: 'payments',
    key: [
      ['intent_id', 'uuid'],
      ['id', 'uuid'],
    ],
    timed: true,
    texts: json('facts'),
  },
  {
    table: 'counter_sales',
    kind: 'payments',
    key: [['alert_id', 'uuid']],
    timed: true,
    texts: text('external_order_id', 'note'),
  },
  { table: 'limit_requests', kind: 'payments', key: id, timed: true, texts: [...text('reason'), ...json('change')] },
  { table: 'events', kind: 'webhooks', key: id, timed: true, texts: text('body') },
  {
    table: 'delivery_attempts',
    kind: 'webhooks',
    key: [
      ['delivery_id', 'uuid'],
      ['attempt', 'integer'],
    ],
    timed: false,
    texts: [...text('error'), ...json('request', 'response')],
  },
  {
    table: 'api_calls',
    kind: 'api_calls',
    key: id,
    timed: true,
    texts: text('path', 'request_body', 'error_body', 'hint', 'ignored'),
  },
  { table: 'idempotency_keys', kind: 'api_answers', key: [['key', 'text']], timed: false, texts: text('answer') },
  { table: 'owner_notices', kind: 'notices', key: id, timed: true, texts: json('facts') },
  { table: 'push_devices', kind: 'notices', key: id, timed: false, texts: json('message') },
  { table: 'audit_log', kind: 'audit', key: id, timed: true, texts: json('before', 'after'), masked: true },
  {
    table: 'alert_templates',
    kind: 'templates',
    key: id,
    timed: false,
    texts: json('samples', 'counter_samples'),
    fixed: true,
  },
]
