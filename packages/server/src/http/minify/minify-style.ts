/**
 * Makes the style sheet of a page small: without comments, line breaks and other white space that has no meaning. Nothing is
 * rewritten, so that a browser of any age reads the same rules as in the file.
 */
import { readFileSync } from 'node:fs'

const strings = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/
const comments = new RegExp(`(${strings.source})|/\\*.*?\\*/`, 'gs')
/** White space means something between two words; not beside these signs, nor after a colon. */
const spaces = new RegExp(`(${strings.source})|\\s*;?\\s*(\\})\\s*|\\s*([{;,>])\\s*|(:)\\s+|\\s+`, 'g')

export const withoutSpaces = (style: string): string =>
  style
    .replace(comments, (_, text) => text ?? ' ')
    .replace(spaces, (_, ...[text, end, sign, colon]) => text ?? end ?? sign ?? colon ?? ' ')
    .trim()

/** The text of the style sheet in the file, for a tag `<style>` in a page. */
export const minifiedStyle = (file: URL): string => withoutSpaces(readFileSync(file, 'utf8'))
