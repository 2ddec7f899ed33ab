/**
 * Whether a credit's slots hold words that a template does not expect there. A slot for a name takes any letters, so it would also
 * take the rest of a sentence: "will be credited tomorrow" after the payer. Such an alert is read, and waits for a member.
 *
 * - The payer must be a name (`sentence-words.ts`), and so must another slot for a name if it has names in every sample.
 * - Every other slot for text may have a sentence, such as a purpose. It must not have words that change what the message says,
 *   except those that it has in a sample.
 *
 * Slots of other types hold a number or a single word. Pure.
 */
import { stateWordIn, wordNotOfAName, wordsOf } from '../texts/sentence-words.ts'
import type { Fields } from './template.ts'
import type { Slot } from './template-sentence.ts'

/** `samples`: what the template reads in its samples; not needed for the payer. */
export const unexpectedWord = (
  slots: readonly Slot[],
  fields: Fields,
  samples: () => readonly Fields[],
): string | undefined => {
  for (const { name, type } of slots) {
    if (type !== 'name' && type !== 'any') continue
    const text = textOf(fields, name)
    if (text === undefined) continue
    const word = name === 'payer' ? wordNotOfAName(text) : wordOutOfPlace(text, type, textsIn(samples(), name))
    if (word !== undefined) return word
  }
  return undefined
}

const wordOutOfPlace = (text: string, type: Slot['type'], usual: readonly string[]): string | undefined => {
  const isName = type === 'name' && usual.length > 0 && usual.every((each) => wordNotOfAName(each) === undefined)
  return isName ? wordNotOfAName(text) : stateWordIn(text, new Set(usual.flatMap((each) => wordsOf(each).plain)))
}

const textOf = (fields: Fields, name: string): string | undefined =>
  name === 'payer' ? fields.payer : fields.others[name]

const textsIn = (samples: readonly Fields[], name: string): readonly string[] =>
  samples.flatMap((fields) => textOf(fields, name) ?? [])
