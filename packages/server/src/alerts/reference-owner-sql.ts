import { owningStates } from './alert.ts'

/** The condition that an alert owns its reference: that of the unique index alerts_reference. */
export const ownsReference = (alert: string): string =>
  `${alert}.state in (${owningStates.map((state) => `'${state}'`).join(', ')}) and not ${alert}.spent_twice`
