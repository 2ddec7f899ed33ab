/** Countries by their two-letter codes (ISO 3166-1), as far as the platform has a name for the code. Pure. */

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** `ZZ` is the platform's code for "unknown". */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && code !== 'ZZ' && names.of(code) !== undefined
