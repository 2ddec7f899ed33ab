/**
 * A route: an operation of the contract and its handler. Before the handler runs, the object that the path names is looked up
 * (404), then the query and the body are read as the operation describes them (400, all errors at once). The handler receives
 * them typed.
 */
import type { AnswerOf, Operation, Parameters, QueryOf } from '@sanad/contract/operation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Instant } from '../../core/clock.ts'
import type { Zone } from '../../core/zone.ts'
import { invalid } from '../answers.ts'
import type { Json } from '../body/json.ts'
import type { Keywords } from '../body/schema-keywords.ts'
import { type BodyReader, bodyReader, type ReadBody } from '../body/schema-reader.ts'
import { type PathIds, pathReader } from './read-path.ts'
import { queryReader } from './read-query.ts'
import { sentBody } from './sent-body.ts'

/** What every API knows of a call. */
export type OpenCall = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly now: Instant
  /** The zone of times without an offset. */
  readonly zone: () => Zone | Promise<Zone>
}

/** An operation whose body needs a reader of its own, because its fields depend on each other. */
type ReadBy<T> = { readonly read: BodyReader<T> }

export const readBy = <O extends Operation, T>(operation: O, read: BodyReader<T>): O & ReadBy<T> => ({
  ...operation,
  read,
})

/** For a body that the handler reads together with other things, so that all errors are reported at once. */
export const asSent: BodyReader<Json> = (sent) => ({ kind: 'ok', value: sent })

/** An operation whose handler may answer without the body. */
type ReadLate = { readonly late: true }

/** The handler receives a function: it reads the body when it is called, and throws what is wrong with it. */
export const readLate = <O extends Operation>(operation: O): O & ReadLate => ({ ...operation, late: true })

type DescribedBody<O extends Operation> = O extends { readonly body: infer B extends TSchema } ? ReadBody<B> : undefined
type BodyRead<O extends Operation> =
  O extends ReadBy<infer T> ? T : O extends ReadLate ? () => DescribedBody<O> : DescribedBody<O>

/** What a handler receives of the request. */
export type Reads<O extends Operation> = {
  readonly path: PathIds<O>
  readonly query: QueryOf<O>
  readonly body: BodyRead<O>
}

/** The result of a handler: a value of the operation's answer type, or a reply that the handler has sent itself. */
type Answered<O extends Operation> = AnswerOf<O> | FastifyReply
export type Handle<O extends Operation, C, Found> = (
  call: C & Reads<O>,
  found: Found,
) => Answered<O> | Promise<Answered<O>>
export type Find<O extends Operation, C, Found> = ((call: C & Pick<Reads<O>, 'path'>) => Promise<Found>) & {
  /** See `ifInvalid`. */
  readonly late?: true
}

/**
 * For a handler that finds out by itself whether there is such an object: it is looked up only if the request is invalid, so that
 * an unknown object is answered with 404 whatever was sent.
 */
export const ifInvalid = <Named>(
  find: (call: Named) => Promise<unknown>,
): ((call: Named) => Promise<undefined>) & { readonly late: true } =>
  Object.assign(async (call: Named): Promise<undefined> => void (await find(call)), { late: true } as const)

export type Route<C extends OpenCall> = {
  readonly operation: Operation
  /** `call` is this route's to change. */
  readonly run: (call: C) => unknown
}

/** Whether a schema, or one inside it, has times: reading them needs a zone. */
const hasTimes = ({ format, properties = {}, items, anyOf = [] }: Keywords): boolean =>
  format === 'date-time' || [...Object.values(properties), ...anyOf, ...(items ? [items] : [])].some(hasTimes)

const bodyReaderOf = (operation: Operation & Partial<ReadBy<unknown>>) => {
  const { body, read } = operation
  if (read !== undefined) return (request: FastifyRequest) => read(sentBody(request))
  if (body === undefined) return undefined
  if (!hasTimes(body as Keywords)) {
    const fixed = bodyReader(body)
    return (request: FastifyRequest) => fixed(sentBody(request))
  }
  const inZone = bodyReaderIn(body)
  return (request: FastifyRequest, zone: Zone) => inZone(zone)(sentBody(request))
}

/** Keeps the reader of the last zone: most calls have the same. */
const bodyReaderIn = (body: TSchema): ((zone: Zone) => BodyReader<unknown>) => {
  let last: { readonly zone: Zone; readonly read: BodyReader<unknown> } | undefined
  return (zone) => {
    if (last?.zone !== zone) last = { zone, read: bodyReader(body, { zone }) }
    return last.read
  }
}

const needsZone = ({ body, query = {} }: Operation): boolean =>
  (body !== undefined && hasTimes(body as Keywords)) ||
  Object.values(query as Parameters).some(({ schema }) => hasTimes(schema as Keywords))

/** A call while it is read. */
type Reading = OpenCall & { path?: unknown; query?: unknown; body?: unknown }

/** `find` throws a 404 if there is no such object; left out: the handler needs none, or finds it itself. */
const routeOf = <const O extends Operation, C extends OpenCall, Found>(
  operation: O,
  find: Find<O, C, Found> | undefined,
  handle: Handle<O, C, Found>,
): Route<C> => {
  const readPath = pathReader(operation)
  const readQuery = queryReader(operation)
  const readBody = bodyReaderOf(operation)
  const zoned = needsZone(operation)
  const isLate = (operation as Partial<ReadLate>).late === true
  /** Adds what was read to the call. It is changed and not copied: most calls of a merchant's server take a few milliseconds. */
  const read = (call: Reading, zone: Zone | undefined): void => {
    call.query = readQuery(call.request.raw.url ?? '', zone)
    call.body = isLate ? () => bodyOf(call, zone) : bodyOf(call, zone)
  }
  const bodyOf = (call: Reading, zone: Zone | undefined): unknown => {
    const reading = readBody?.(call.request, zone!)
    if (reading?.kind === 'no') throw invalid(reading.errors)
    return reading?.value
  }
  const findAndRead = async (call: C & Reads<O>): Promise<unknown> => {
    const found = find === undefined || find.late ? undefined : await find(call)
    const zone = zoned ? await call.zone() : undefined
    if (find?.late) await readOrFind(call, zone, find)
    else read(call, zone)
    return handle(call, found as Found)
  }
  const readOrFind = async (call: C & Reads<O>, zone: Zone | undefined, late: Find<O, C, Found>): Promise<void> => {
    try {
      read(call, zone)
    } catch (problem) {
      await late(call)
      throw problem
    }
  }
  return {
    operation,
    run(sent) {
      const call = sent as C & Reads<O>
      ;(call as Reading).path = readPath(sent.request)
      if (find !== undefined || zoned) return findAndRead(call)
      read(call, undefined)
      return handle(call, undefined as Found)
    },
  }
}

type Described<Access extends string> = Operation & { readonly access: Access }

/** Makes the routes of one kind of access. */
export type RouteMaker<Access extends string, C extends OpenCall, R> = {
  <const O extends Described<Access>>(operation: O, handle: Handle<O, C, undefined>): R
  /** `find` looks up what the path names, and throws a 404 if there is no such object. */
  <const O extends Described<Access>, Found>(operation: O, find: Find<O, C, Found>, handle: Handle<O, C, Found>): R
}

/** `given`: the handler, or `find` and the handler. */
export const makeRoute = <C extends OpenCall>(operation: Operation, ...given: [never, never?]): Route<C> => {
  const [first, second] = given
  return second === undefined ? routeOf(operation, undefined, first) : routeOf(operation, first, second)
}
