/**
 * Reads the body of a request as JSON. Checks that the content type is JSON and that the text can be parsed; field readers
 * check the fields.
 */
import type { FastifyRequest } from 'fastify'
import { malformed, unsupportedMediaType } from '../answers.ts'
import { charsetIn } from '../body/charset.ts'
import { type Json, parseJson } from '../body/json.ts'
import { noteBody } from '../hints/note-ignored.ts'

// A media range such as `*/*` is accepted too, if it includes JSON.
const jsonTypes = /^\s*(application|\*)\/(json|\*)\s*(;|$)/i

export const sentBody = (request: FastifyRequest): Json => {
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  const sentType = request.sentType ?? ''
  // An empty body is read as an empty object, whatever its content type is.
  if (bytes.length > 0 && !jsonTypes.test(sentType)) throw unsupportedMediaType(sentType)
  const reading = parseJson(bytes, charsetIn(sentType))
  if (reading.kind === 'malformed') throw malformed(reading.detail)
  const schema = request.noted?.body
  if (schema !== undefined) {
    request.parsed = reading.value
    noteBody(request, reading.value, schema)
  }
  return reading.value
}
