/** The API type of one intent, and what its screens ask of it. Pure. */
import type { Answer } from '../../api/call.ts'

export type ShownIntent = Answer<'showIntent'>
export type NearAlert = ShownIntent['nearest'][number]

/** Whether a message has the reference of the intent: it has arrived, and something else keeps it from counting. */
export const hasItsReference = ({ reference, differs }: Pick<NearAlert, 'reference' | 'differs'>): boolean =>
  reference !== '' && !differs.some(({ code }) => code === 'reference' || code === 'reference_not_attached')
