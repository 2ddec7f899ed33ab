/**
 * Amounts in Arabic words, as a list: each element is spoken by one clip. Standard Arabic with the pronunciation of the end of a
 * phrase. All counted nouns here are masculine. An element may end with a vowel mark where the same spelling is pronounced in two
 * ways (`مئة` mi'a, `مئةُ` mi'atu before a noun); `arabicText` leaves these marks out. Pure.
 */

/** The forms of a noun after a number. */
type CountedNoun = {
  /** After 100, 1000 ..., and alone for one. */
  readonly one: string
  readonly two: string
  /** After 3 to 10. */
  readonly few: string
  /** After 11 to 99. */
  readonly many: string
}

/** `twoOf`: two of them directly before a noun. */
type Scale = CountedNoun & { readonly twoOf: string }

const scales: readonly Scale[] = [
  { one: 'ألف', two: 'ألفان', twoOf: 'ألفا', few: 'آلاف', many: 'ألفًا' },
  { one: 'مليون', two: 'مليونان', twoOf: 'مليونا', few: 'ملايين', many: 'مليونًا' },
  { one: 'مليار', two: 'ملياران', twoOf: 'مليارا', few: 'مليارات', many: 'مليارًا' },
]

export const riyal: CountedNoun = { one: 'ريال', two: 'ريالان', few: 'ريالات', many: 'ريالًا' }
export const fils: CountedNoun = { one: 'فلس', two: 'فلسان', few: 'فلوس', many: 'فلسًا' }

const units = ['واحد', 'اثنان', 'ثلاثة', 'أربعة', 'خمسة', 'ستة', 'سبعة', 'ثمانية', 'تسعة', 'عشرة']
const teens = [
  'أحد عشر',
  'اثنا عشر',
  'ثلاثة عشر',
  'أربعة عشر',
  'خمسة عشر',
  'ستة عشر',
  'سبعة عشر',
  'ثمانية عشر',
  'تسعة عشر',
]
const tens = ['عشرون', 'ثلاثون', 'أربعون', 'خمسون', 'ستون', 'سبعون', 'ثمانون', 'تسعون']
/** Before `و`. */
const hundreds = ['مئة', 'مئتان', 'ثلاثمئة', 'أربعمئة', 'خمسمئة', 'ستمئة', 'سبعمئة', 'ثمانمئة', 'تسعمئة']
/** Directly before a noun. */
const hundredsOf = ['مئةُ', 'مئتا', 'ثلاثمئةِ', 'أربعمئةِ', 'خمسمئةِ', 'ستمئةِ', 'سبعمئةِ', 'ثمانمئةِ', 'تسعمئةِ']

/** Joins parts by `و`, which is spoken and written as one with the word after it. */
const joined = (parts: readonly (readonly string[])[]): string[] =>
  parts.flatMap(([first = '', ...rest], position) => [position === 0 ? first : `و${first}`, ...rest])

/** 1 to 999 before a noun. One and two occur only after a hundred: alone they are in the form of the noun. */
const belowThousand = (count: number): string[] => {
  const rest = count % 100
  const parts: string[][] = []
  const hundred = Math.floor(count / 100) - 1
  if (hundred >= 0) parts.push([rest === 0 ? hundredsOf[hundred]! : hundreds[hundred]!])
  if (rest === 1 || rest === 2) parts.push([units[rest - 1]!])
  else if (rest >= 3 && rest <= 10) parts.push([`${units[rest - 1]!}ُ`])
  else if (rest >= 11 && rest <= 19) parts.push([teens[rest - 11]!])
  else if (rest >= 20) {
    if (rest % 10 > 0) parts.push([units[(rest % 10) - 1]!])
    parts.push([tens[Math.floor(rest / 10) - 2]!])
  }
  return joined(parts)
}

/** The noun after a number of more than two. */
const formAfter = (count: number, noun: CountedNoun): string => {
  const rest = count % 100
  if (rest >= 3 && rest <= 10) return noun.few
  return rest >= 11 ? noun.many : noun.one
}

/** So many thousands, millions or billions. `isLast`: a noun follows, not `و`. */
const scaled = (count: number, scale: Scale, isLast: boolean): string[] => {
  if (count === 1) return [scale.one]
  if (count === 2) return [isLast ? scale.twoOf : scale.two]
  const form = formAfter(count, scale)
  return [...belowThousand(count), isLast && form === scale.many ? scale.one : form]
}

/** A count of the noun, 0 to 999,999,999,999. */
export const arabicCount = (count: number, noun: CountedNoun): string[] => {
  if (count === 0) return ['صفر', noun.one]
  if (count === 1) return [noun.one, 'واحد']
  if (count === 2) return [noun.two]
  const parts: string[][] = []
  for (let power = scales.length; power >= 1; power -= 1) {
    const group = Math.floor(count / 1000 ** power) % 1000
    if (group > 0) parts.push(scaled(group, scales[power - 1]!, count % 1000 ** power === 0))
  }
  if (count % 1000 > 0) parts.push(belowThousand(count % 1000))
  return [...joined(parts), formAfter(count, noun)]
}

/** An amount of riyals and fils (hundredths). */
export const arabicAmount = (whole: number, hundredths: number): string[] => {
  if (hundredths === 0) return arabicCount(whole, riyal)
  const small = arabicCount(hundredths, fils)
  return whole === 0 ? small : joined([arabicCount(whole, riyal), small])
}

export const arabicReceived = 'وصل'
export const arabicFrom = 'من'
export const arabicLook = 'يحتاج مراجعة'

/** The list as it is written: without the vowel marks that only tell clips apart. */
export const arabicText = (words: readonly string[]): string => words.join(' ').replaceAll(/[ُِ]/g, '')
