/**
 * The marks in a message: parts of its text, each with its slot. The keyboard moves by words; a mouse can mark any
 * part. Marks do not overlap. Each slot is marked once at most, except `changing`. Pure.
 */

/** `from` and `to` count UTF-16 units. */
export type Part = { readonly from: number; readonly to: number }
export type Mark = Part & { readonly slot: string }

/**
 * The slots that a part of a message can be marked as, the most likely first. `changing`: a part that differs in each
 * message and has no meaning for Sanad.
 */
export const slotNames = ['amount', 'reference', 'payer', 'phone', 'balance', 'fee', 'changing'] as const
export type SlotName = (typeof slotNames)[number]

/** The name of a mark's slot. A slot that is not in `slotNames` (`text_1:any`) is a changing part. */
export const slotNameOf = (slot: string): SlotName => slotNames.find((name) => name === slot) ?? 'changing'

// A word is: digits with separators; letters and digits together, as in references and masked numbers; letters; or any
// other single character.
const word =
  /\p{Nd}+(?:[.,٬٫]\p{Nd}+)*(?![A-Za-z\p{Nd}*•-]*\p{Nd})|[A-Za-z]+(?=\p{Nd}+(?![A-Za-z-]))|[+A-Za-z\p{Nd}*#•]+(?:-[A-Za-z\p{Nd}*#•]+)*|[\p{L}\p{M}*•_'’]+|[^\s]/gu

/** The words of a message in order, without the white space between them. */
export const wordsIn = (text: string): Part[] =>
  [...text.matchAll(word)].map(({ index, 0: matched }) => ({ from: index, to: index + matched.length }))

const overlap = (one: Part, other: Part): boolean => one.from < other.to && other.from < one.to

export const markOver = (marks: readonly Mark[], part: Part): Mark | undefined =>
  marks.find((mark) => overlap(mark, part))

export const withoutMark = (marks: readonly Mark[], removed: Mark): Mark[] => marks.filter((mark) => mark !== removed)

/** Replaces marks at the same place, and an earlier mark of the same slot. */
export const withMark = (marks: readonly Mark[], part: Part, name: SlotName): Mark[] => {
  const others = marks.filter((mark) => !overlap(mark, part) && mark.slot !== name)
  const taken = new Set(others.map(({ slot }) => slot))
  let number = 1
  while (taken.has(`text_${number}:any`)) number++
  const slot = name === 'changing' ? `text_${number}:any` : name
  return [...others, { ...part, slot }].sort((one, other) => one.from - other.from)
}

/** Trims white space at both ends. Undefined: nothing is left. */
export const trimmed = (text: string, { from, to }: Part): Part | undefined => {
  const matched = text.slice(from, to)
  const start = from + (matched.length - matched.trimStart().length)
  const end = start + matched.trim().length
  return start < end ? { from: start, to: end } : undefined
}

export type Piece = Part & { readonly word: number | undefined; readonly mark: Mark | undefined }

/** The text in pieces, each entirely inside or outside of every word, mark and selection. */
export const piecesOf = (
  text: string,
  words: readonly Part[],
  marks: readonly Mark[],
  chosen: Part | undefined,
): Piece[] => {
  const cuts = new Set([0, text.length])
  for (const { from, to } of [...words, ...marks, ...(chosen === undefined ? [] : [chosen])]) cuts.add(from).add(to)
  const offsets = [...cuts].sort((one, other) => one - other)
  return offsets.slice(0, -1).map((from, i) => {
    const part = { from, to: offsets[i + 1]! }
    const index = words.findIndex((candidate) => overlap(candidate, part))
    return { ...part, word: index < 0 ? undefined : index, mark: markOver(marks, part) }
  })
}
