/**
 * The body of a request as JSON. It checks that the content type is JSON and that the text can be parsed; the fields
 * are checked by the field readers.
 */
import type { FastifyRequest } from 'fastify'
import { malformed, unsupportedMediaType } from '../answers.ts'
import { charsetIn } from '../body/charset.ts'
import { type Json, parseJson } from '../body/json.ts'

// A range is a type as well, as long as JSON lies in it.
const jsonTypes = /^\s*(application|\*)\/(json|\*)\s*(;|$)/i

export const sentBody = (request: FastifyRequest): Json => {
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  const sentType = request.sentType ?? ''
  // No body at all is an empty object, whatever type was announced for it.
  if (bytes.length > 0 && !jsonTypes.test(sentType)) throw unsupportedMediaType(sentType)
  const reading = parseJson(bytes, charsetIn(sentType))
  if (reading.kind === 'malformed') throw malformed(reading.detail)
  return reading.value
}
