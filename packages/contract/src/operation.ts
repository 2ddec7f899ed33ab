/**
 * One call of an API, described once: its path, who may make it, what it takes and what it answers. All five APIs use it
 * (merchant, checkout, developer, device, dashboard). The server binds a handler to it; the readers of requests, the OpenAPI
 * documents and the types of clients are made from it; tests go over all of them.
 */
import type { Static, TSchema } from 'typebox'
import type { CodeSample } from './code-sample.ts'
import type { QueryField } from './query.ts'

/** A parameter of the path, of the query or of a request header; or a header of an answer. */
export type Parameter = {
  readonly description?: string
  /** In a query, an array is one text with commas. A query field (query.ts) also says how the server reads it. */
  readonly schema: TSchema
  readonly required?: boolean
  readonly example?: unknown
  /** The schema as the document has it, where the document says less than the server knows. */
  readonly published?: object
}
export type Parameters = Readonly<Record<string, Parameter>>

/** Examples by name, each with its title: `{ pending: ['Created', intent] }`. */
export type Examples = Readonly<Record<string, readonly [title: string, value: unknown]>>

/** An answer with an error: when it comes, its headers, and examples of its body. */
export type DescribedError = {
  readonly description: string
  readonly headers?: Parameters
  readonly examples?: Examples
}

export type Operation = {
  /** Unique in its API, in camelCase, as a generated client names its function. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Under the base of its API, with `{names}` of ids in it. */
  readonly path: string
  /** What the document says about the `{names}`. Left out: they are texts. */
  readonly pathParameters?: Parameters
  /**
   * Who may make the call: `open` (anyone), `key` (a token of client credentials), `phone` (signed by a phone), `self` (a
   * signed-in user, for their own settings), `operator`, or an action of the role table such as `wallets.write`.
   */
  readonly access: string
  /** An open call that a page of any site, or a script, may make. */
  readonly anyOrigin?: boolean
  /**
   * Whether a person must have proved in the last ten minutes that it is them, because what the call does cannot be taken back
   * (docs/decisions/0084). `always`; `depends`: for some objects or bodies, as the description says; `in_body`: the call itself
   * takes the password or a code. Left out: no proof is needed.
   */
  readonly proof?: 'always' | 'depends' | 'in_body'
  /** A call of `self` that a cashier at a counter may make. Calls with an action follow the role table (accounts/people/permission.ts). */
  readonly atCounter?: boolean
  /**
   * Whether a user who must have a second factor and has none may make the call: it sets one up, or leads out of the account
   * (docs/decisions/0091). Left out: it is refused.
   */
  readonly withoutFactor?: true
  /** The bucket in which calls are counted. Left out: that of all calls of the API. */
  readonly limit?: string
  /** How the caller proves who it is, where this differs from the other calls of the API. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: Parameters
  /** Request headers that this call reads, beside those that every call reads. */
  readonly headers?: Parameters
  readonly body?: TSchema
  /** Examples of the body, for the document. */
  readonly bodyExamples?: Examples
  /**
   * A body for tests, in which `{wallet}` and the like are placeholders of ids. Without one, tests send `{}` where a body is
   * required.
   */
  readonly example?: unknown
  /** Of the answer when all went well. Where it is described, left out: 200. */
  readonly status: number
  /** The JSON of the answer; left out: the answer is empty, or not JSON. */
  readonly answer?: TSchema
  readonly answerDescription?: string
  readonly answerExamples?: Examples
  /** The types of an answer that is not JSON, such as `text/csv`. */
  readonly answerTypes?: readonly string[]
  /** Headers of the answer, beside those that every answer has. */
  readonly answerHeaders?: Parameters
  /** The answer contains a secret that is never shown again. */
  readonly showsSecret?: boolean
  /** Errors by status, beside those that follow from access, body and path (the document's `errors`). */
  readonly refusals?: Readonly<Record<number, string | DescribedError>>
  readonly samples?: readonly CodeSample[]
}

/** A call as it is written down: without what its file says once for all of them. */
type Described<Shared> = Omit<Operation, keyof Shared | 'status'> & Partial<Operation>

/**
 * What calls share, such as their tag, is said once. Keeps the literal types of both arguments. `described`: the calls, in the order
 * in which they are written down.
 */
export const operationsOf = <const Shared extends Partial<Operation>>(shared: Shared) => {
  const described: Operation[] = []
  const operation = <const Own extends Described<Shared>>(
    own: Own,
  ): Omit<Shared, keyof Own> & Own & { readonly status: number } => {
    const call = { status: 200, ...shared, ...own }
    described.push(call as unknown as Operation)
    return call
  }
  return Object.assign(operation, { described: described as readonly Operation[] })
}

export const operation = operationsOf({})

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The ids in the path, by name. */
export type PathOf<O extends Operation> = { readonly [Name in NamesIn<O['path']>]: string }

type QuerySchemas<O extends Operation> = O extends { readonly query: infer Q extends Parameters }
  ? { readonly [Name in keyof Q]: Q[Name]['schema'] }
  : Readonly<Record<never, never>>

type ReadValue<S> = S extends QueryField<unknown, infer Read> ? Read : S extends TSchema ? Static<S> | undefined : never
type SentValue<S> = S extends TSchema
  ? Static<S> extends readonly (infer Value)[]
    ? Value | readonly Value[]
    : Static<S>
  : never

/** What a handler receives: values that were read and checked; undefined: left out, and there is no default. */
export type QueryOf<O extends Operation> = {
  readonly [Name in keyof QuerySchemas<O>]: ReadValue<QuerySchemas<O>[Name]>
}

/** What a client may send. An empty text counts as left out. */
export type SentQuery<O extends Operation> = [keyof QuerySchemas<O>] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [Name in keyof QuerySchemas<O>]?: SentValue<QuerySchemas<O>[Name]> | '' | undefined }

export type BodyOf<O extends Operation> = O extends { readonly body: infer B extends TSchema } ? Static<B> : undefined

export type AnswerOf<O extends Operation> = O extends { readonly answer: infer A extends TSchema }
  ? Static<A>
  : undefined
