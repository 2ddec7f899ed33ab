/** The id of an object in the path of a request. A malformed id is answered with 404, like an unknown one. */
import type { FastifyRequest } from 'fastify'
import { notFound } from './answers.ts'
import { uuidOfText } from './uuid.ts'

/** `name`: the parameter of the path. */
export const idIn = <Id extends string>(request: FastifyRequest, name: string): Id => {
  const id = uuidOfText((request.params as Record<string, string>)[name] ?? '')
  if (id === undefined) throw notFound()
  return id as Id
}
