/** The state of an unfinished delivery, as SQL that several statements share. */

/** True after a failed attempt, while the delivery waits for the next one or is being sent. As in the index deliveries_failed. */
export const hasFailed = (d: string): string => `(${d}.attempt > 1 or (${d}.attempt = 1 and ${d}.lease_id is null))`

/** `retrying`: an attempt has failed, and the next one is planned. */
export const stateOf = (d: string): string =>
  `case when ${d}.lease_id is not null then 'sending' when ${d}.attempt > 0 then 'retrying' else 'waiting' end`
