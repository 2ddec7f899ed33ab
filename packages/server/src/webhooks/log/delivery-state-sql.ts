/** The state of an unfinished delivery, as SQL that every statement shares. */

/** An attempt has failed, and it will be tried again or is being tried again. The predicate of the index deliveries_failed. */
export const hasFailed = (d: string): string => `(${d}.attempt > 1 or (${d}.attempt = 1 and ${d}.lease_id is null))`

/** `retrying`: an attempt has failed, the next one is planned. */
export const stateOf = (d: string): string =>
  `case when ${d}.lease_id is not null then 'sending' when ${d}.attempt > 0 then 'retrying' else 'waiting' end`
