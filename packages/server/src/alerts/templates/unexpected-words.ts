/**
 * Whether a credit's slots hold words that a template does not expect there. A slot for a name takes any letters, so it would also
 * take the rest of a sentence: "will be credited tomorrow" after the payer. Such an alert is read, and waits for a member.
 *
 * - A name, and a payer of any type, must be a name (`sentence-words.ts`).
 * - Free text may be a sentence, such as a date or a purpose. It must not contain words that change what the message says, except
 *   those that this slot has in a sample.
 *
 * Other slots hold a number or a single word. Pure.
 */
import { stateWordIn, wordNotOfAName, wordsOf } from '../texts/sentence-words.ts'
import type { Fields } from './template.ts'
import type { Slot } from './template-sentence.ts'

/** `samples`: what the template reads in its samples; needed for free text only. */
export const unexpectedWord = (
  slots: readonly Slot[],
  fields: Fields,
  samples: () => readonly Fields[],
): string | undefined => {
  for (const { name, type } of slots) {
    if (type !== 'name' && type !== 'any') continue
    const text = textOf(fields, name)
    if (text === undefined) continue
    const isName = type === 'name' || name === 'payer'
    const word = isName ? wordNotOfAName(text) : stateWordIn(text, wordsInSamples(samples(), name))
    if (word !== undefined) return word
  }
  return undefined
}

const textOf = (fields: Fields, name: string): string | undefined =>
  name === 'payer' ? fields.payer : fields.others[name]

const wordsInSamples = (samples: readonly Fields[], name: string): ReadonlySet<string> =>
  new Set(samples.flatMap((fields) => wordsOf(textOf(fields, name) ?? '').plain))
