/** The figures of the day as they are answered. */
import type { Answer } from '../../api/call.ts'

export type Overview = Answer<'showOverview'>
