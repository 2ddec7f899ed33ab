/** One intent with all that is known of it, as it is answered. */
import type { Answer } from '../../api/call.ts'

export type Shown = Answer<'showIntent'>
