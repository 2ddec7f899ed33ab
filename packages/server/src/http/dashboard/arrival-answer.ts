/** What arrived for an intent, and what was forgiven, as the dashboard gets it. Pure. */
import type { ArrivalFields } from '@sanad/contract/dashboard/money/arrival'
import { formatMinor } from '../../core/money.ts'
import type { Arrival } from '../../intents/arrival.ts'

const none: ArrivalFields = { arrived_amount: null, forgiven_amount: null, excess_amount: null }

/** `arrival`: null for an intent that is not VERIFIED. */
export const arrivalAnswer = (arrival: Arrival | null): ArrivalFields =>
  arrival === null
    ? none
    : {
        arrived_amount: formatMinor(arrival.arrived),
        forgiven_amount: formatMinor(arrival.forgiven),
        excess_amount: formatMinor(arrival.excess),
      }
