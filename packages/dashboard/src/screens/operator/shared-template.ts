/** A shared template as it is answered, and the fields that may be read in an alert. */
import type { Answer } from '../../api/call.ts'

export type Benched = Answer<'showSharedTemplate'>
export type Template = Benched['template']
export type Sample = Template['samples'][number]

export const readFields = ['amount', 'reference', 'payer', 'phone', 'balance', 'fee'] as const
export const templateStates = ['draft', 'active', 'retired'] as const
