/**
 * Writes src/testing/described.js: what the fake knows of the calls. It is data from the contract, so that the fake neither lists
 * a field nor words an error itself, and depends on no other package. `npm run dumps` writes the file; a test fails when it is
 * stale. A schema or a rule that the fake cannot read is a fault here. Pure.
 */
import { checkoutOperations } from '@sanad/contract/checkout/operations'
import { usualCurrency } from '@sanad/contract/currency'
import { errorSentences } from '@sanad/contract/error-sentences'
import { createIntent, merchantOperations } from '@sanad/contract/merchant/operations'
import type { Operation } from '@sanad/contract/operation'

type Schema = {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly propertyNames?: Schema
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly 'x-least'?: string
  readonly 'x-query'?: string
}
type Value = string | number | bigint | boolean | undefined | readonly Value[] | { readonly [name: string]: Value }
type Field = { readonly [name: string]: Value }

/** Limits that the service has beside those of the schemas, by the names that the fake uses. */
export type Limits = Readonly<Record<string, number | bigint>> & { readonly leastAmount: bigint }

const minorOf = (text: string): bigint => BigInt(text.includes('.') ? text.replace('.', '') : `${text}00`)

const fault = (schema: object): Error => new Error(`the fake has no reader for ${JSON.stringify(schema)}`)

/** The keywords that are read below, and those that say nothing about a value. */
const keywords = [
  ...['type', 'format', 'pattern', 'enum', 'items', 'properties', 'patternProperties', 'propertyNames', 'required'],
  ...['default', 'minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'maxProperties', 'x-least'],
  ...['description', 'examples'],
]

/** `blank`: it may be empty. A text that is left out is empty. */
const textField = (kind: string, { minLength = 0, maxLength: max }: Schema): Field => ({
  kind,
  max,
  ...(minLength === 0 ? { blank: true } : {}),
})

/** The field, and what it is when it is left out. */
const fieldOf = (name: string, schema: Schema, limits: Limits): Field => {
  const { type, format, pattern } = schema
  if (Object.keys(schema).some((keyword) => !keywords.includes(keyword))) throw fault(schema)
  if (schema.enum !== undefined) return { kind: 'choice', choices: schema.enum, default: '' }
  if (format === 'uuid') return { kind: 'id' }
  // The schemas of intents do not say that they are amounts, nor the least one: their document is fixed.
  if (format === 'amount' || pattern?.startsWith('^\\d{1,12}')) {
    const least = schema['x-least'] ?? (name === 'price' ? '0' : undefined)
    const usual = schema.default as string | undefined
    return {
      kind: 'amount',
      least: least === undefined ? limits.leastAmount : minorOf(least),
      ...(usual === undefined ? {} : { default: minorOf(usual) }),
    }
  }
  if (type === 'string' && format === 'uri') return { ...textField('url', schema), default: '' }
  if (type === 'string' && format === 'phone') return { ...textField('phone', schema), default: '' }
  if (type === 'string' && format === undefined && pattern === undefined)
    return { ...textField('text', schema), default: '' }
  if (type === 'integer')
    return { kind: 'whole', min: schema.minimum, max: schema.maximum, default: schema.default as number }
  if (type === 'boolean') return { kind: 'flag', default: schema.default as boolean | undefined }
  if (type === 'array') {
    const items = { ...without(fieldOf(name, schema.items!, limits), 'default'), required: true }
    return { kind: 'list', max: schema.maxItems, items, default: [] }
  }
  if (format === 'texts-by-name') {
    const [text] = Object.values(schema.patternProperties!)
    const names = { ...textField('text', schema.propertyNames!), trim: false }
    const items = { ...textField('text', text!), trim: false, required: true }
    return { kind: 'texts', max: schema.maxProperties, names, items, default: {} }
  }
  if (type === 'object' && format === undefined)
    return { kind: 'object', fields: fieldsOf(schema, limits), default: {} }
  throw fault(schema)
}

const without = (field: Field, name: string): Field =>
  Object.fromEntries(Object.entries(field).filter(([key]) => key !== name))

const fieldsOf = ({ properties = {}, required = [] }: Schema, limits: Limits): Field =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const field = fieldOf(name, schema, limits)
      return [name, required.includes(name) ? { ...without(field, 'default'), required: true } : field]
    }),
  )

const parameterOf = (schema: Schema): Field => {
  const rule = schema['x-query']
  const [usual] = Array.isArray(schema.default) ? schema.default : [schema.default]
  switch (rule) {
    case 'choices':
      return { rule, choices: schema.items?.enum }
    case 'ordering':
      return { rule, choices: schema.items?.enum, default: usual }
    case 'page_size':
      return { rule, max: schema.maximum, default: usual }
    case 'text':
      if (schema.maxLength !== undefined) throw fault(schema)
      return { rule }
    case 'page':
    case 'flag':
    case 'id':
    case 'after':
    case 'before':
    case 'search':
      return { rule }
    default:
      throw fault(schema)
  }
}

const callOf = (base: string, { method, path, access, body, query = {} }: Operation, limits: Limits): Field => ({
  method,
  path: `${base}${path.replace(/\/?$/, '/')}`,
  access,
  body: body === undefined ? {} : fieldsOf(body as Schema, limits),
  query: Object.fromEntries(Object.entries(query).map(([name, { schema }]) => [name, parameterOf(schema as Schema)])),
})

const width = 120
const textOf = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`
const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : textOf(name))

/** A value as the formatter writes it: on one line where it fits. `room`: what its last line needs besides. */
const written = (value: Value, indent: string, room: number): string => {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' ']
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => {
      const key = isList ? '' : `${nameOf(name)}: `
      return { line: key + written(part, '', -Infinity), lines: key + written(part, inner, key.length + 1) }
    })
  if (parts.length === 0) return open + close
  const line = `${open}${space}${parts.map((part) => part.line).join(', ')}${space}${close}`
  if (room + indent.length + line.length <= width) return line
  return `${open}\n${parts.map(({ lines }) => `${inner}${lines},\n`).join('')}${indent}${close}`
}

const constant = (comment: string, name: string, value: Value): string =>
  `${comment}\nexport const ${name} = ${written(value, '', Infinity)}\n`

/** `bases`: the path of each API. */
export const describedForFake = (bases: { readonly merchant: string; readonly checkout: string }, limits: Limits) => {
  const [[header, key]] = Object.entries(createIntent.headers) as [[string, { schema: Schema }]]
  const calls = [
    ...merchantOperations.map((operation) => [operation.id, callOf(bases.merchant, operation, limits)] as const),
    ...checkoutOperations.map((operation) => [operation.id, callOf(bases.checkout, operation, limits)] as const),
  ]
  return [
    '/** What the fake knows of the calls. Written from the contract by `npm run dumps`: do not edit. */\n',
    "/** @import { Call } from './read-body.js' */\n",
    constant('/** @satisfies {Record<string, Call>} */', 'calls', Object.fromEntries(calls)),
    constant('/** Code and sentence. @satisfies {Record<string, [string, string]>} */', 'sentences', errorSentences),
    constant('/** Lengths of time in milliseconds, amounts in minor units. */', 'limits', {
      ...limits,
      key: key.schema.maxLength,
    }),
    `export const keyHeader = ${textOf(header)}\n`,
    `export const usualCurrency = /** @type {const} */ ('${usualCurrency}')\n`,
  ].join('\n')
}
