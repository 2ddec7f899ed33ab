/**
 * Builds the reader of a request body from its schema in the contract. So a body is described once: its types, its reader
 * and the OpenAPI document all come from that schema. The errors are those of the readers in fields.ts.
 *
 * The keywords are listed in packages/contract/src/body.ts, the formats in formats.ts. An unknown keyword or format is a
 * fault when the service starts, so that no part of a schema is silently left unchecked.
 */
import type { AmountField, HeadersField, InstantField, TextsField } from '@sanad/contract/body'
import type { Static, TArray, TNull, TObject, TProperties, TSchema, TUnion, TUnsafe } from 'typebox'
import type { Instant } from '../../core/clock.ts'
import type { Minor } from '../../core/money.ts'
import type { HeaderChanges } from '../../webhooks/calling/custom-headers.ts'
import { inside, NON_FIELD } from './field-error.ts'
import {
  choice,
  type Field,
  flag,
  type Kind,
  list,
  object,
  type Reading,
  readBody,
  required,
  text,
  wholeNumber,
  withDefault,
} from './fields.ts'
import { formats } from './formats.ts'
import { type Json, parseJson } from './json.ts'
import type { Keywords, ReaderSettings } from './schema-keywords.ts'

/** The type that a schema's reader returns: money as minor units, times as instants, all others as the static type. */
type ReadValue<S> = S extends AmountField
  ? Minor
  : S extends InstantField
    ? Instant
    : S extends HeadersField
      ? HeaderChanges
      : S extends TextsField
        ? Record<string, string>
        : S extends TUnsafe<infer Value>
          ? Value
          : S extends TUnion<[infer One extends TSchema, TNull]>
            ? ReadValue<One> | null
            : S extends TArray<infer Element>
              ? ReadValue<Element>[]
              : S extends TObject<infer Properties>
                ? { [Name in keyof Properties]: ReadField<Properties[Name]> }
                : S extends TSchema
                  ? Static<S>
                  : never

/** The type of a field. A field that was left out is undefined, unless its schema has a default. */
type ReadField<S> = S extends { readonly default: unknown }
  ? ReadValue<S>
  : S extends { readonly '~optional': true }
    ? ReadValue<S> | undefined
    : ReadValue<S>

export type ReadBody<S extends TSchema> = ReadValue<S>
export type BodyReader<T> = (sent: Json) => Reading<T>

export const bodyReader = <S extends TSchema>(schema: S, settings: ReaderSettings = {}): BodyReader<ReadBody<S>> => {
  const kind = kindOf(schema as Keywords, settings) as Kind<ReadBody<S>>
  return (sent) => readBody(kind, sent)
}

/** The readers of a schema's fields, for a body whose fields depend on each other. The caller reads the fields in `except`. */
export const fieldReaders = <P extends TProperties, Except extends keyof P & string = never>(
  schema: TObject<P>,
  settings: ReaderSettings,
  except: readonly Except[] = [],
): { [Name in Exclude<keyof P, Except>]: Field<ReadField<P[Name]>> } => {
  const { properties, ...rest } = schema as Keywords
  const read = Object.entries(properties ?? {}).filter(([name]) => !except.some((excluded) => excluded === name))
  return fieldsOf({ ...rest, properties: Object.fromEntries(read) }, settings) as never
}

/** A reader that converts the body to the form that the handler needs. */
export const mapBody =
  <T, U>(read: BodyReader<T>, map: (body: T) => U): BodyReader<U> =>
  (sent) => {
    const reading = read(sent)
    return reading.kind === 'no' ? reading : { kind: 'ok', value: map(reading.value) }
  }

const annotations = ['description', 'examples', 'default']
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['type', 'format', 'minLength', 'maxLength', 'pattern', 'x-invalid', 'x-trim', 'x-upper', 'x-least'],
  integer: ['type', 'minimum', 'maximum'],
  boolean: ['type'],
  array: ['type', 'format', 'items', 'minItems', 'maxItems', 'x-distinct'],
  object: [
    'type',
    'format',
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'maxProperties',
  ],
  enum: ['type', 'enum'],
}

const fault = (schema: Keywords, reason: string): Error =>
  new Error(`no reader can be built from ${JSON.stringify(schema)}: ${reason}`)

const kindOf = (schema: Keywords, settings: ReaderSettings): Kind<unknown> => {
  const type = schema.enum === undefined ? (schema.type ?? '') : 'enum'
  const known = keywordsOf[type]
  if (known === undefined) throw fault(schema, `its type "${type}" is not known`)
  for (const keyword of Object.keys(schema))
    if (!known.includes(keyword) && !annotations.includes(keyword))
      throw fault(schema, `the keyword "${keyword}" is not known`)
  const plain = (): Kind<unknown> => plainKind(type, schema, settings)
  if (schema.format === undefined) return plain()
  const format = formats[schema.format]
  if (format === undefined) throw fault(schema, `the format "${schema.format}" is not known`)
  return format(plain, schema, settings)
}

/** The reader of the standard keywords, without the format. */
const plainKind = (type: string, schema: Keywords, settings: ReaderSettings): Kind<unknown> => {
  if (type === 'enum') return choice(schema.enum ?? [])
  if (type === 'boolean') return flag()
  if (type === 'integer') return wholeNumber({ min: bound(schema, 'minimum'), max: bound(schema, 'maximum') })
  if (type === 'string') return textKind(schema)
  if (type === 'array') return listKind(schema, settings)
  return objectKind(schema, settings)
}

const bound = (schema: Keywords, name: 'minimum' | 'maximum' | 'maxLength' | 'maxItems'): number => {
  const value = schema[name]
  if (value === undefined) throw fault(schema, `it has no ${name}`)
  return value
}

const textKind = (schema: Keywords): Kind<string> => {
  const { minLength = 0, pattern, 'x-trim': trim = true, 'x-upper': upper = false, 'x-invalid': detail } = schema
  const read = text({ max: bound(schema, 'maxLength'), blank: minLength === 0, trim })
  if (pattern === undefined && !upper) return read
  if (pattern !== undefined && detail === undefined) throw fault(schema, 'its pattern has no x-invalid')
  const form = new RegExp(pattern ?? '', 'u')
  return (value, attr) => {
    const reading = read(value, attr)
    if (reading.kind === 'no') return reading
    if (!form.test(reading.value)) return { kind: 'no', errors: [{ attr, code: 'invalid', detail: detail ?? '' }] }
    return upper ? { kind: 'ok', value: reading.value.toUpperCase() } : reading
  }
}

const listKind = (schema: Keywords, settings: ReaderSettings): Kind<unknown[]> => {
  if (schema.items === undefined) throw fault(schema, 'it has no items')
  const { minItems = 0, 'x-distinct': distinct = false } = schema
  if (minItems > 1) throw fault(schema, 'a list can be required to have one element, not more')
  const read = list(kindOf(schema.items, settings), { max: bound(schema, 'maxItems') })
  return (value, attr) => {
    const reading = read(value, attr)
    if (reading.kind === 'no') return reading
    if (reading.value.length < minItems) {
      const errors = [{ attr: inside(attr, NON_FIELD), code: 'empty', detail: 'This list may not be empty.' }]
      return { kind: 'no', errors }
    }
    return distinct ? { kind: 'ok', value: [...new Set(reading.value)] } : reading
  }
}

const objectKind = (schema: Keywords, settings: ReaderSettings): Kind<unknown> => object(fieldsOf(schema, settings))

const fieldsOf = (schema: Keywords, settings: ReaderSettings): Record<string, Field<unknown>> => {
  if (schema.properties === undefined) throw fault(schema, 'it has no properties')
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false
    return [name, fieldOf(field, isRequired, settings)] as const
  })
  return Object.fromEntries(fields)
}

/** Whether a field is required, may be null, or has a default are three independent properties. */
const fieldOf = (schema: Keywords, isRequired: boolean, settings: ReaderSettings): Field<unknown> => {
  const { value: inner, nullable } = withoutNull(schema)
  const kind = kindOf(inner, settings)
  const notNull: Field<unknown> = isRequired ? required(kind) : withDefault(kind, defaultOf(schema, kind))
  return nullable ? (value, attr) => (value === null ? { kind: 'ok', value: null } : notNull(value, attr)) : notNull
}

const withoutNull = (schema: Keywords): { value: Keywords; nullable: boolean } => {
  if (schema.anyOf === undefined) return { value: schema, nullable: false }
  const [inner, none] = schema.anyOf
  if (schema.anyOf.length !== 2 || inner === undefined || none?.type !== 'null')
    throw fault(schema, 'the only known union is a schema or null')
  return { value: inner, nullable: true }
}

/** The default is read by the reader too: `"0.00"` becomes an amount. */
const defaultOf = (schema: Keywords, kind: Kind<unknown>): unknown => {
  if (schema.default === undefined || schema.default === null) return schema.default
  const json = parseJson(Buffer.from(JSON.stringify(schema.default)))
  const reading = json.kind === 'ok' && json.value !== null ? kind(json.value, 'default') : undefined
  if (reading?.kind !== 'ok') throw fault(schema, 'its default is not a value that it allows')
  return reading.value
}
