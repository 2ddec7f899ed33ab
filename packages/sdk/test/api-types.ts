/**
 * Writes types/merchant-api.d.ts and types/checkout-api.d.ts from the OpenAPI documents: one type for each named schema, one
 * for each query, and the union of the error codes. `npm run dumps` writes the files; a test fails when one is stale. Pure.
 */
import {
  type Document,
  errorCodes,
  type Field,
  type NamedShape,
  namedShapes,
  type Shape,
} from '../../../sdks/types/document-shapes.ts'

const comment = (text: string, indent: string): string => (text === '' ? '' : `${indent}/** ${text} */\n`)

const typeOf = (shape: Shape, indent: string): string => {
  switch (shape.is) {
    case 'named':
      return shape.name
    case 'one of':
      return shape.values.map((value) => `'${value}'`).join(' | ')
    case 'any of':
      return shape.of.map((one) => typeOf(one, indent)).join(' | ')
    case 'list': {
      const element = typeOf(shape.of, indent)
      return element.includes(' ') ? `Array<${element}>` : `${element}[]`
    }
    case 'by name':
      return `Record<string, ${typeOf(shape.of, indent)}>`
    case 'object':
      return fieldsOf(shape.fields, indent)
    case 'time':
      return 'string'
    case 'integer':
      return 'number'
    default:
      return shape.is
  }
}

const fieldsOf = (fields: readonly Field[], indent: string): string => {
  const inner = `${indent}  `
  const typeText = ({ shape, isRequired }: Field): string => {
    if (isRequired) return ` ${typeOf(shape, inner)}`
    if (shape.is === 'object') return `\n${inner}  | ${typeOf(shape, `${inner}    `)}\n${inner}  | undefined`
    return ` ${typeOf(shape, inner)} | undefined`
  }
  const lines = fields.map(
    (field) => `${comment(field.text, inner)}${inner}${field.name}${field.isRequired ? '' : '?'}:${typeText(field)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

const union = (values: readonly string[]): string => values.map((value) => `  | '${value}'\n`).join('')

/** The choices of a query get a name of their own: programs keep them in variables. */
const typesOf = ({ name, shape, text, isQuery }: NamedShape): string[] => {
  if (!isQuery || shape.is !== 'object') return [`${comment(text, '')}export type ${name} = ${typeOf(shape, '')}\n`]
  const choices: string[] = []
  const fields = shape.fields.map((field): Field => {
    if (field.shape.is !== 'list' || field.shape.of.is !== 'one of') return field
    const title = `${name}_${field.name}`
    choices.push(`export type ${title} =\n${union(field.shape.of.values)}`)
    return { ...field, shape: { is: 'list', of: { is: 'named', name: title } } }
  })
  return [...choices, `${comment(text, '')}export type ${name} = ${fieldsOf(fields, '')}\n`]
}

export const apiTypes = (document: Document): string =>
  [
    '/** The merchant API as types. Written from openapi/merchant.json by `npm run dumps`: do not edit. */\n',
    ...namedShapes([document]).flatMap(typesOf),
    `/** Every code that an error of the service can have. */\nexport type ErrorCode =\n${union(errorCodes())}`,
  ].join('\n')

/** Types that the merchant API has too are imported from its file. */
export const checkoutApiTypes = (document: Document, merchant: Document): string => {
  const known = new Set(Object.keys(merchant.components.schemas ?? {}))
  const text = namedShapes([document])
    .filter(({ name, isQuery }) => isQuery || !known.has(name))
    .flatMap(typesOf)
    .join('\n')
  const used = Object.keys(document.components.schemas ?? {}).filter(
    (name) => known.has(name) && new RegExp(`\\b${name}\\b`).test(text),
  )
  return [
    '/** The checkout API as types. Written from openapi/checkout.json by `npm run dumps`: do not edit. */',
    `import type { ${used.toSorted().join(', ')} } from './merchant-api.js'\n`,
    text,
  ].join('\n')
}
