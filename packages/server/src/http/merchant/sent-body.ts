/**
 * The body of a request as JSON. What it should hold is for the field readers to say; here it is only whether there is
 * one, of which type it says it is, and whether it can be read at all.
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
