/** Where a buyer's phone number may stand. */
export const buyerKinds = [
  'messages',
  'claimed_payers',
  'customers',
  'payment_links',
  'payments',
  'webhooks',
  'api_calls',
  'api_answers',
  'notices',
  'audit',
  'templates',
] as const
export type BuyerKind = (typeof buyerKinds)[number]

/** What is counted of each kind: rows that were found, what became of them, and rows of which it cannot be told. */
export const buyerCounts = ['found', 'erased', 'waiting', 'recent', 'fixed', 'unclear'] as const
