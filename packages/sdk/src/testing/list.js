/** The lists of the fake: their queries, as described.js describes them, and the filters, the order and the pages of the service. */
import { answer, errorOf, invalid, refused } from './answers.js'
import { uuid } from './read-body.js'

/** @import { Entry, Sentence } from './answers.js' */
/** @import { Call } from './read-body.js' */
/**
 * @typedef {'choices' | 'flag' | 'text' | 'id' | 'after' | 'before' | 'search' | 'ordering' | 'page_size' | 'page'} Rule
 * @typedef {{ rule: Rule, choices?: readonly string[], max?: number, default?: unknown }} Parameter
 * @typedef {(name: Sentence, facts?: Record<string, unknown>) => undefined} Wrong
 */
/**
 * A row of a list: what is shown; the intents that the filters `wallet` and `reference` are about; and where words are looked for.
 *
 * @typedef {{
 *   at: number,
 *   shown: { id: string },
 *   intents?: readonly { wallet: { id: string }, reference: string }[],
 *   texts?: readonly string[],
 * }} ListRow
 */

/** @type {(text: string, separator: string | RegExp) => string[]} */
const parts = (text, separator) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** @param {string} text */
const wholeNumber = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0)

/** @type {(text: string, parameter: Parameter, wrong: Wrong) => number | undefined} */
const readTime = (text, _, wrong) => {
  const at = Date.parse(text)
  return text === '' ? undefined : Number.isNaN(at) ? wrong('not_a_time') : at
}

/** Each returns undefined for a parameter that is no filter. @type {Record<Rule, (text: string, parameter: Parameter, wrong: Wrong) => unknown>} */
const readers = {
  choices(text, { choices = [] }, wrong) {
    const values = parts(text, ',')
    const value = values.find((part) => !choices.includes(part))
    if (value !== undefined) return wrong('unknown_choice', { value })
    return values.length === 0 ? undefined : values
  },
  flag: (text) => text === '1',
  text: (text) => text || undefined,
  id: (text, _, wrong) =>
    text === '' || uuid.test(text.toLowerCase()) ? text.toLowerCase() || undefined : wrong('unknown_id'),
  after: readTime,
  before: readTime,
  search: (text) => parts(text.toLowerCase(), /[\s,]+/),
  ordering(text, { choices = [], default: usual }) {
    const known = parts(text, ',').filter((part) => choices.includes(part))
    return known.length === 0 ? [usual] : known
  },
  page_size: (text, { max = 0, default: usual }) => Math.min(max, wholeNumber(text) || Number(usual)),
  page: (text) => (text === 'last' ? text : wholeNumber(text || '1') || undefined),
}

/**
 * If a parameter is repeated, the last one counts.
 *
 * @type {(call: Call, query: URLSearchParams) => { values: Record<string, any>, errors: Entry[] }}
 */
export const readQuery = (call, query) => {
  /** @type {Entry[]} */
  const errors = []
  /** @type {Record<string, unknown>} */
  const values = {}
  for (const [name, parameter] of Object.entries(call.query)) {
    const text = (query.getAll(name).at(-1) ?? '').trim()
    values[name] = readers[parameter.rule](
      text,
      parameter,
      (sentence, facts) => void errors.push(errorOf(name, sentence, facts)),
    )
  }
  return { values, errors }
}

/** @type {Partial<Record<Rule, (row: ListRow, name: string, value: any) => boolean>>} */
const filters = {
  choices: ({ shown }, name, values) => values.includes(Reflect.get(shown, name)),
  text: ({ shown }, name, text) => Reflect.get(shown, name) === text,
  after: ({ at }, _, time) => at >= time,
  before: ({ at }, _, time) => at <= time,
  search: ({ texts = [] }, _, words) =>
    words.every((/** @type {string} */ word) => texts.some((text) => text.toLowerCase().includes(word))),
}

/** @type {(call: Call, values: Record<string, any>) => (row: ListRow) => boolean} */
const filter = (call, { wallet, reference, ...values }) => {
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined)
  return (row) =>
    wanted.every(
      ([name, value]) => filters[/** @type {Parameter} */ (call.query[name]).rule]?.(row, name, value) ?? true,
    ) &&
    ((wallet === undefined && reference === undefined) ||
      (row.intents ?? []).some(
        (intent) =>
          (wallet === undefined || intent.wallet.id === wallet) &&
          (reference === undefined || intent.reference === reference),
      ))
}

/**
 * By the fields of `ordering`, then by id. `byFirst`, as checkouts are sorted: only the first field counts, ids are in the order
 * of creation, and equal ones are never reversed.
 *
 * @type {(ordering: readonly string[], byFirst: boolean) => (a: ListRow, b: ListRow) => number}
 */
const comparison = (ordering, byFirst) => {
  const fields = byFirst ? ordering.slice(0, 1).filter((part) => !part.endsWith('created_at')) : ordering
  const isIdDown = ordering[0]?.startsWith('-') && (!byFirst || fields.length === 0)
  return ({ shown: a }, { shown: b }) => {
    for (const part of fields) {
      const name = part.replace(/^-/, '')
      const [left, right] = [sortValue(a, name), sortValue(b, name)]
      if (left === right) continue
      if (left === null || right === null) return left === null ? 1 : -1
      return (left < right ? -1 : 1) * (part.startsWith('-') ? -1 : 1)
    }
    return (a.id < b.id ? -1 : 1) * (isIdDown ? -1 : 1)
  }
}

/**
 * @param {object} shown
 * @param {string} name
 * @returns {string | bigint | null}
 */
const sortValue = (shown, name) => {
  const value = /** @type {string | null} */ (Reflect.get(shown, name))
  return value !== null && /^\d+\.\d\d$/.test(value) ? BigInt(value.replace('.', '')) : value
}

/**
 * The query as the service writes it: it escapes other characters than URLSearchParams does.
 *
 * @param {URLSearchParams} query
 */
const queryText = (query) => String(query).replaceAll('*', '%2A').replaceAll('%7E', '~')

/**
 * One page of a list. Without `ordering` in the call, the rows stay in their order.
 *
 * @param {Call} call
 * @param {{ origin: string, query: URLSearchParams, rows: readonly ListRow[], byFirst?: boolean }} list
 */
export const listAnswer = (call, { origin, query, rows, byFirst = false }) => {
  const { values, errors } = readQuery(call, query)
  if (errors.length > 0) return invalid(errors)
  const found = rows.filter(filter(call, values))
  const sorted = values.ordering === undefined ? found : found.toSorted(comparison(values.ordering, byFirst))
  const size = values.page_size
  const last = Math.max(1, Math.ceil(found.length / size))
  const number = values.page === 'last' ? last : values.page
  if (number === undefined || number > last) return refused(404, 'no_such_page')
  const link = (/** @type {number} */ to) => {
    const changed = new URLSearchParams(query)
    if (to === 1) changed.delete('page')
    else changed.set('page', String(to))
    changed.sort()
    return `${origin}${call.path}${changed.size === 0 ? '' : `?${queryText(changed)}`}`
  }
  return answer(200, {
    count: found.length,
    next: number < last ? link(number + 1) : null,
    previous: number > 1 ? link(number - 1) : null,
    results: sorted.slice((number - 1) * size, number * size).map(({ shown }) => shown),
  })
}
