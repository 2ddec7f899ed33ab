/** When an endpoint counts as failing, for notifications and for the figures of the day. Pure. */
import { minute_ms } from '../../core/duration.ts'

/** Nothing arrived for so long, and at least so many attempts failed. */
export const failingAfter_ms = 10 * minute_ms
export const failuresNeeded = 3
