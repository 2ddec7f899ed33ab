/**
 * A mark for a wallet company: a shape in the colour of the provider, with the first letter of its name. It is our own drawing and
 * not the logo of the company. Companies whose names begin with the same letter differ by shape and colour. Pure.
 */

/** The outlines, in a square of 40 by 40. */
const shapes = [
  'M20 2a18 18 0 1 1 0 36a18 18 0 1 1 0-36z',
  'M10 3h20a7 7 0 0 1 7 7v20a7 7 0 0 1-7 7H10a7 7 0 0 1-7-7V10a7 7 0 0 1 7-7z',
  'M20 1l17 9.5v19L20 39L3 29.5v-19z',
  'M20 1l19 19l-19 19L1 20z',
  'M4 4h32v18c0 9-7 14-16 17C11 36 4 31 4 22z',
  'M12 3h16l9 9v16l-9 9H12l-9-9V12z',
] as const

/** The shapes of the companies that come with Sanad, so that no two of them look alike. */
const knownShapes: Readonly<Record<string, number>> = {
  jawali: 0,
  jaib: 1,
  floosak: 2,
  kuraimi: 3,
  mfloos: 4,
  'one-cash': 5,
}

const shapeOf = (key: string): number => {
  const known = Object.hasOwn(knownShapes, key) ? knownShapes[key] : undefined
  if (known !== undefined) return known
  let sum = 0
  for (const character of key) sum = (sum * 31 + character.codePointAt(0)!) % 9973
  return sum % shapes.length
}

/** Dark letters on a light colour, white ones on a dark colour: whichever differs more. */
const inkOn = (color: string): string => {
  const light = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n]!, 0)
  return light > 0.179 ? '#111' : '#fff'
}

/** The first letter or digit of a name, without the Arabic article. Empty: the name has none. */
const letterOf = (name: string): string =>
  /[\p{L}\p{N}]/u
    .exec(
      name
        .normalize('NFC')
        .trim()
        .replace(/^ال(?=\p{L}{2})/u, ''),
    )?.[0]
    .toUpperCase() ?? ''

/** `key`: what chooses the shape: the key of a shared provider, else its name. `color`: `#RRGGBB`; anything else is drawn grey. */
export const companyMark = ({ key, name, color }: { key: string; name: string; color: string }): string => {
  const fill = /^#[0-9a-f]{6}$/i.test(color) ? color : '#5C6675'
  return `<svg class="mark" viewBox="0 0 40 40" aria-hidden="true"><path d="${shapes[shapeOf(key || name)]}" fill="${fill}"/><text x="20" y="27" text-anchor="middle" font-size="20" font-weight="700" fill="${inkOn(fill)}">${letterOf(name)}</text></svg>`
}
