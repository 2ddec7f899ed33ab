/**
 * Gives schemas their names in an OpenAPI document: each is listed once among the components, and other schemas and
 * operations reference it by its name. So generated clients have named types. Pure.
 */
import type { TSchema } from 'typebox'

export type NamedSchemas = {
  /** A schema as a part of the document: a reference if it has a name, otherwise itself with references inside. */
  readonly place: (schema: unknown) => unknown
  /** The components: every schema under its name. */
  readonly schemas: () => Record<string, unknown>
}

/**
 * Moves the default of a field into its description. With the keyword `default`, a public generator (openapi-typescript)
 * makes the field required, in requests too.
 */
const withDescribedDefault = (part: object): object => {
  if (!('default' in part) || !('type' in part || 'anyOf' in part || 'enum' in part)) return part
  const { default: value, ...schema } = part
  const text = 'description' in schema ? String(schema.description) : ''
  // The description already mentions the default.
  if (/when left out|by default|default/i.test(text)) return schema
  return { ...schema, description: `${text}${text === '' ? '' : ' '}Left out: \`${JSON.stringify(value)}\`.` }
}

type Options = {
  /** Keeps `additionalProperties: false`. In a document without it, generated clients ignore fields that are added later. */
  readonly closed?: boolean
}

export const nameSchemas = (
  schemasByName: Readonly<Record<string, TSchema>>,
  { closed = false }: Options = {},
): NamedSchemas => {
  const names = new Map<unknown, string>(Object.entries(schemasByName).map(([name, schema]) => [schema, name]))

  const publish = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(place)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(withDescribedDefault(part))
        // How the server reads a query field is not published.
        .filter(([keyword]) => !['x-query', 'x-cursor'].includes(keyword))
        .filter(([keyword, value]) => closed || !(keyword === 'additionalProperties' && value === false))
        .map(([keyword, value]) => [keyword, place(value)]),
    )
  }
  const place = (part: unknown): unknown => {
    const name = names.get(part)
    return name === undefined ? publish(part) : { $ref: `#/components/schemas/${name}` }
  }

  return {
    place,
    schemas: () => Object.fromEntries(Object.entries(schemasByName).map(([name, schema]) => [name, publish(schema)])),
  }
}
