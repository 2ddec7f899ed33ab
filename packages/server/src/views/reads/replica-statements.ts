/**
 * What people read that may come from a replica, and the statements of each. What is not listed is never read there; nothing that a
 * merchant's server calls is here (`packages/server/test/replica/replica-reads.test.ts`). Pure.
 */
export const replicaStatements = {
  charts: [
    'read_tally_progress',
    'figures_by_day',
    'waits_by_day',
    'arrived_in_periods',
    'first_credit',
    'funnel_in_periods',
  ],
  day_close: ['day_rows', 'movements_before', 'days_of_wallet', 'arrived_sums', 'takers_of'],
  exports: [
    'routed_list',
    'day_rows',
    'movements_before',
    'arrived_sums',
    'takers_of',
    'audit_of_account',
    'audit_of_object',
    'audit_of_user',
    'audit_of_action',
  ],
  operator: [
    'account_overviews',
    'search_account_overviews',
    'account_overview_by_id',
    'service_figures',
    'count_intents_since',
    'routed_list',
    'read_tally_progress',
    'read_tallied_total',
  ],
  search_counts: ['routed_list', 'read_tally_progress', 'read_tallied_total'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Reader = keyof typeof replicaStatements
