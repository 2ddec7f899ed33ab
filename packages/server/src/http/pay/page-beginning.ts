/** The beginning of every page in a language, up to the title. Pure. */
import type { Locale } from '../../checkouts/checkout.ts'
import { script, style } from './page-inline.ts'

export const beginningOf = (locale: Locale): string =>
  `<!doctype html><html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><style>${style}</style><script>${script}</script>`
