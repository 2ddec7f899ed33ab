/**
 * One call of the dashboard's API, described once: its path, who may make it, its body and its answer. The server
 * binds a handler to it, the body's reader and the OpenAPI document are made from it, tests go over all of them, and
 * the dashboard takes its types from it.
 */
import type { Static, TSchema } from 'typebox'

/** A parameter of the address or of a request header, or a header of the answer. A list is one text with commas. */
export type QueryParameter = { readonly description: string; readonly schema: TSchema }

export type Operation = {
  /** Unique, in camelCase, as a generated client names its function. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Under `/api/v1/dashboard`, with `{names}` of ids in it and a slash at its end. */
  readonly path: string
  /**
   * Who may make the call: `open` (no session needed), `self` (any signed-in user, for their own settings),
   * `operator`, or an action of the role table such as `wallets.write`.
   */
  readonly access: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: Readonly<Record<string, QueryParameter>>
  /** Request headers that this call reads, beside those that every call reads. */
  readonly headers?: Readonly<Record<string, QueryParameter>>
  readonly body?: TSchema
  /**
   * An example of the body. `{wallet}` and the like are placeholders of ids. Without an example, tests send `{}` where a
   * body is required.
   */
  readonly example?: unknown
  readonly status: number
  /** Refusals by status, beside those that all calls of this kind have. */
  readonly refusals?: Readonly<Record<number, string>>
  /** The JSON of the answer; left out: the answer is empty, or not JSON. */
  readonly answer?: TSchema
  /** The types of an answer that is not JSON, such as `text/csv`. */
  readonly answerTypes?: readonly string[]
  /** Headers of the answer, beside those that every answer has. */
  readonly answerHeaders?: Readonly<Record<string, QueryParameter>>
  /** The answer contains a secret that is never shown again. */
  readonly showsSecret?: boolean
}

/** Keeps the literal types of its argument. */
export const operation = <const O extends Operation>(input: O): O => input

export type AnswerOf<O extends Operation> = O extends { readonly answer: infer A extends TSchema }
  ? Static<A>
  : undefined
export type BodyOf<O extends Operation> = O extends { readonly body: infer B extends TSchema } ? Static<B> : undefined
