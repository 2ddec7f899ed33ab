/**
 * Reads the query of a request as its operation describes it: each parameter by its rule (packages/contract/src/query.ts), in
 * the wording of the dialect, all errors at once. An empty parameter counts as left out; of repeated ones the last counts.
 */
import { errorOf } from '@sanad/contract/error-sentences'
import type { Operation, Parameters, QueryOf } from '@sanad/contract/operation'
import type { CursorPart, QueryRule } from '@sanad/contract/query'
import { readDecimal } from '../../core/money.ts'
import { strip } from '../../core/python-text.ts'
import type { Zone } from '../../core/zone.ts'
import { fold } from '../../intents/intent.ts'
import { invalid, noSuchPage, type ProblemEntry } from '../answers.ts'
import { readDay, readInstant } from '../body/dates.ts'
import { decimalSentence, forbidden } from '../body/fields.ts'
import { lastValues } from '../query/parameters.ts'
import { searchTerms } from '../query/search-terms.ts'
import { readWholeNumber } from '../query/whole-number.ts'
import { uuidOfText } from '../uuid.ts'
import { readCursor, readTimeCursor } from './cursor.ts'

type Keywords = {
  readonly 'x-query'?: QueryRule
  readonly 'x-invalid'?: string
  readonly 'x-cursor'?: readonly CursorPart[]
  readonly enum?: readonly string[]
  readonly items?: Keywords
  readonly default?: unknown
  readonly maximum?: number
  readonly maxLength?: number
}

type Parameter = { readonly name: string; readonly schema: Keywords }
type Report = (code: string, detail: string) => undefined

/** `text` is what was sent, never empty for a rule that strips. Returns undefined if it was left out or an error was reported. */
type Rule = (text: string, parameter: Parameter, report: Report, zone: Zone | undefined) => unknown

const notAChoice = (value: string): string => errorOf('unknown_choice', { value }).detail

const choices: Rule = (text, { schema }, report) => {
  const known = schema.items?.enum ?? []
  const values = text
    .split(',')
    .map((part) => strip(part))
    .filter((value) => value !== '')
  const wrong = values.find((value) => !known.includes(value))
  if (wrong !== undefined) return report('invalid_choice', notAChoice(wrong.toWellFormed()))
  return values.length === 0 ? undefined : [...new Set(values)]
}

const choice: Rule = (text, { schema }, report) => {
  const value = strip(text)
  if (value === '' || schema.enum!.includes(value)) return value || undefined
  const shown = value.slice(0, 100).toWellFormed()
  return report('invalid_choice', schema['x-invalid']?.replace('{value}', () => shown) ?? notAChoice(shown))
}

const text: Rule = (sent, { name, schema: { maxLength } }, report) => {
  const value = strip(sent)
  const wrong = forbidden(value, name)
  for (const { code, detail } of wrong) report(code, detail)
  if (maxLength !== undefined && value.length > maxLength)
    return report('max_length', `Ensure this value has at most ${maxLength} characters.`)
  return wrong.length > 0 ? undefined : value || undefined
}

const id: Rule = (sent, _, report) => {
  const value = strip(sent)
  return value === '' ? undefined : (uuidOfText(value) ?? report('invalid', errorOf('unknown_id').detail))
}

const neededId: Rule = (sent, parameter, ...more) =>
  strip(sent) === '' ? more[0]('required', errorOf('required').detail) : id(sent, parameter, ...more)

const day: Rule = (sent, _, report) => {
  const value = strip(sent)
  return value === '' ? undefined : (readDay(value) ?? report('invalid', 'Enter a valid date.'))
}

const amount: Rule = (sent, _, report) => {
  if (sent === '') return undefined
  const reading = readDecimal(sent)
  return reading.kind === 'ok' ? reading.minor : report(reading.code, errorOf(decimalSentence(reading.code)).detail)
}

/** Rows have milliseconds, a filter may have microseconds: `shift_ms` is 1 where the handler needs the first instant outside. */
const instant =
  (round: 'up' | 'down', shift_ms: 0 | 1): Rule =>
  (sent, _, report, zone) => {
    if (sent === '') return undefined
    const at = readInstant(sent, zone!, round)
    return at === undefined ? report('invalid', errorOf('not_a_time').detail) : at.getTime() + shift_ms
  }

const words: Rule = (sent, { name }, report) => {
  for (const { code, detail } of forbidden(sent, name)) report(code, detail)
  return searchTerms(sent).map(fold)
}

const ordering: Rule = (sent, { schema }) => {
  const order: { field: string; down: boolean }[] = []
  const fields = schema.items!.enum!.filter((name) => !name.startsWith('-'))
  const add = (part: string): void => {
    const down = part.startsWith('-')
    const field = down ? part.slice(1) : part
    if (fields.includes(field) && !order.some((known) => known.field === field)) order.push({ field, down })
  }
  for (const part of sent.split(',')) add(strip(part))
  if (order.length === 0) for (const part of schema.default as string[]) add(part)
  return order
}

const pageSize: Rule = (sent, { schema }) => {
  const size = readWholeNumber(sent)
  return size === undefined || size < 1 ? schema.default : Math.min(size, schema.maximum!)
}

/** Undefined: no page number, which is answered with 404. */
const page: Rule = (sent) => {
  if (sent === 'last') return 'last'
  const number = sent === '' ? 1 : readWholeNumber(sent)
  return number === undefined || number < 1 ? undefined : number
}

const cursor: Rule = (sent, { schema }, report) => {
  if (sent === '') return undefined
  const parts = schema['x-cursor']
  const read = parts === undefined ? uuidOfText(sent) : readCursor(sent, parts)
  return read ?? report('invalid', schema['x-invalid'] ?? 'This is no "next" of a page.')
}

const timeCursor: Rule = (sent, _, report) =>
  sent === '' ? undefined : (readTimeCursor(sent) ?? report('invalid', 'This is no "next" of a page.'))

const rules: Readonly<Record<QueryRule, Rule>> = {
  choices,
  choice,
  flag: (sent) => sent === '1',
  text,
  id,
  amount,
  search: words,
  words,
  after: instant('up', 0),
  before: instant('down', 1),
  until: instant('up', 0),
  ordering,
  page_size: pageSize,
  page,
  cursor,
  time_cursor: timeCursor,
  needed_id: neededId,
  day,
  raw: (sent) => sent || undefined,
}

/** In the dialect, an error of `search` has no field, and is reported only if no other parameter is wrong. */
const inDialect = (errors: readonly ProblemEntry[], unnamed: ReadonlySet<string | null>): ProblemEntry[] => {
  const named = errors.filter(({ attr }) => !unnamed.has(attr))
  return named.length > 0 ? named : errors.map((error) => ({ ...error, attr: null }))
}

const parametersOf = (query: Parameters): Parameter[] =>
  Object.entries(query).map(([name, { schema }]) => ({ name, schema: schema as Keywords }))

const ruleOf = ({ schema }: Parameter): QueryRule => schema['x-query'] ?? (schema.enum === undefined ? 'raw' : 'choice')

const nothing = Object.freeze({})
const noValues: ReadonlyMap<string, string> = new Map()

/** Many calls receive the same object. */
const frozen = <T extends object>(values: T): T => {
  for (const value of Object.values(values)) if (Array.isArray(value)) Object.freeze(value)
  return Object.freeze(values)
}

/** `zone`: of times without an offset; needed if a parameter is a time. */
export const queryReader = <O extends Operation>({ query = {} }: O) => {
  const parameters = parametersOf(query).map((parameter) => ({ parameter, rule: ruleOf(parameter) }))
  const unnamed = new Set<string | null>(
    parameters.flatMap(({ parameter, rule }) => (rule === 'search' ? parameter.name : [])),
  )
  const pages = parameters.find(({ rule }) => rule === 'page')?.parameter.name
  const read = (sent: ReadonlyMap<string, string>, zone: Zone | undefined): QueryOf<O> => {
    const errors: ProblemEntry[] = []
    const values: Record<string, unknown> = {}
    for (const { parameter, rule } of parameters) {
      const report = (code: string, detail: string) => void errors.push({ code, detail, attr: parameter.name })
      values[parameter.name] = rules[rule](sent.get(parameter.name) ?? '', parameter, report, zone)
    }
    if (errors.length > 0) throw invalid(unnamed.size === 0 ? errors : inDialect(errors, unnamed))
    if (pages !== undefined && values[pages] === undefined) throw noSuchPage()
    return values as QueryOf<O>
  }
  /** What a URL without a query says. No rule asks for the zone or the time of what was not sent. */
  let withoutQuery: QueryOf<O> | undefined
  return (url: string, zone: Zone | undefined): QueryOf<O> => {
    if (parameters.length === 0) return nothing as QueryOf<O>
    if (url.includes('?')) return read(lastValues(url), zone)
    withoutQuery ??= frozen(read(noValues, zone))
    return withoutQuery
  }
}
