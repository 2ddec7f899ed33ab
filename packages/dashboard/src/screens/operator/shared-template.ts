/** The API types of a shared template. */
import type { Answer } from '../../api/call.ts'

/** A template, and the result of its check (`bench`). */
export type CheckedTemplate = Answer<'showSharedTemplate'>
export type Template = CheckedTemplate['template']
export type Sample = Template['samples'][number]

export const templateStates = ['draft', 'active', 'retired'] as const
