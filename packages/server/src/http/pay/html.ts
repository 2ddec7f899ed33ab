/**
 * Builds HTML from templates in which every value is escaped, unless it is HTML that was built the same way. So no text of a
 * merchant or a buyer can become markup. Pure.
 */

/** HTML that is safe to send. Made by `html`, or from texts of this folder. */
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

export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (one) => escapes[one]!)

const shown = (part: Part): string => {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escapeText(part)
  if (typeof part === 'number') return String(part)
  return part.map(shown).join('')
}

export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.reduce((all, text, i) => all + shown(parts[i - 1]) + text))
