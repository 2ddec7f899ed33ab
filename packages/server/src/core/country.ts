/** Countries by their two-letter codes (ISO 3166-1), as far as the platform has a name for the code. Pure. */

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** Codes that the platform names, but that are no country of the standard: unions, islands of a country, and its own test codes. */
const notCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '))

/** A code that the standard has withdrawn, such as YU, is replaced in a canonical locale. */
const isWithdrawn = (code: string): boolean => Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !notCountries.has(code) && names.of(code) !== undefined && !isWithdrawn(code)
