/**
 * Mobile numbers in texts: the forms in which messages, members and programs write them, and what is written in their place where a
 * number must not stay. JSON stays JSON, and what stands under a reference, an amount or an account number stays. Pure.
 */
/** What may stand between two digits of one number. */
const between = '[\\s\\p{Cf}().\\-\u2010-\u2015]{0,3}'

/** The digits of every script, by their value; made at the first use. */
let digitClasses: readonly string[] | undefined
const madeDigitClasses = (): readonly string[] => {
  let characters = ''
  // Beyond this there is no digit of any script; between these two there are no characters.
  for (let point = 0x30; point <= 0x1fbf9; point = point === 0xd7ff ? 0xe000 : point + 1)
    characters += String.fromCodePoint(point)
  // Unicode has the digits of each script in one run from zero to nine.
  const digits = characters.match(/\p{Nd}/gu)!
  return Array.from({ length: 10 }, (_, value) => `[${digits.filter((_, n) => n % 10 === value).join('')}]`)
}
const digitClass = (digit: string): string => {
  digitClasses ??= madeDigitClasses()
  return digitClasses[Number(digit)]!
}
const spelled = (digits: string): string => [...digits].map(digitClass).join(between)

/** Not a part of a longer number, of an amount with its cents, or of an id. */
const patternOf = (national: string): string => {
  const code = `(?:(?:[+＋]|${spelled('00')})?${between}${spelled('967')}${between}(?:${digitClass('0')}${between})?|${digitClass('0')}${between})?`
  return `(?<!\\p{Nd}[.,٫٬]?|[a-f])${code}${national}(?![.,٫٬]?\\p{Nd}|[a-zA-Z_])`
}

/** Finds one mobile number of Yemen in texts: its nine digits, with and without its country code. */
export const oneMobileNumber = (digits: string): RegExp => new RegExp(patternOf(spelled(digits)), 'gu')

/** Finds every mobile number of Yemen. */
let every: RegExp | undefined
const everyMobileNumber = (): RegExp => {
  every ??= new RegExp(patternOf(`${digitClass('7')}(?:${between}\\p{Nd}){8}`), 'gu')
  return every
}

/** Names of fields whose values are money, what money is recognised by, or the shop's own. Codes of payments have ten digits. */
const staysUnder =
  /reference|amount|price|total|paid|balance|quantity|account_number|^(?:to_)?payment$|^code$|^id$|_id$/
const tokens = /"((?:[^"\\]|\\.)*)("|$)(\s*:)?|-?\d[\d.eE+-]*/gsu

export type JsonPart = {
  /** The name of the field that the text stands under; `''`: under none. */
  readonly name: string
  /** A bare number becomes a text. */
  readonly bare: boolean
}

/** Changes the texts and numbers of JSON, also of JSON that was cut. Names of fields are changed as texts without a name. */
export const changeJson = (json: string, changed: (text: string, part: JsonPart) => string): string => {
  let name = ''
  return json.replace(tokens, (token: string, text: string | undefined, end: string, colon: string | undefined) => {
    if (text !== undefined && colon !== undefined) {
      name = text
      return `"${changed(text, { name: '', bare: false })}"${colon}`
    }
    if (staysUnder.test(name) && name !== 'external_order_id') return token
    if (text !== undefined) return `"${changed(text, { name, bare: false })}${end}`
    const replaced = changed(token, { name, bare: true })
    return replaced === token ? token : `"${replaced}"`
  })
}

export const isJson = (text: string): boolean => /^\s*[[{]/.test(text)

/** As many stars as the text has characters. */
export const stars = (text: string): string => '*'.repeat([...text].length)

/** The last two digits stay, so that who knows the number recognises it: `*******56`. Nothing becomes longer or shorter. */
const masked = (number: string): string => {
  const digits = number.match(/\p{Nd}/gu)!.length
  let seen = 0
  return number.replace(/\p{Nd}/gu, (digit) => (++seen > digits - 2 ? digit : '*'))
}

/** The text with every mobile number masked. */
export const withoutMobileNumbers = (text: string): string => text.replace(everyMobileNumber(), masked)

/** Changes JSON by a rule that keeps the length of texts. A bare number loses its first and last digit to the quotes: the JSON has as
 *  many characters as before, each where it was. */
export const maskedJson = (json: string, rule: (text: string, name: string) => string): string =>
  changeJson(json, (text, { name, bare }) => {
    const replaced = rule(text, name)
    return bare && replaced !== text ? replaced.slice(1, -1) : replaced
  })
