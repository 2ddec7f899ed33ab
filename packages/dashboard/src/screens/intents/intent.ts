/** The API type of one intent. */
import type { Answer } from '../../api/call.ts'

export type ShownIntent = Answer<'showIntent'>
