/**
 * Checks an answer of the dashboard API against the published OpenAPI document. The status, the content type, every field
 * of the body and every header must be described there, for successes and for errors.
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

/** Headers that every answer may have: those of HTTP itself, of caching, and of the document's introduction. */
const commonHeaders = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['cache-control', 'allow', 'x-request-id', 'x-content-type-options', 'strict-transport-security'],
])

type DocumentPath = {
  readonly path: string
  readonly parts: readonly string[]
  readonly operations: Document['paths'][string]
}

/** `/replays/count/` also fits `/replays/{id}/`. Paths with fewer parameters are tried first. */
const documentPaths: readonly DocumentPath[] = Object.entries(paths)
  .map(([path, operations]) => ({ path, parts: path.split('/'), operations }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

const findPath = (method: string, path: string): DocumentPath | undefined => {
  const requested = path.split('/')
  return documentPaths.find(
    ({ parts, operations }) =>
      parts.length === requested.length &&
      Object.hasOwn(operations, method.toLowerCase()) &&
      parts.every((part, i) => part.startsWith('{') || part === requested[i]),
  )
}

/** Named schemas with every `$ref` resolved. Each is resolved once. */
const resolvedSchemas = new Map<string, unknown>()
const resolveRefs = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(resolveRefs)
  if (typeof part !== 'object' || part === null) return part
  if (!('$ref' in part))
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, resolveRefs(inner)]))
  const name = String(part.$ref).split('/').at(-1)!
  if (!resolvedSchemas.has(name)) resolvedSchemas.set(name, resolveRefs(components.schemas[name]))
  return resolvedSchemas.get(name)
}

/** Where there is a replica, every change tells the browser that it changed something. */
const isChangedCookie = (name: string, value: string | readonly string[] | undefined): boolean =>
  name === 'set-cookie' && [value].flat().every((one) => one?.startsWith('sanad_changed='))

/** `path`: relative to the base of the dashboard API. An answer to a path that the document does not have is not checked. */
export const checkDescribed = (method: string, path: string, answer: Answer): Answer => {
  const [plain = ''] = path.split('?')
  const found = findPath(method, plain)
  if (found === undefined) return answer
  const description = `${method} ${found.path}: ${answer.status} ${answer.text}`
  const described = found.operations[method.toLowerCase()]!.responses[answer.status]
  assert.ok(described, `not described: ${description}`)
  const describedHeaders = new Set(Object.keys(described.headers ?? {}).map((name) => name.toLowerCase()))
  const undescribed = Object.keys(answer.headers).filter(
    (name) => !commonHeaders.has(name) && !describedHeaders.has(name) && !isChangedCookie(name, answer.headers[name]),
  )
  assert.deepEqual(undescribed, [], `headers that are not described: ${description}`)
  if (described.content === undefined) {
    assert.equal(answer.text, '', description)
    return answer
  }
  const [[type, content]] = Object.entries(described.content) as [[string, { schema: object }]]
  assert.equal(String(answer.headers['content-type']).split(';')[0], type, description)
  if (type !== 'application/json') return answer
  const schema = resolveRefs(content.schema) as TSchema
  if (!Check(schema, answer.body)) assert.fail(`${JSON.stringify(Errors(schema, answer.body))} in ${description}`)
  return answer
}
