/**
 * The named types of an OpenAPI document, of its events and of its queries, in a form that the writers of each language read.
 * `npm run dumps` writes the files; a test fails when one is stale. Pure.
 */
import { checkoutErrors, knownErrors } from '@sanad/contract/errors'

type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  /** The merchant's own texts by name. */
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly description?: string
}
type Parameter = { readonly name: string; readonly in: string; readonly description: string; readonly schema: Schema }
type Operation = { readonly operationId: string; readonly parameters?: readonly Parameter[] }
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas?: Readonly<Record<string, unknown>> }
}

export type Shape =
  | { readonly is: 'string' | 'time' | 'integer' | 'number' | 'boolean' | 'null' }
  | { readonly is: 'named'; readonly name: string }
  | { readonly is: 'one of'; readonly values: readonly string[] }
  | { readonly is: 'list' | 'by name'; readonly of: Shape }
  | { readonly is: 'any of'; readonly of: readonly Shape[] }
  | { readonly is: 'object'; readonly fields: readonly Field[] }
export type Field = {
  readonly name: string
  readonly shape: Shape
  readonly isRequired: boolean
  readonly text: string
}
/** `isQuery`: a filter, which takes lists and times as the language has them. */
export type NamedShape = {
  readonly name: string
  readonly shape: Shape
  readonly text: string
  readonly isQuery: boolean
}

const shapeOf = (schema: Schema): Shape => {
  if (schema.$ref !== undefined) return { is: 'named', name: schema.$ref.split('/').at(-1)! }
  if (schema.anyOf !== undefined) return { is: 'any of', of: schema.anyOf.map(shapeOf) }
  if (schema.enum !== undefined) return { is: 'one of', values: schema.enum }
  if (schema.type === 'array') return { is: 'list', of: shapeOf(schema.items!) }
  const [any] = Object.values(schema.patternProperties ?? {})
  if (any !== undefined) return { is: 'by name', of: shapeOf(any) }
  if (schema.type === 'object') {
    const required = new Set(schema.required)
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
      name,
      shape: shapeOf(field),
      isRequired: required.has(name),
      text: textOf(field.description),
    }))
    return { is: 'object', fields }
  }
  if (schema.type === 'string') return { is: schema.format === 'date-time' ? 'time' : 'string' }
  if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean' || schema.type === 'null')
    return { is: schema.type }
  // An unknown keyword must not become a wrong type.
  throw new Error(`no type for ${JSON.stringify(schema)}`)
}

const textOf = (description: string | undefined): string =>
  (description ?? '').replaceAll('*/', '* /').replace(/\s+/g, ' ')

const queriesOf = (document: Document): NamedShape[] =>
  Object.values(document.paths)
    .flatMap((path) => Object.values(path) as Operation[])
    .flatMap(({ operationId, parameters = [] }) => {
      const query = parameters.filter((parameter) => parameter.in === 'query')
      if (query.length === 0) return []
      const fields = query.map(({ name, schema, description }) => ({
        name,
        shape: shapeOf(schema),
        isRequired: false,
        text: textOf(description),
      }))
      const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Query`
      return [{ name, shape: { is: 'object', fields }, text: `The query of \`${operationId}\`.`, isQuery: true }]
    })

/** A schema that two documents have is one type. */
export const namedShapes = (documents: readonly Document[]): NamedShape[] => {
  const byName = new Map<string, NamedShape>()
  for (const { components } of documents)
    for (const [name, schema] of Object.entries(components.schemas ?? {}) as [string, Schema][])
      if (!byName.has(name))
        byName.set(name, { name, shape: shapeOf(schema), text: textOf(schema.description), isQuery: false })
  return [...byName.values(), ...documents.flatMap(queriesOf)]
}

/** The names of the types of webhook events: they have a field `event` with its kind. */
export const eventNames = (shapes: readonly NamedShape[]): string[] =>
  shapes.flatMap(({ name, shape }) =>
    shape.is === 'object' && shape.fields.some((field) => field.name === 'event' && field.shape.is === 'one of')
      ? [name]
      : [],
  )

export const errorCodes = (): string[] => [...new Set([...knownErrors, ...checkoutErrors].map(({ code }) => code))]
