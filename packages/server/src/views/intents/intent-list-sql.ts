/**
 * Builds the SQL of a list of intents for its filters. Values are always parameters; only constant text is joined. The same
 * filters give the same text, so that PostgreSQL plans it once.
 */

import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import { fieldMark } from '../../intents/intent.ts'
import { intentRow, withAlert } from '../../intents/intent-sql.ts'
import { intentOfToday } from '../../intents/intent-today.ts'
import {
  type CountPlan,
  countedStatuses,
  type Filter,
  type Order,
  type Part,
  splitByStatus,
} from '../../intents/list/intent-list.ts'
import { at } from '../../postgres/query/columns.ts'
import { dayParameters } from '../../postgres/query/statement.ts'
import { saysLittle, windowsOf, windowsOfAll } from './search-windows.ts'

export type Query = { readonly text: string; readonly values: readonly unknown[] }

/**
 * A free-text search counts and pages through at most this many intents: nobody reads further, and no index counts faster. One of one to
 * three characters looks at so many, the newest.
 */
export const mostFound = 10_000

/** A longer search compares the texts of so many intents that the index offers. Nearly all of them have the text. */
export const mostCompared = 2 * mostFound

const searched = `(i.search_order || U&'\\001F' || i.search_reference)`

type Values = { readonly add: (value: unknown) => string; readonly all: unknown[] }

const values = (): Values => {
  const all: unknown[] = []
  return { all, add: (value) => `$${all.push(value)}` }
}

/** A value that becomes a parameter at its first use, because PostgreSQL refuses a parameter that the text does not use. */
const once = (v: Values, value: unknown): (() => string) => {
  let name: string | undefined
  return () => {
    name ??= v.add(value)
    return name
  }
}

/** A term that contains the separator between fields occurs in no field. */
const isNowhere = (terms: readonly string[]): boolean => terms.some((term) => term.includes(fieldMark))

const textConditions = (v: Values, terms: readonly string[]): string[] =>
  isNowhere(terms) ? ['false'] : terms.map((term) => `strpos(${searched}, ${v.add(term)}) > 0`)

/**
 * The condition that an intent has the windows of the terms: the index finds it. Then the whole text is compared, but not with
 * `like`: the planner expects few hits of a pattern, even if it knows that its windows are common.
 */
const windowConditions = (v: Values, account: string, terms: readonly string[]): string[] => {
  const windows = isNowhere(terms) ? [] : windowsOfAll(terms)
  if (windows.length === 0) return []
  const numbers = windows.map((window) => `search_window(${account}, ${v.add(window)})`)
  const windowFilter = `i.search_windows @> array[${numbers.join(', ')}]`
  // The planner assumes that one intent in two hundred has an unknown window, and would rather scan the account. So a
  // single condition is written twice: then it assumes one in forty thousand. This does not affect a window that the
  // planner knows to be common.
  return windows.length === 1 ? [windowFilter, windowFilter] : [windowFilter]
}

const timeConditions = (
  v: Values,
  from: Instant | undefined,
  until: Instant | undefined,
  alias: 'i' | 'o' = 'i',
): string[] => [
  ...(from === undefined ? [] : [`${alias}.id >= ${v.add(firstIdAt(from))}`]),
  ...(until === undefined ? [] : [`${alias}.id < ${v.add(firstIdAt(until))}`]),
]

/**
 * The intents of all accounts that are stored as PENDING although their window has closed: few, because the background loop stores each
 * end within seconds. `offset 0` keeps the planner from reading all open intents of the account instead. Index: intents_due.
 */
const overdueRows = (now: () => string): string =>
  `select * from intents d where d.status = 'PENDING' and d.expires_at <= ${now()} offset 0`

const dayCondition = (v: Values, { scope: { today } }: Filter): string[] =>
  today === null ? [] : [intentOfToday('i')(dayParameters((_, type, value) => `${v.add(value(today))}::${type}`))]

/** The conditions of all filters except time and status, and of the texts only what an index finds. */
const plainConditions = (v: Values, filter: Filter): string[] => {
  const is = (column: string, value: string | undefined, also = ''): string[] =>
    value === undefined ? [] : [`i.${column} = ${v.add(value)}${also}`]
  const account = v.add(filter.scope.accountId)
  return [
    `i.account_id = ${account}`,
    ...is('code', filter.code),
    ...is('reference', filter.reference, ` and i.reference <> ''`),
    ...is('external_order_id', filter.externalOrderId, ` and i.external_order_id <> ''`),
    ...is('wallet_id', filter.walletId),
    ...(filter.scope.wallets === null ? [] : [`i.wallet_id = any(${v.add(filter.scope.wallets)}::uuid[])`]),
    ...dayCondition(v, filter),
    ...windowConditions(v, account, filter.terms),
  ]
}

/** Terms too short for a window, of one to three characters: no index finds them. */
const isShortSearch = ({ terms }: Filter): boolean => terms.length > 0 && terms.flatMap(windowsOf).length === 0

const newestFirst = 'i.id desc'

/** What a page needs of the rows whose texts are compared. */
const comparedColumns = 'i.id, i.payable, i.verified_at, i.search_order, i.search_reference'

/**
 * The rows of a filter: `from ... where ...`, with the conditions `also` for the status. A search compares the texts of a limited number
 * of rows: otherwise a term that occurs nowhere, and whose windows stand everywhere, would read the whole account. These are the first
 * rows in the order that is asked for; for short terms the newest, whatever their status, so that page and count mean the same intents.
 * If the windows say little, all these rows are read first: the planner believes that it soon has a page, and would read in the order
 * of the list until the end of the account.
 */
const rowsOf = (v: Values, filter: Filter): ((order: string, also?: readonly string[], from?: string) => string) => {
  const plain = [...plainConditions(v, filter), ...timeConditions(v, filter.from, filter.until)]
  const texts = textConditions(v, filter.terms)
  const isShort = isShortSearch(filter)
  const readFirst = filter.terms.some(saysLittle)
  return (order, also = [], from = 'intents i') => {
    if (texts.length === 0 || filter.everyRow === true)
      return `${from} where ${[...plain, ...also, ...texts].join(' and ')}`
    if (isShort)
      return `(select * from intents i where ${plain.join(' and ')} order by ${newestFirst} limit ${mostFound}) as i
         where ${[...also, ...texts].join(' and ')}`
    const offered = `
              select ${comparedColumns} from ${from} where ${[...plain, ...also].join(' and ')} order by ${order} limit ${mostCompared}`
    return `(${readFirst ? `with offered as materialized (${offered}) select * from offered` : offered}) as i
         where ${texts.join(' and ')}`
  }
}

const partCondition = (part: Part, now: () => string): string => {
  const stored = `i.status = '${part.stored}'`
  if (part.window === undefined) return stored
  return `${stored} and i.expires_at ${part.window === 'open' ? '>' : '<='} ${now()}`
}

const anyPart = (parts: readonly Part[], now: () => string): string =>
  parts.length === 0 ? 'false' : `(${parts.map((part) => `(${partCondition(part, now)})`).join(' or ')})`

const columnOf = { created_at: 'id', verified_at: 'verified_at', payable_amount: 'payable', status: 'shown' } as const

/** A leading minus reverses the order, also of rows that are equal; unset values come last in both directions. */
const orderBy = (order: readonly Order[], prefix: string, without?: readonly string[]): string => {
  const keys = order
    .filter(({ field }) => !without?.includes(field))
    .map(({ field, down }) => {
      // Within one status no value is unset; and PostgreSQL reads an index backwards only without "nulls last".
      const nulls = field === 'verified_at' && without === undefined ? ' nulls last' : ''
      return `${prefix}${columnOf[field]}${down ? ' desc' : ''}${nulls}`
    })
  if (!order.some(({ field }) => field === 'created_at')) keys.push(`${prefix}id${order[0]?.down ? ' desc' : ''}`)
  return keys.join(', ')
}

/** The ids of one page, in order. */
const pageOfIds = (v: Values, filter: Filter, order: readonly Order[], limit: number, offset: number, now: Instant) => {
  const rows = rowsOf(v, filter)
  // The limit of the first page is in the text: the query is planned once, and the planner must know how little is read.
  const first = offset === 0
  const bounds = first ? `limit ${limit}` : `limit ${v.add(limit)} offset ${v.add(offset)}`
  const parts = splitByStatus(filter, order)
  if (parts === undefined) {
    const inOrder = orderBy(order, 'i.')
    const sorted = `select i.id, i.payable from ${rows(inOrder)} order by ${inOrder}`
    return `select id, row_number() over (order by ${orderBy(order, '')}) as place from (${sorted} ${bounds}) as page`
  }
  const nowParameter = once(v, at(now))
  const reach = first ? String(limit) : v.add(limit + offset)
  const ordersByVerified = order.some(({ field }) => field === 'verified_at')
  const branches = parts.map((part) => {
    // Within one status the order by status is constant, and verified_at is either always set or never. The text must say
    // that it is set: the planner does not conclude from the table's checks that it may use intents_verified.
    const verified = part.stored === 'VERIFIED'
    const constantFields = verified ? ['status'] : ['status', 'verified_at']
    const isSet = verified && ordersByVerified ? ['i.verified_at is not null'] : []
    const from = part.window === 'closed' ? `(${overdueRows(nowParameter)}) i` : undefined
    const inOrder = orderBy(order, 'i.', constantFields)
    return `
      (select i.id, i.payable, i.verified_at, '${part.shown}' as shown
         from ${rows(inOrder, [partCondition(part, nowParameter), ...isSet], from)}
        order by ${inOrder}
        limit ${reach})`
  })
  return `
    select id, row_number() over (order by ${orderBy(order, '')}) as place
      from (${branches.join(' union all ')}) as parts
     order by ${orderBy(order, '')} ${bounds}`
}

/**
 * The rows of one page, in order, each with the further columns `also`. The first page of a list that an index returns in
 * order is read directly. Other pages are read by their ids first, so that skipped rows are not read as a whole.
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
    join intents i on i.account_id = ${v.add(filter.scope.accountId)} and i.id = page.id${withAlert}
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
 * The first page and the count in one query, so that both are of one instant. With a plan, only intents outside its
 * tallied hours are counted; without one (the filter finds few intents), all are counted. An empty list has no row, so its
 * count is 0.
 */
export const firstPageQuery = (
  filter: Filter,
  order: readonly Order[],
  limit: number,
  plan: CountPlan | undefined,
  now: Instant,
): Query => {
  const v = values()
  const count = plan === undefined ? countFewText(v, filter, now) : countRestText(v, filter, plan, now)
  return { text: pageText(v, filter, order, limit, 0, now, `, (${count}) as count`), values: v.all }
}

/** The SQL that counts the intents of a filter that finds few. A search is counted up to a bound. */
const countFewText = (v: Values, filter: Filter, now: Instant): string => {
  const rows = rowsOf(v, filter)
  const parts = splitByStatus(filter, [])
  const status = parts === undefined ? [] : [anyPart(parts, once(v, at(now)))]
  // Ordered by id, so that the planner reads the account's rows by the index and does not scan the table.
  const bound = filter.terms.length > 0 ? ` order by ${newestFirst} limit ${mostFound}` : ''
  return `select count(*) from (select 1 from ${rows(newestFirst, status)}${bound}) as found`
}

export const countFewQuery = (filter: Filter, now: Instant): Query => {
  const v = values()
  return { text: countFewText(v, filter, now), values: v.all }
}

/** The SQL that counts the intents outside the tallied hours: stored counts, and row by row where the period ends within an hour. */
const countRestText = (v: Values, filter: Filter, { counted, rows }: CountPlan, now: Instant): string => {
  const nowParameter = once(v, at(now))
  const terms = counted === undefined ? [] : countedTerms(v, filter, counted, nowParameter)
  const parts = splitByStatus(filter, [])
  for (const { from, until, sign } of rows) {
    const where = [...plainConditions(v, filter), ...timeConditions(v, from, until)]
    if (parts !== undefined) where.push(anyPart(parts, nowParameter))
    terms.push(`${sign} (select count(*) from intents i where ${where.join(' and ')})`)
  }
  return `select 0::bigint ${terms.join(' ')} as count`
}

/** Index: primary key of intent_counts; intents_due for what is stored as PENDING although its window has closed. */
const countedTerms = (
  v: Values,
  { scope, walletId, statuses }: Filter,
  { from, until }: NonNullable<CountPlan['counted']>,
  now: () => string,
): string[] => {
  const { stored, overdue } = countedStatuses(statuses)
  const isEndless = until === Number.POSITIVE_INFINITY
  const account = v.add(scope.accountId)
  const ofWallet = (alias: string): string[] =>
    walletId === undefined ? [] : [`${alias}.wallet_id = ${v.add(walletId)}`]
  const where = [
    `c.account_id = ${account}`,
    `c.hour >= ${v.add(at(from))}`,
    ...(isEndless ? [] : [`c.hour < ${v.add(at(until))}`]),
    ...ofWallet('c'),
    ...(stored === undefined ? [] : [`c.status in (${stored.map((status) => `'${status}'`).join(', ')})`]),
  ]
  const sum = `+ (select coalesce(sum(c.n), 0)::bigint from intent_counts c where ${where.join(' and ')})`
  if (overdue === 0) return [sum]
  const whose = [
    `o.account_id = ${account}`,
    ...timeConditions(v, from, isEndless ? undefined : until, 'o'),
    ...ofWallet('o'),
  ]
  const count = `(select count(*) from (${overdueRows(now)}) as o where ${whose.join(' and ')})`
  return [sum, `${overdue > 0 ? '+' : '-'} ${count}`]
}

export const countRestQuery = (filter: Filter, plan: CountPlan, now: Instant): Query => {
  const v = values()
  return { text: countRestText(v, filter, plan, now), values: v.all }
}
