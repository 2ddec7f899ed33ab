/**
 * The SQL of a list, built for its filters. Values are always parameters; only our own text is put together. The same
 * filters give the same text, so that it can be planned once.
 */
import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import { fieldMark } from '../../intents/intent.ts'
import { intentRow, withAlert } from '../../intents/intent-sql.ts'
import { type Filter, type Order, type Part, type Stretch, splitByStatus } from '../../intents/list/intent-list.ts'
import { at } from '../../postgres/query/columns.ts'
import { windowsOf } from './search-windows.ts'

export type Query = { readonly text: string; readonly values: readonly unknown[] }

/**
 * A free-text search counts and pages through so many at most: nobody reads further, and no index counts them faster.
 */
export const mostFound = 10_000

const searched = `(i.search_order || U&'\\001F' || i.search_reference)`

type Values = { readonly add: (value: unknown) => string; readonly all: unknown[] }

const values = (): Values => {
  const all: unknown[] = []
  return { all, add: (value) => `$${all.push(value)}` }
}

/** A value that becomes a parameter when it is first used: PostgreSQL refuses one that the text does not use. */
const once = (v: Values, value: unknown): (() => string) => {
  let name: string | undefined
  return () => {
    name ??= v.add(value)
    return name
  }
}

/**
 * Every term occurs. The index finds the intents with a few windows of the terms; the text decides. Terms too short for
 * a window are searched in the account, in the order of the list, until the page is full. The text is not matched by
 * patterns: the planner takes those to be rare even where it knows that their windows are common.
 */
const occur = (v: Values, account: string, terms: readonly string[]): string[] => {
  // A term with the mark between fields occurs in none of them.
  if (terms.some((term) => term.includes(fieldMark))) return ['false']
  const texts = terms.map((term) => `strpos(${searched}, ${v.add(term)}) > 0`)
  const windows = terms.flatMap(windowsOf)
  if (windows.length === 0) return texts
  const numbers = windows.map((window) => `search_window(${account}, ${v.add(window)})`)
  const windowFilter = `i.search_windows @> array[${numbers.join(', ')}]`
  // The planner takes an unknown window to be in one intent of two hundred, and would rather scan the account. So a
  // single one is written twice: one in forty thousand. A window that it knows to be common stays common.
  return windows.length === 1 ? [windowFilter, windowFilter, ...texts] : [windowFilter, ...texts]
}

const timeConditions = (v: Values, from: Instant | undefined, until: Instant | undefined): string[] => [
  ...(from === undefined ? [] : [`i.id >= ${v.add(firstIdAt(from))}`]),
  ...(until === undefined ? [] : [`i.id < ${v.add(firstIdAt(until))}`]),
]

/** All filters but time and status. */
const plainConditions = (v: Values, filter: Filter): string[] => {
  const is = (column: string, value: string | undefined, also = ''): string[] =>
    value === undefined ? [] : [`i.${column} = ${v.add(value)}${also}`]
  const account = v.add(filter.accountId)
  return [
    `i.account_id = ${account}`,
    ...is('code', filter.code),
    ...is('reference', filter.reference, ` and i.reference <> ''`),
    ...is('external_order_id', filter.externalOrderId, ` and i.external_order_id <> ''`),
    ...is('wallet_id', filter.walletId),
    ...occur(v, account, filter.terms),
  ]
}

const partCondition = (part: Part, now: () => string): string => {
  const stored = `i.status = '${part.stored}'`
  if (part.window === undefined) return stored
  return `${stored} and i.expires_at ${part.window === 'open' ? '>' : '<='} ${now()}`
}

const anyPart = (parts: readonly Part[], now: () => string): string =>
  parts.length === 0 ? 'false' : `(${parts.map((part) => `(${partCondition(part, now)})`).join(' or ')})`

const columnOf = { created_at: 'id', verified_at: 'verified_at', payable_amount: 'payable', status: 'shown' } as const

/** A leading minus reverses the order, ties included; unset values come last either way. */
const orderBy = (order: readonly Order[], prefix: string, without?: readonly string[]): string => {
  const keys = order
    .filter(({ field }) => !without?.includes(field))
    .map(({ field, down }) => {
      // Within one status nothing is unset, and an index is read backwards only if nulls are not mentioned.
      const nulls = field === 'verified_at' && without === undefined ? ' nulls last' : ''
      return `${prefix}${columnOf[field]}${down ? ' desc' : ''}${nulls}`
    })
  if (!order.some(({ field }) => field === 'created_at')) keys.push(`${prefix}id${order[0]?.down ? ' desc' : ''}`)
  return keys.join(', ')
}

/** The ids of one page, in order. */
const pageOfIds = (v: Values, filter: Filter, order: readonly Order[], limit: number, offset: number, now: Instant) => {
  const where = [...plainConditions(v, filter), ...timeConditions(v, filter.from, filter.until)]
  // The limit of the first page is in the text: planned once, it must be known how little of the list is read.
  const first = offset === 0
  const bounds = first ? `limit ${limit}` : `limit ${v.add(limit)} offset ${v.add(offset)}`
  const parts = splitByStatus(filter, order)
  if (parts === undefined) {
    const sorted = `select i.id, i.payable from intents i where ${where.join(' and ')} order by ${orderBy(order, 'i.')}`
    return `select id, row_number() over (order by ${orderBy(order, '')}) as place from (${sorted} ${bounds}) as page`
  }
  const nowParameter = once(v, at(now))
  const reach = first ? String(limit) : v.add(limit + offset)
  const asksVerified = order.some(({ field }) => field === 'verified_at')
  const branches = parts.map((part) => {
    // Within one status the order by status is constant, and verified_at is either always set or never. That it is set
    // must be in the text: the planner does not learn from the table's checks that it may use intents_verified.
    const verified = part.stored === 'VERIFIED'
    const known = verified ? ['status'] : ['status', 'verified_at']
    const isSet = verified && asksVerified ? ' and i.verified_at is not null' : ''
    return `
      (select i.id, i.payable, i.verified_at, '${part.shown}' as shown
         from intents i
        where ${where.join(' and ')} and ${partCondition(part, nowParameter)}${isSet}
        order by ${orderBy(order, 'i.', known)}
        limit ${reach})`
  })
  return `
    select id, row_number() over (order by ${orderBy(order, '')}) as place
      from (${branches.join(' union all ')}) as parts
     order by ${orderBy(order, '')} ${bounds}`
}

/**
 * The rows of one page, in order, each with `also` as a further column. The first page of a list that an index returns
 * in order is read directly; others by ids only, so that skipped rows are not read whole.
 */
const pageText = (
  v: Values,
  filter: Filter,
  order: readonly Order[],
  limit: number,
  offset: number,
  now: Instant,
  also = '',
): string => {
  if (offset === 0 && filter.terms.length === 0 && splitByStatus(filter, order) === undefined) {
    const where = [...plainConditions(v, filter), ...timeConditions(v, filter.from, filter.until)]
    const inOrder = orderBy(order, 'i.')
    return `
  select ${intentRow}${also}
    from (select * from intents i where ${where.join(' and ')} order by ${inOrder} limit ${limit}) as i${withAlert}
   order by ${inOrder}`
  }
  const ids = pageOfIds(v, filter, order, limit, offset, now)
  return `
  select ${intentRow}${also}
    from (${ids}) as page
    join intents i on i.account_id = ${v.add(filter.accountId)} and i.id = page.id${withAlert}
   order by page.place`
}

export const pageQuery = (
  filter: Filter,
  order: readonly Order[],
  limit: number,
  offset: number,
  now: Instant,
): Query => {
  const v = values()
  return { text: pageText(v, filter, order, limit, offset, now), values: v.all }
}

/**
 * The first page and the count in one question, of one instant: of what lies outside the tallied hours of the stretch, or
 * of all where few are named and it is undefined. A list without a first page has no row, and there is nothing to count.
 */
export const firstPageQuery = (
  filter: Filter,
  order: readonly Order[],
  limit: number,
  stretch: Stretch | undefined,
  now: Instant,
): Query => {
  const v = values()
  const count = stretch === undefined ? fewCounted(v, filter, now) : restCounted(v, filter, stretch, now)
  return { text: pageText(v, filter, order, limit, 0, now, `, (${count}) as count`), values: v.all }
}

/** Counts what names few rows, up to a bound where it is a search. */
const fewCounted = (v: Values, filter: Filter, now: Instant): string => {
  const where = [...plainConditions(v, filter), ...timeConditions(v, filter.from, filter.until)]
  const parts = splitByStatus(filter, [])
  if (parts !== undefined) where.push(anyPart(parts, once(v, at(now))))
  // In order, so that the account is read and not the table: its rows may all lie at the far end of it.
  const bound = filter.terms.length > 0 ? ` order by i.id desc limit ${mostFound}` : ''
  return `select count(*) from (select 1 from intents i where ${where.join(' and ')}${bound}) as found`
}

export const countFewQuery = (filter: Filter, now: Instant): Query => {
  const v = values()
  return { text: fewCounted(v, filter, now), values: v.all }
}

/** Counts row by row what lies outside the tallied hours. */
const restCounted = (v: Values, filter: Filter, { counted }: Stretch, now: Instant): string => {
  const parts = splitByStatus(filter, [])
  const counts = counted.map((rest) => {
    const where = [...plainConditions(v, filter), ...timeConditions(v, rest.from, rest.until)]
    if (parts !== undefined) where.push(anyPart(parts, once(v, at(now))))
    return `(select count(*) from intents i where ${where.join(' and ')})`
  })
  return `select ${counts.length === 0 ? '0::bigint' : counts.join(' + ')} as count`
}

export const countRestQuery = (filter: Filter, stretch: Stretch, now: Instant): Query => {
  const v = values()
  return { text: restCounted(v, filter, stretch, now), values: v.all }
}
