/** The API type of the day's figures. */
import type { Answer } from '../../api/call.ts'

export type Overview = Answer<'showOverview'>
