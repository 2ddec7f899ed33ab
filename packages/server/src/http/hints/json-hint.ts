/** What is probably wrong with a body that is no JSON, from the text and the position of the error. Pure. */

/** `detail`: the sentence of the parser, which ends in `(char 17)` for most errors. */
export const malformedHint = (detail: string, body: Uint8Array): string => {
  if (detail.includes('UTF-8 BOM')) return 'Send the body as UTF-8 without a byte order mark.'
  if (detail.includes("codec can't decode") || detail.includes('UTF-16'))
    return 'The body is not in the charset that its Content-Type names: send JSON as UTF-8.'
  if (detail.includes('not JSON compliant'))
    return 'JSON has no NaN and no Infinity: send the number, or leave the field out.'
  if (detail.includes('Nested deeper')) return 'The body is nested far deeper than any body of this API.'
  const position = Number(/\(char (\d+)\)$/.exec(detail)?.[1] ?? Number.NaN)
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
  if (/^\s*[\w.[\]-]{1,100}=/.test(text))
    return 'The body is form data: send JSON, such as {"wallet": "...", "amount": "1500.00"}.'
  if (/^\s*</.test(text)) return 'The body is XML or HTML: send JSON.'
  if (Number.isNaN(position)) return usual
  const at = unitAt(text, position)
  return atPosition(detail, text.slice(Math.max(0, at - 40), at), text.slice(at, at + 64))
}

/** The position in units of UTF-16 of a position that counts characters. */
const unitAt = (text: string, position: number): number => {
  let unit = 0
  for (let count = 0; count < position && unit < text.length; count++) unit += text.codePointAt(unit)! > 0xffff ? 2 : 1
  return unit
}

const usual = 'The body is not JSON at the position that the error names: let a JSON library write it.'

const quoteMarks = '\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\uff02\uff07\u0060\u00b4'
const typographic = new RegExp(`^[${quoteMarks}]`)

/** `before` and `after`: the text around the error. */
const atPosition = (detail: string, before: string, after: string): string => {
  if (typographic.test(after))
    return 'Use plain double quotes: the body has typographic quotes, as word processors make them.'
  if (after.startsWith("'")) return 'JSON has names and texts in double quotes, not in single quotes.'
  if (/^\/[/*]/.test(after) || after.startsWith('#')) return 'JSON has no comments: remove them.'
  if (after === '' || detail.includes('Unterminated string') || detail.includes('escape'))
    return detail.includes('escape')
      ? 'A backslash inside a JSON text is written twice.'
      : 'The body ends too early: a quote or bracket is missing, or the body was cut (compare its Content-Length).'
  if (/,\s*$/.test(before) && /^[}\]]/.test(after)) return 'Remove the comma before the closing bracket.'
  if (/\d\s*,\s*$/.test(before) && /^\d/.test(after))
    return 'A JSON number has a point, never a comma: write the amount as text, such as "12.50".'
  if (/^(None|True|False|NULL|Null|TRUE|FALSE|nil|undefined)\b/.test(after))
    return 'JSON writes null, true and false in small letters, and has no undefined.'
  if (/^[A-Za-z_$][\w$-]*\s*:/.test(after)) return 'JSON has names in double quotes.'
  if (detail.includes('Extra data')) return 'There is more text after the end of the JSON value: send one object.'
  if (detail.includes('control character')) return 'Inside a JSON text a line break is written \\n and a tab \\t.'
  return usual
}
