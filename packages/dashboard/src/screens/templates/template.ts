/** The API types of templates. */
import type { Answer } from '../../api/call.ts'

export type Template = Answer<'showTemplate'>
export type Provider = Answer<'listProviders'>['results'][number]
export type Sample = Template['samples'][number]
export type Expected = Sample['expect']
export type Reading = NonNullable<Answer<'readText'>['reading']>
export type Previewed = Answer<'previewTemplate'>['results'][number]
/** How a stored message is read: now (`is`), or with the draft (`would_be`). */
export type Standing = Previewed['is']

/** The editable fields of a template, without its samples. */
export type Wording = Pick<Template, 'name' | 'sender_names' | 'direction' | 'currency' | 'sentence'>

/** The slots of a sentence in order. */
export const slotsIn = (sentence: string): string[] =>
  [...sentence.matchAll(/(?<!\\)\{\s*([a-z][a-z0-9_]*)\s*:/g)].map(([, name]) => name!)

/** The expected values of a sample for a text that is read like this. */
export const expectedOf = ({ amount, reference, payer, phone, balance, fee }: Reading): Expected => ({
  amount,
  ...(reference === null ? {} : { reference }),
  ...(payer === null ? {} : { payer }),
  ...(phone === null ? {} : { phone }),
  ...(balance === null ? {} : { balance }),
  ...(fee === null ? {} : { fee }),
})
