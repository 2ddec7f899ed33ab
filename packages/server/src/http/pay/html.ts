/**
 * Builds HTML from templates in which every value is escaped, unless it is HTML that was built the same way. So no text
 * of a merchant or a buyer can become markup. Two private-use characters mark the parts that pages have in common; they
 * are removed from values. Pure.
 */

/** HTML that is safe to send. Built by `html`, or from constant texts of this folder. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | undefined | false | readonly Part[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const special = /[&<>"'\ue000\ue001]/
const allSpecial = /[&<>"'\ue000\ue001]/g

export const escapeText = (text: string): string =>
  special.test(text) ? text.replace(allSpecial, (character) => escapes[character] ?? '') : text

const partText = (part: Part): string => {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escapeText(part)
  if (typeof part === 'number') return String(part)
  let all = ''
  for (const inner of part) all += partText(inner)
  return all
}

export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => {
  let all = texts[0]!
  for (let i = 0; i < parts.length; i++) all += partText(parts[i]) + texts[i + 1]
  return new Html(all)
}

const [sharedBegin, sharedEnd] = ['\ue000', '\ue001']
const marks = /[\ue000\ue001]/g

/** Marks a part that is the same on the pages of many buyers: it is compressed once. Worth it from 100 characters on. */
export const shared = (part: Html): Html => new Html(sharedBegin + part.text.replace(marks, '') + sharedEnd)

/** The text without its marks. */
export const unmarked = (text: string): string => text.replace(marks, '')

/** Cuts the text where shared parts begin and end. Parts alternate: the first is not shared, the second is shared. */
export const cutAtMarks = (text: string): string[] => {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const mark = text.indexOf(parts.length % 2 === 0 ? sharedBegin : sharedEnd, from)
    if (mark < 0) break
    parts.push(text.slice(from, mark))
    from = mark + 1
  }
  parts.push(text.slice(from))
  return parts
}
