/** The beginning of every page in a language, up to the title. Pure. */
import type { Locale } from '../../checkouts/checkout.ts'
import { escapeText } from './html.ts'
import { script, style } from './page-inline.ts'
import { type PageTexts, pageWords } from './page-words.ts'

/** The texts that the script shows, as attributes of `<head>`. */
const scriptTexts = ({ copied, sending, lineWait, lineBusy, lineStopped }: PageTexts): string =>
  Object.entries({ copied, sending, wait: lineWait, busy: lineBusy, stopped: lineStopped })
    .map(([name, text]) => ` data-${name}="${escapeText(text)}"`)
    .join('')

export const beginningOf = (locale: Locale): string =>
  `<!doctype html><html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"><head${scriptTexts(pageWords[locale])}><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><style>${style}</style><script>${script}</script>`
