/**
 * Checks an answer of the dashboard API against the published document: its status is described, and its type and
 * shape, field by field, for successes and errors; and it has no header that is not described.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import type { Answer } from './story.ts'

type Described = {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Described> }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, TSchema>> }
}
const file = join(import.meta.dirname, '../../../../openapi/dashboard.json')
const { paths, components }: Document = JSON.parse(readFileSync(file, 'utf8'))

/** Headers of any answer: of HTTP itself, against caching, and those of the document's introduction. */
const everywhere = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['cache-control', 'allow', 'x-request-id', 'x-content-type-options', 'strict-transport-security'],
])

type Place = {
  readonly path: string
  readonly parts: readonly string[]
  readonly operations: Document['paths'][string]
}

/** `/replays/count/` fits the path of one replay as well: that which names more of it is meant, and comes first. */
const places: readonly Place[] = Object.entries(paths)
  .map(([path, operations]) => ({ path, parts: path.split('/'), operations }))
  .sort((one, other) => one.path.split('{').length - other.path.split('{').length)

const placeOf = (method: string, path: string): Place | undefined => {
  const requested = path.split('/')
  return places.find(
    ({ parts, operations }) =>
      parts.length === requested.length &&
      Object.hasOwn(operations, method.toLowerCase()) &&
      parts.every((part, i) => part.startsWith('{') || part === requested[i]),
  )
}

/** Schemas with those that they refer to in their place. Each named one is made once. */
const made = new Map<string, unknown>()
const resolved = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(resolved)
  if (typeof part !== 'object' || part === null) return part
  if (!('$ref' in part)) return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, resolved(inner)]))
  const name = String(part.$ref).split('/').at(-1)!
  if (!made.has(name)) made.set(name, resolved(components.schemas[name]))
  return made.get(name)
}

/** `path`: under the base of the dashboard's API. What is no call of the document is not described by it. */
export const checkDescribed = (method: string, path: string, answer: Answer): Answer => {
  const [plain = ''] = path.split('?')
  const place = placeOf(method, plain)
  if (place === undefined) return answer
  const description = `${method} ${place.path}: ${answer.status} ${answer.text}`
  const described = place.operations[method.toLowerCase()]!.responses[answer.status]
  assert.ok(described, `not described: ${description}`)
  const describedHeaders = new Set(Object.keys(described.headers ?? {}).map((name) => name.toLowerCase()))
  const undescribed = Object.keys(answer.headers).filter((name) => !everywhere.has(name) && !describedHeaders.has(name))
  assert.deepEqual(undescribed, [], `headers that are not described: ${description}`)
  if (described.content === undefined) {
    assert.equal(answer.text, '', description)
    return answer
  }
  const [[type, content]] = Object.entries(described.content) as [[string, { schema: object }]]
  assert.equal(String(answer.headers['content-type']).split(';')[0], type, description)
  if (type !== 'application/json') return answer
  const schema = resolved(content.schema) as TSchema
  if (!Check(schema, answer.body)) assert.fail(`${JSON.stringify(Errors(schema, answer.body))} in ${description}`)
  return answer
}
