/**
 * Reads the requests of all buyers' pages: the language, the query, the fields of a form, a typed amount, and whether another cell answers.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../checkouts/checkout.ts'
import type { Instant } from '../../core/clock.ts'
import { asciiDigits } from '../../core/digits.ts'
import { type Minor, readDecimal } from '../../core/money.ts'
import { notFound, tooLarge, unsupportedMediaType } from '../answers.ts'
import { forwardFault } from '../forward/forwarder.ts'
import { addressKey } from '../limits/address-key.ts'
import { countCall, type LimitDeps, uncountCall } from '../limits/count-call.ts'
import { UnknownHere } from '../moved-account.ts'
import { lastValues } from '../query/parameters.ts'

/** Thrown if there is no page to show: the link is unknown, or the shop is suspended. */
export class PageUnavailable extends Error {
  readonly kind: 'unknown' | 'closed'
  /** Called when another cell knows what is unknown here. */
  readonly onKnown: () => void
  constructor(kind: 'unknown' | 'closed', onKnown = (): void => {}) {
    super(kind)
    this.kind = kind
    this.onKnown = onKnown
  }

  /** Counts the call against its address: links must not be guessed. A link that another cell knows does not count. */
  static async ofLink(deps: LimitDeps, request: FastifyRequest, now: Instant): Promise<PageUnavailable> {
    const address = addressKey(request.ip)
    await countCall(deps, 'pay_unknown', address, now)
    return new PageUnavailable('unknown', () => uncountCall(deps, 'pay_unknown', address, now))
  }
}

const mostForm_bytes = 16 * 1024

const noQuery: ReadonlyMap<string, string> = new Map()

export const queryOf = (request: FastifyRequest): ReadonlyMap<string, string> => {
  const url = request.raw.url ?? ''
  return url.includes('?') ? lastValues(url) : noQuery
}

/** The language of the query, else the merchant's choice, else the browser's: English if that is first, else Arabic. */
export const localeOf = (request: FastifyRequest, chosen: '' | Locale = ''): Locale => {
  const requested = queryOf(request).get('lang')
  if (requested === 'ar' || requested === 'en') return requested
  if (chosen !== '') return chosen
  return /^\s*en\b/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'ar'
}

const groups = /^\d{1,3}(?:[,٬،\s]\d{3})+(?![\d,٬،\s])/

/**
 * An amount as buyers type it: Western or Arabic digits, with or without thousands separators, with a point or an Arabic
 * decimal sign. A comma or a space that is no thousands separator is refused: `250,5` may mean 250.5 or 2505.
 * Undefined: not an amount.
 */
export const readTypedAmount = (typed: string): Minor | undefined => {
  const text = asciiDigits(typed)
    .replaceAll(/[\u200e\u200f]/g, '')
    .trim()
    .replace('٫', '.')
  const grouped = groups.exec(text)?.[0]
  const plain = grouped === undefined ? text : grouped.replaceAll(/\D/g, '') + text.slice(grouped.length)
  const reading = readDecimal(plain)
  return reading.kind === 'ok' && /^[\d.]+$/.test(plain) ? reading.minor : undefined
}

/** The fields of a form. Of several fields with one name, `get` returns the first. */
export const formOf = (request: FastifyRequest): URLSearchParams => {
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  if (bytes.length > mostForm_bytes) throw tooLarge()
  const type = request.sentType ?? ''
  if (bytes.length > 0 && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) throw unsupportedMediaType(type)
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'))
}

/** Whether the script of the page sent the form: it shows the answer itself, in the page that is open. */
export const isByScript = ({ headers }: FastifyRequest): boolean => headers['x-requested-with'] === 'fetch'

/** Whether a browser sent the form without the script, and shows whatever is answered as a new page. */
export const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'POST' && /\btext\/html\b/i.test(headers.accept ?? '')

/**
 * Calls of accounts that have moved are forwarded; for an address that is unknown here the other cells are asked. Undefined: answered.
 */
export const leftToAnswer = async (
  fault: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Error | undefined> => {
  const isUnknown = fault instanceof PageUnavailable && fault.kind === 'unknown'
  if (!isUnknown) return forwardFault(fault, request, reply)
  const unknown = new UnknownHere(notFound(), fault.onKnown)
  const left = await forwardFault(unknown, request, reply)
  return left === unknown ? fault : left
}
