/**
 * What is marked in a message: parts of its text, each with what it is. Words are what the keyboard walks over; a mouse may
 * mark any part. No two marks overlap, and what can stand only once is marked only once. Pure.
 */

/** `from` and `to` count UTF-16 units. */
export type Part = { readonly from: number; readonly to: number }
export type Mark = Part & { readonly slot: string }

/** What a part of a message can be, the likeliest first. `changing`: it is different each time and means nothing. */
export const slotNames = ['amount', 'reference', 'payer', 'phone', 'balance', 'fee', 'changing'] as const
export type SlotName = (typeof slotNames)[number]

/** Which of them a slot is; one of another name is something that changes as well. */
export const slotNameOf = (slot: string): SlotName => slotNames.find((name) => name === slot) ?? 'changing'

// Digits with their separators; letters and digits that belong together, as references and masked numbers have them;
// letters; any other sign by itself.
const word =
  /\p{Nd}+(?:[.,٬٫]\p{Nd}+)*(?![A-Za-z\p{Nd}*•-]*\p{Nd})|[A-Za-z]+(?=\p{Nd}+(?![A-Za-z-]))|[+A-Za-z\p{Nd}*#•]+(?:-[A-Za-z\p{Nd}*#•]+)*|[\p{L}\p{M}*•_'’]+|[^\s]/gu

/** The words of a message in their order, without the white space between them. */
export const wordsIn = (text: string): Part[] =>
  [...text.matchAll(word)].map(({ index, 0: said }) => ({ from: index, to: index + said.length }))

const overlap = (one: Part, other: Part): boolean => one.from < other.to && other.from < one.to

export const markOver = (marks: readonly Mark[], part: Part): Mark | undefined =>
  marks.find((mark) => overlap(mark, part))

export const withoutMark = (marks: readonly Mark[], gone: Mark): Mark[] => marks.filter((mark) => mark !== gone)

/** What was marked there before gives way, and so does the place where the same was marked. */
export const withMark = (marks: readonly Mark[], part: Part, name: SlotName): Mark[] => {
  const left = marks.filter((mark) => !overlap(mark, part) && mark.slot !== name)
  const taken = new Set(left.map(({ slot }) => slot))
  let number = 1
  while (taken.has(`text_${number}:any`)) number++
  const slot = name === 'changing' ? `text_${number}:any` : name
  return [...left, { ...part, slot }].sort((one, other) => one.from - other.from)
}

/** White space at the edges belongs to the words beside it. Nothing is left: undefined. */
export const trimmed = (text: string, { from, to }: Part): Part | undefined => {
  const said = text.slice(from, to)
  const start = from + (said.length - said.trimStart().length)
  const end = start + said.trim().length
  return start < end ? { from: start, to: end } : undefined
}

export type Piece = Part & { readonly word: number | undefined; readonly mark: Mark | undefined }

/** The text in pieces that are each wholly inside or outside of every word, mark and choice. */
export const piecesOf = (
  text: string,
  words: readonly Part[],
  marks: readonly Mark[],
  chosen: Part | undefined,
): Piece[] => {
  const cuts = new Set([0, text.length])
  for (const { from, to } of [...words, ...marks, ...(chosen === undefined ? [] : [chosen])]) cuts.add(from).add(to)
  const places = [...cuts].sort((one, other) => one - other)
  return places.slice(0, -1).map((from, i) => {
    const part = { from, to: places[i + 1]! }
    const at = words.findIndex((one) => overlap(one, part))
    return { ...part, word: at < 0 ? undefined : at, mark: markOver(marks, part) }
  })
}
