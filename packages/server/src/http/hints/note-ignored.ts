/**
 * Notes on a request what had no effect, so that the answer names it, whether it succeeds or fails: unknown fields of a body,
 * parameters of a query, and headers with a name of other APIs. A request without any of these costs almost nothing.
 */
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { isObject, type Json } from '../body/json.ts'
import { hasLines } from '../body/merchant/create-intent-body.ts'
import { pairsOf } from '../query/parameters.ts'
import { meantFields, meantHint, unknownFieldHint } from './field-hint.ts'
import { hintText, ignoredText, mostIgnored } from './hint-text.ts'
import { ignoredFields, type KnownFields, knownFields } from './ignored-fields.ts'
import { type KnownParameters, queryRemarks } from './query-hint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** X-Service-Ignored: what was sent and had no effect. */
    ignored: string | undefined
    /** The body, once it was read as JSON. */
    parsed: Json | undefined
    /** X-Service-Hint: how to repair the request. */
    hint: string | undefined
  }
}

const note = (request: FastifyRequest, names: readonly string[], hint: string | undefined): void => {
  const text = ignoredText(names)
  if (text !== '') {
    const all = request.ignored === undefined ? text : `${request.ignored}, ${text}`
    request.ignored = all.split(', ').slice(0, mostIgnored).join(', ')
  }
  if (hint !== undefined) request.hint ??= hintText(hint)
}

export const noteQuery = (request: FastifyRequest, known: KnownParameters): void => {
  const url = request.raw.url ?? ''
  if (!url.includes('?')) return
  const { ignored, hint } = queryRemarks(pairsOf(url), known)
  if (ignored.length > 0 || hint !== undefined) note(request, ignored, hint)
}

const knownOf = new WeakMap<TSchema, KnownFields>()

const fieldsOf = (schema: TSchema): KnownFields => {
  let known = knownOf.get(schema)
  if (known === undefined) {
    known = knownFields(schema) ?? new Map()
    knownOf.set(schema, known)
  }
  return known
}

export const noteBody = (request: FastifyRequest, body: Json, schema: TSchema): void => {
  if (!isObject(body)) return
  const known = fieldsOf(schema)
  const ignored = ignoredFields(body, known)
  if (ignored.length > 0) {
    const meant = meantFields(body, known, ignored)[0]
    note(request, ignored, meant === undefined ? unknownFieldHint(ignored[0]!, known) : meantHint(meant))
  }
  if (body.has('amount') && known.has('items') && hasLines(body))
    note(request, ['amount'], 'amount is not read beside items: the total of the items is collected.')
}

const keyHeader = 'service-idempotency-key'
const otherKeyHeaders = ['idempotency-key', 'x-idempotency-key', 'x-service-idempotency-key', 'service_idempotency_key']

const keyHint =
  'The idempotency key is read from the header SERVICE-IDEMPOTENCY-KEY alone: this request was not protected against a repeat.'

/** For a call that reads the idempotency key. */
export const noteKeyHeader = (request: FastifyRequest): void => {
  const { headers } = request
  if (headers[keyHeader] !== undefined) return
  const name = otherKeyHeaders.find((other) => headers[other] !== undefined)
  if (name !== undefined) note(request, [name], keyHint)
}
