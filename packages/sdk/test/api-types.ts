/**
 * Writes types/merchant-api.d.ts and types/checkout-api.d.ts from the OpenAPI documents: one type for each named schema, one
 * for each query, and the union of the error codes. `npm run dumps` writes the files; a test fails when one is stale. Pure.
 */
import { checkoutErrors, knownErrors } from '@sanad/contract/errors'

type Schema = {
  readonly $ref?: string
  readonly type?: string
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

const scalarTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replace(/\s+/g, ' ')} */\n`

const typeOf = (schema: Schema, indent: string): string => {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  if (schema.anyOf !== undefined) return schema.anyOf.map((choice) => typeOf(choice, indent)).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (schema.type === 'array') {
    const element = typeOf(schema.items!, indent)
    return element.includes(' ') ? `Array<${element}>` : `${element}[]`
  }
  const [any] = Object.values(schema.patternProperties ?? {})
  if (any !== undefined) return `Record<string, ${typeOf(any, indent)}>`
  if (schema.type === 'object') {
    const required = new Set(schema.required)
    return fields(
      Object.entries(schema.properties ?? {}).map(([name, field]) => ({ name, field, optional: !required.has(name) })),
      indent,
    )
  }
  const scalar = scalarTypes[schema.type ?? '']
  // An unknown keyword must not become a wrong type.
  if (scalar === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`)
  return scalar
}

const fields = (list: readonly { name: string; field: Schema; optional: boolean }[], indent: string): string => {
  const inner = `${indent}  `
  const typeText = (field: Schema, optional: boolean): string => {
    if (!optional) return ` ${typeOf(field, inner)}`
    if (field.type === 'object' && field.properties !== undefined)
      return `\n${inner}  | ${typeOf(field, `${inner}    `)}\n${inner}  | undefined`
    return ` ${typeOf(field, inner)} | undefined`
  }
  const lines = list.map(
    ({ name, field, optional }) =>
      `${comment(field.description, inner)}${inner}${name}${optional ? '?' : ''}:${typeText(field, optional)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

const union = (values: readonly string[]): string => values.map((value) => `  | '${value}'\n`).join('')

const queries = (document: Document): string[] =>
  Object.values(document.paths)
    .flatMap((path) => Object.values(path) as Operation[])
    .flatMap(({ operationId, parameters = [] }) => {
      const query = parameters.filter((parameter) => parameter.in === 'query')
      if (query.length === 0) return []
      const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Query`
      // Choices get a name of their own: programs keep them in variables.
      const choices = query.flatMap((parameter) => {
        const values = parameter.schema.items?.enum
        return values === undefined ? [] : [{ ...parameter, values, title: `${name}_${parameter.name}` }]
      })
      const list = query.map((parameter) => {
        const title = choices.find((choice) => choice.name === parameter.name)?.title
        const schema = title === undefined ? parameter.schema : { type: 'array', items: { $ref: title } }
        return { name: parameter.name, field: { ...schema, description: parameter.description }, optional: true }
      })
      return [
        ...choices.map(({ title, values }) => `export type ${title} =\n${union(values)}`),
        `/** The query of \`${operationId}\`. */\nexport type ${name} = ${fields(list, '')}\n`,
      ]
    })

const typesOf = (schemas: readonly [string, Schema][]): string[] =>
  schemas.map(([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}\n`)

const schemasOf = (document: Document): [string, Schema][] =>
  Object.entries(document.components.schemas ?? {}) as [string, Schema][]

export const apiTypes = (document: Document): string => {
  const codes = [...new Set([...knownErrors, ...checkoutErrors].map(({ code }) => code))]
  return [
    '/** The merchant API as types. Written from openapi/merchant.json by `npm run dumps`: do not edit. */\n',
    ...typesOf(schemasOf(document)),
    ...queries(document),
    `/** Every code that an error of the service can have. */\nexport type ErrorCode =\n${union(codes)}`,
  ].join('\n')
}

/** Types that the merchant API has too are imported from its file. */
export const checkoutApiTypes = (document: Document, merchant: Document): string => {
  const known = new Set(schemasOf(merchant).map(([name]) => name))
  const own = schemasOf(document).filter(([name]) => !known.has(name))
  const text = [...typesOf(own), ...queries(document)].join('\n')
  const used = schemasOf(document)
    .map(([name]) => name)
    .filter((name) => known.has(name) && new RegExp(`\\b${name}\\b`).test(text))
  return [
    '/** The checkout API as types. Written from openapi/checkout.json by `npm run dumps`: do not edit. */',
    `import type { ${used.toSorted().join(', ')} } from './merchant-api.js'\n`,
    text,
  ].join('\n')
}
