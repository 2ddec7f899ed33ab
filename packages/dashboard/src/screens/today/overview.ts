/** The type of the API's answer with the figures of the day. */
import type { Answer } from '../../api/call.ts'

export type Overview = Answer<'showOverview'>
