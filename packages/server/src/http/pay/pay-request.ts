/** What all pages of buyers need of a request: its language and the fields of its form. */
import type { FastifyRequest } from 'fastify'
import type { Locale } from '../../checkouts/checkout.ts'
import { asciiDigits } from '../../core/digits.ts'
import { type Minor, readDecimal } from '../../core/money.ts'
import { tooLarge, unsupportedMediaType } from '../answers.ts'
import { lastValues } from '../query/parameters.ts'

/** Shown instead of a page: the link is unknown, or the shop is suspended. */
export class Notice extends Error {
  readonly kind: 'unknown' | 'closed'
  constructor(kind: 'unknown' | 'closed') {
    super(kind)
    this.kind = kind
  }
}

const mostForm_bytes = 16 * 1024

const noQuery: ReadonlyMap<string, string> = new Map()

export const queryOf = (request: FastifyRequest): ReadonlyMap<string, string> => {
  const url = request.raw.url ?? ''
  return url.includes('?') ? lastValues(url) : noQuery
}

/** In the query, else the merchant's choice, else the browser's. Arabic unless the browser asks for English first. */
export const localeOf = (request: FastifyRequest, chosen: '' | Locale = ''): Locale => {
  const requested = queryOf(request).get('lang')
  if (requested === 'ar' || requested === 'en') return requested
  if (chosen !== '') return chosen
  return /^\s*en\b/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'ar'
}

const groups = /^\d{1,3}(?:[,٬،]\d{3})+(?![\d,٬،])/

/**
 * An amount as people type it: digits of any script, grouped by threes or not, with a point or an Arabic decimal sign. A comma that
 * groups nothing is refused: `250,5` may mean 250.5 or 2505. Undefined: not an amount.
 */
export const readTypedAmount = (typed: string): Minor | undefined => {
  const text = asciiDigits(typed)
    .replaceAll(/[\s\u200e\u200f]/g, '')
    .replace('٫', '.')
  const grouped = groups.exec(text)?.[0]
  const plain = grouped === undefined ? text : grouped.replaceAll(/[,٬،]/g, '') + text.slice(grouped.length)
  const reading = readDecimal(plain)
  return reading.kind === 'ok' && /^[\d.]+$/.test(plain) ? reading.minor : undefined
}

/** The fields of a form. The first of equal names counts. */
export const formOf = (request: FastifyRequest): URLSearchParams => {
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  if (bytes.length > mostForm_bytes) throw tooLarge()
  const type = request.sentType ?? ''
  if (bytes.length > 0 && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) throw unsupportedMediaType(type)
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'))
}
