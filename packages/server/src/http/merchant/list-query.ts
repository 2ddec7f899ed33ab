/**
 * Reads the query of `GET /intents/` into a filter, an order and a page. All errors of the filters are reported at once,
 * in the wording of the dialect. Whether the page exists is only known after counting.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { strip } from '../../core/python-text.ts'
import type { Zone } from '../../core/zone.ts'
import { fold, statuses } from '../../intents/intent.ts'
import { type Filter, type Order, type OrderField, orderFields } from '../../intents/list/intent-list.ts'
import { invalid, type ProblemEntry } from '../answers.ts'
import { forbidden } from '../body/fields.ts'
import { uuidOfText } from '../body/uuid.ts'
import type { KnownParameters } from '../hints/query-hint.ts'
import { readInstant } from '../query/dates.ts'
import { lastValues } from '../query/parameters.ts'
import { searchTerms } from '../query/search-terms.ts'
import { readWholeNumber } from '../query/whole-number.ts'

export type ListQuery = {
  readonly filter: Filter
  readonly order: readonly Order[]
  readonly pageSize: number
  /** Undefined: not a page number. */
  readonly page: number | 'last' | undefined
}

const defaultSize = 20
const largestSize = 100
const defaultOrder: readonly Order[] = [{ field: 'created_at', down: true }]

/** The parameters of `GET /intents/`. */
export const listParameters: KnownParameters = {
  names: [
    'status',
    'code',
    'reference',
    'external_order_id',
    'wallet',
    'created_after',
    'created_before',
    'search',
    'ordering',
    'page_size',
    'page',
  ],
  statuses,
  orderings: orderFields,
  sizes: [defaultSize, largestSize],
}

/** The parameters of a list without filters. */
export const pageParameters: KnownParameters = { names: ['page_size', 'page'], sizes: [defaultSize, largestSize] }

export type Parameters = ReadonlyMap<string, string>

export const readListQuery = (url: string, accountId: AccountId, zone: Zone): ListQuery => {
  const sent = lastValues(url)
  const errors: ProblemEntry[] = []
  const filter: Filter = {
    accountId,
    statuses: readStatuses(sent, statuses, errors),
    code: readText(sent, 'code', errors),
    reference: readText(sent, 'reference', errors),
    externalOrderId: readText(sent, 'external_order_id', errors),
    walletId: readWallet(sent, errors),
    from: readTime(sent, 'created_after', zone, errors),
    until: readTime(sent, 'created_before', zone, errors),
    terms: [],
  }
  if (errors.length > 0) throw invalid(errors)
  return { filter: { ...filter, terms: readTerms(sent) }, order: readOrder(sent), ...readPage(sent) }
}

/** `known`: all statuses that exist. */
export const readStatuses = <S extends string>(
  sent: Parameters,
  known: readonly S[],
  errors: ProblemEntry[],
): ReadonlySet<S> | undefined => {
  const requested = (sent.get('status') ?? '')
    .split(',')
    .map((part) => strip(part))
    .filter((value) => value !== '')
  const wrong = requested.find((value) => !(known as readonly string[]).includes(value))
  if (wrong !== undefined) {
    const detail = `Select a valid choice. ${wrong.toWellFormed()} is not one of the available choices.`
    errors.push({ code: 'invalid_choice', detail, attr: 'status' })
  }
  return requested.length === 0 ? undefined : new Set(requested as S[])
}

export const readText = (sent: Parameters, name: string, errors: ProblemEntry[]): string | undefined => {
  const value = strip(sent.get(name) ?? '')
  errors.push(...forbidden(value, name))
  return value === '' ? undefined : value
}

export const readWallet = (sent: Parameters, errors: ProblemEntry[]): string | undefined => {
  const value = strip(sent.get('wallet') ?? '')
  if (value === '') return undefined
  const id = uuidOfText(value)
  if (id === undefined) errors.push({ code: 'invalid', detail: 'Enter a valid UUID.', attr: 'wallet' })
  return id
}

/** Both bounds are inclusive to the microsecond; stored times are whole milliseconds. */
export const readTime = (
  sent: Parameters,
  name: 'created_after' | 'created_before',
  zone: Zone,
  errors: ProblemEntry[],
): Instant | undefined => {
  const value = sent.get(name) ?? ''
  if (value === '') return undefined
  const after = name === 'created_after'
  const at = readInstant(value, zone, after ? 'up' : 'down')
  if (at === undefined) {
    errors.push({ code: 'invalid', detail: 'Enter a valid date/time.', attr: name })
    return undefined
  }
  return after ? at.getTime() : at.getTime() + 1
}

export const readTerms = (sent: Parameters): string[] => {
  const value = sent.get('search') ?? ''
  const wrong = forbidden(value, '')
  // In the dialect this error has no field.
  if (wrong.length > 0) throw invalid(wrong.map((error) => ({ ...error, attr: null })))
  return searchTerms(value).map(fold)
}

const readOrder = (sent: Parameters): readonly Order[] => {
  const order: Order[] = []
  for (const part of (sent.get('ordering') ?? '').split(',').map((part) => strip(part))) {
    const down = part.startsWith('-')
    const field = (down ? part.slice(1) : part) as OrderField
    if (orderFields.includes(field) && !order.some((known) => known.field === field)) order.push({ field, down })
  }
  return order.length === 0 ? defaultOrder : order
}

export const readPage = (sent: Parameters): Pick<ListQuery, 'page' | 'pageSize'> => {
  const size = readWholeNumber(sent.get('page_size') ?? '')
  const pageSize = size === undefined || size < 1 ? defaultSize : Math.min(size, largestSize)
  const requested = sent.get('page') ?? ''
  if (requested === 'last') return { page: 'last', pageSize }
  const page = requested === '' ? 1 : readWholeNumber(requested)
  return { page: page === undefined || page < 1 ? undefined : page, pageSize }
}
