/**
 * The parameters of a query that had no effect: unknown ones, and values that are replaced by a default, as the specification
 * says. An answer names them, also one that succeeds. Pure.
 */
import type { Operation } from '@sanad/contract/operation'
import type { QueryRule } from '@sanad/contract/query'
import { strip } from '../../core/python-text.ts'
import { readWholeNumber } from '../query/whole-number.ts'
import { mostIgnored, safeName } from './hint-text.ts'
import { similarName } from './similar-name.ts'

/** The parameters that a call reads. */
export type KnownParameters = {
  readonly names: readonly string[]
  /** The choices of `status`. */
  readonly statuses?: readonly string[]
  /** Parameters that count only as `1`. */
  readonly flags?: readonly string[]
  /** The fields of `ordering`, without the leading `-`. */
  readonly orderings?: readonly string[]
  /** The default and the largest `page_size`. */
  readonly sizes?: readonly [usual: number, largest: number]
}

export type QueryRemarks = { readonly ignored: readonly string[]; readonly hint: string | undefined }

type QueryKeywords = {
  readonly 'x-query'?: QueryRule
  readonly items?: { readonly enum?: readonly string[] }
  readonly default?: number
  readonly maximum?: number
}

export const knownParameters = ({ query = {} }: Operation): KnownParameters => {
  const fields = Object.entries(query).map(([name, { schema }]) => ({ name, ...(schema as QueryKeywords) }))
  const byRule = (rule: QueryRule) => fields.find((field) => field['x-query'] === rule)
  const [choices, ordering, size] = [byRule('choices'), byRule('ordering'), byRule('page_size')]
  return {
    names: fields.map(({ name }) => name),
    flags: fields.filter((field) => field['x-query'] === 'flag').map(({ name }) => name),
    ...(choices === undefined ? {} : { statuses: choices.items!.enum! }),
    ...(ordering === undefined ? {} : { orderings: ordering.items!.enum!.filter((one) => !one.startsWith('-')) }),
    ...(size === undefined ? {} : { sizes: [size.default!, size.maximum!] }),
  }
}

/** `pairs`: the query in its order. Of repeated parameters the last counts. */
export const queryRemarks = (pairs: readonly (readonly [string, string])[], known: KnownParameters): QueryRemarks => {
  const values = new Map(pairs)
  const unknown = [...values.keys()].filter((name) => !known.names.includes(name)).slice(0, mostIgnored)
  const ignored = [...unknown]
  const hints: string[] = []
  const free = known.names.filter((name) => !values.has(name))
  for (const name of unknown) {
    const meant = similarName(name, free)
    if (meant !== undefined)
      hints.push(`${safeName(name)} is not a parameter of this call and was ignored: did you mean ${meant}?`)
  }
  if (known.sizes !== undefined) sizeRemark(values.get('page_size'), known.sizes, ignored, hints)
  if (known.orderings !== undefined) orderingRemark(values.get('ordering'), known.orderings, ignored, hints)
  for (const name of known.flags ?? []) {
    if (['', '0', '1', 'false'].includes(values.get(name) ?? '')) continue
    ignored.push(name)
    hints.push(`${name} counts only as ${name}=1.`)
  }
  const repeated = known.names.find((name) => pairs.filter(([sent]) => sent === name).length > 1)
  if (repeated !== undefined)
    hints.push(
      repeated === 'status'
        ? 'status was sent more than once and only its last value counts: separate several values by commas.'
        : `${repeated} was sent more than once: only its last value counts.`,
    )
  const [first] = unknown
  if (hints.length === 0 && first !== undefined)
    hints.push(
      known.names.length === 0
        ? 'This call reads no parameters from the query: they were ignored.'
        : `${safeName(first)} is not a parameter of this call and was ignored; it reads ${known.names.join(', ')}.`,
    )
  return { ignored, hint: hints[0] }
}

const sizeRemark = (
  sent: string | undefined,
  [usual, largest]: readonly [number, number],
  ignored: string[],
  hints: string[],
): void => {
  if (sent === undefined || sent === '') return
  const size = readWholeNumber(sent)
  if (size === undefined || size < 1) {
    ignored.push('page_size')
    hints.push(`page_size is a whole number from 1 to ${largest}: ${usual} was used.`)
  } else if (size > largest) hints.push(`page_size is at most ${largest}: ${largest} was used.`)
}

const orderingRemark = (
  sent: string | undefined,
  orderings: readonly string[],
  ignored: string[],
  hints: string[],
): void => {
  const parts = (sent ?? '').split(',').map((part) => strip(part))
  if (parts.every((part) => part === '' || orderings.includes(part.replace(/^-/, '')))) return
  ignored.push('ordering')
  hints.push(
    `ordering is one of ${orderings.join(', ')}, with a leading - for the reverse: an unknown name was ignored.`,
  )
}
