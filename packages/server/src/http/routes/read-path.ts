/** The ids in the path of a request. A malformed id is answered with 404, like an unknown one. */
import type { Operation, PathOf } from '@sanad/contract/operation'
import type { FastifyRequest } from 'fastify'
import type { SentId } from '../../core/ids.ts'
import { notFound } from '../answers.ts'
import { uuidOfText } from '../uuid.ts'

export type PathIds<O extends Operation> = { readonly [Name in keyof PathOf<O>]: SentId }

type Keywords = { readonly pattern?: string }

/** An id is a UUID, unless the operation describes its form. */
const idReader = (pattern: string | undefined): ((text: string) => string | undefined) => {
  if (pattern === undefined) return uuidOfText
  const form = new RegExp(pattern)
  return (text) => (form.test(text.toLowerCase()) ? text.toLowerCase() : undefined)
}

export const pathReader = <O extends Operation>({ path, pathParameters = {} }: O) => {
  const readers = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const { pattern } = (pathParameters[name!]?.schema ?? {}) as Keywords
    return [name!, idReader(pattern)] as const
  })
  return (request: FastifyRequest): PathIds<O> => {
    const ids: Record<string, string> = {}
    for (const [name, read] of readers) {
      const id = read((request.params as Record<string, string>)[name] ?? '')
      if (id === undefined) throw notFound()
      ids[name] = id
    }
    return ids as PathIds<O>
  }
}
