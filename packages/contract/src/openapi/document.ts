/** Makes the OpenAPI 3.1 document of an API from its operations and the few things that no single operation describes. Pure. */
import type { TSchema } from 'typebox'
import type { CodeSample } from '../code-sample.ts'
import type { DescribedError, Examples, Operation, Parameter, Parameters } from '../operation.ts'
import { nameSchemas } from './named-schemas.ts'

/** An error that many calls have. */
export type SharedError = DescribedError & {
  readonly statuses: readonly number[]
  /** Which calls have it; left out: those that `errorRules` names. */
  readonly of?: (operation: Operation) => boolean
  /** Its name among the components, to which calls refer. Left out: each call has it in full. */
  readonly component?: string
}

export const everyCall = (): boolean => true
export const callsWithIds = ({ path }: Operation): boolean => path.includes('{')
export const changes = ({ method }: Operation): boolean => method !== 'GET'
const guardedCalls = ({ access }: Operation): boolean => access !== 'open'
const callsWithBody = ({ body }: Operation): boolean => body !== undefined

/** The calls that have an error, by its status; every call has those that are not here. */
const errorRules: Readonly<Record<number, (operation: Operation) => boolean>> = {
  401: guardedCalls,
  403: guardedCalls,
  404: callsWithIds,
  413: callsWithBody,
  415: callsWithBody,
}
const hasError = (operation: Operation, { of, statuses }: SharedError): boolean =>
  (of ?? errorRules[statuses[0]!] ?? everyCall)(operation)

/** An event that is sent to the merchant's server. */
export type Webhook = {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly body: TSchema
  readonly example: unknown
}

export type Api = {
  readonly title: string
  readonly introduction: (serverUrl: string) => string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly operations: readonly Operation[]
  /** In the order of the components. One that nothing refers to is left out. */
  readonly schemas: Readonly<Record<string, TSchema>>
  /** Keeps `additionalProperties: false`. Without it, generated clients ignore fields that are added later. */
  readonly closed?: boolean
  readonly errorSchema: TSchema
  readonly errors: readonly SharedError[]
  /** The headers of errors by status, where the error itself has none. */
  readonly errorHeaders?: Readonly<Record<number, Parameters>>
  /** The headers of an error are written after its content. */
  readonly errorHeadersLast?: boolean
  /** Headers that every answer has. They are listed among the components. */
  readonly answerHeaders?: Parameters
  /** A call that takes a body is refused without one, even if no field is required. */
  readonly bodiesRequired?: boolean
  /** `x-action` shows who may make a call. */
  readonly showsAccess?: boolean
  /** Parameters of a call that follow from its access, and the components that they refer to. */
  readonly moreParameters?: (operation: Operation) => readonly object[]
  readonly parameterComponents?: Readonly<Record<string, object>>
  readonly webhooks?: Readonly<Record<string, Webhook>>
  readonly webhookHeaders?: Parameters
  readonly webhookAnswers?: Readonly<Record<string, { readonly description: string }>>
}

export type DocumentOptions = {
  /** The version of the document, such as `1.0.0`. */
  readonly version: string
  /** The base of all paths: an address that ends in `/api/v1/merchant`, or that path alone. */
  readonly serverUrl: string
}

export type DocumentedCall = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
  readonly 'x-codeSamples'?: readonly CodeSample[]
}

export type OpenApiDocument = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly [more: string]: unknown }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: Api['tags']
  readonly security: Api['security']
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: DocumentedCall }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly headers?: Readonly<Record<string, unknown>>
    readonly responses?: Readonly<Record<string, unknown>>
    readonly parameters?: Readonly<Record<string, unknown>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

/** The license of the program and its documents. */
const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

/** The entry, if there is a value. */
const maybe = <Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value })

const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))

const hasRequiredField = (body: TSchema): boolean =>
  'required' in body && Array.isArray(body.required) && body.required.length > 0

export const openApi = (api: Api, { version, serverUrl }: DocumentOptions): OpenApiDocument => {
  const { place, schemas } = nameSchemas(api.schemas, { closed: api.closed ?? false })

  /** The schema of a parameter. Parameters are never required by their default, so it stays a keyword. */
  const parameterSchema = ({ schema, published }: Parameter): unknown => {
    if (published !== undefined || !('default' in schema)) return place(published ?? schema)
    const { default: usual, ...rest } = schema
    return { ...(place(rest) as object), default: usual }
  }
  const parameter = (where: 'path' | 'query' | 'header') => (described: Parameter, name: string) => {
    const schema = parameterSchema(described)
    // A list is one text with commas. If a client repeats the parameter instead, only the last one counts.
    const isList = where === 'query' && (schema as { type?: unknown }).type === 'array'
    return {
      name,
      in: where,
      ...maybe('required', where === 'path' ? true : described.required),
      ...maybe('description', described.description),
      schema,
      ...maybe('example', described.example),
      ...(isList ? { style: 'form', explode: false } : {}),
    }
  }
  const parametersIn = (where: 'path' | 'query' | 'header', all: Parameters = {}): object[] =>
    Object.values(mapValues(all, parameter(where)))
  const pathParameters = ({ path, pathParameters: described = {} }: Operation): Parameters =>
    Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, described[name!] ?? { schema: { type: 'string' } }]),
    )

  const header = (described: Parameter): object => ({
    ...maybe('description', described.description),
    schema: parameterSchema(described),
    ...maybe('example', described.example),
  })
  const headerReferences = mapValues(api.answerHeaders ?? {}, (_, name) => ({ $ref: `#/components/headers/${name}` }))

  const content = (
    schema: TSchema | undefined,
    examples?: Examples,
    types = ['application/json'] as readonly string[],
  ) =>
    Object.fromEntries(
      types.map((type) => [
        type,
        {
          schema: schema === undefined ? {} : place(schema),
          ...maybe('examples', examples && mapValues(examples, ([summary, value]) => ({ summary, value }))),
        },
      ]),
    )
  /** Headers of its own come before the content, those of every answer after it. */
  const answer = (description: string, own: Parameters | undefined, body: object | undefined, headersLast = false) => {
    const headers = { ...mapValues(own ?? {}, header), ...headerReferences }
    const withHeaders = Object.keys(headers).length === 0 ? {} : { headers }
    const withContent = maybe('content', body)
    return own === undefined || headersLast
      ? { description, ...withContent, ...withHeaders }
      : { description, ...withHeaders, ...withContent }
  }
  const errorAnswer = (status: number, { description, headers, examples }: DescribedError): object =>
    answer(description, headers ?? api.errorHeaders?.[status], content(api.errorSchema, examples), api.errorHeadersLast)

  const responses = (operation: Operation): Record<string, object> => {
    const all: Record<string, object> = {}
    const { answer: schema, answerTypes } = operation
    const body =
      schema === undefined && answerTypes === undefined
        ? undefined
        : content(schema, operation.answerExamples, answerTypes)
    const done = operation.showsSecret ? 'Done. The secret in it is shown this once.' : 'Done.'
    all[operation.status] = answer(operation.answerDescription ?? done, operation.answerHeaders, body)
    for (const error of api.errors) {
      if (!hasError(operation, error)) continue
      for (const status of error.statuses)
        all[status] =
          error.component === undefined
            ? errorAnswer(status, error)
            : { $ref: `#/components/responses/${error.component}` }
    }
    for (const [status, error] of Object.entries(operation.refusals ?? {}))
      all[status] = errorAnswer(Number(status), typeof error === 'string' ? { description: error } : error)
    return all
  }

  const describe = (operation: Operation): DocumentedCall => {
    const { body } = operation
    const parameters = [
      ...parametersIn('path', pathParameters(operation)),
      ...parametersIn('query', operation.query),
      ...parametersIn('header', operation.headers),
      ...(api.moreParameters?.(operation) ?? []),
    ]
    return {
      operationId: operation.id,
      tags: [operation.tag],
      summary: operation.summary,
      ...maybe('description', operation.description),
      ...(api.showsAccess ? { 'x-action': operation.access } : {}),
      ...maybe('x-proof', operation.proof),
      ...maybe('x-without-second-factor', operation.withoutFactor),
      ...maybe('security', operation.security ?? (operation.access === 'open' ? [] : undefined)),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined
        ? {}
        : {
            requestBody: {
              // Generated clients then require a body.
              ...(api.bodiesRequired || hasRequiredField(body) ? { required: true } : {}),
              content: content(body, operation.bodyExamples),
            },
          }),
      responses: responses(operation),
      ...maybe('x-codeSamples', operation.samples),
    }
  }

  const describeWebhook = ({ id, summary, description, body, example }: Webhook) => ({
    post: {
      operationId: id,
      tags: ['Webhooks'],
      summary,
      description,
      security: [],
      ...maybe('parameters', api.webhookHeaders && parametersIn('header', api.webhookHeaders)),
      requestBody: { required: true, content: content(body, { event: [summary, example] }) },
      responses: api.webhookAnswers ?? {},
    },
  })

  const paths: Record<string, Record<string, DocumentedCall>> = {}
  for (const operation of api.operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) }
  const webhooks = api.webhooks && mapValues(api.webhooks, describeWebhook)
  const named = api.errors
    .filter((error) => api.operations.some((operation) => hasError(operation, error)))
    .flatMap((error) =>
      error.component === undefined ? [] : [[error.component, errorAnswer(error.statuses[0]!, error)] as const],
    )
  const responseComponents = named.length === 0 ? undefined : Object.fromEntries(named)
  const components = schemas()
  const used = usedNames({ paths, webhooks, responseComponents }, components)
  // TypeBox marks its schemas with symbols; the document must be plain JSON.
  return JSON.parse(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: api.title, description: api.introduction(serverUrl), version, license },
      servers: [{ url: serverUrl, description: 'This service' }],
      tags: api.tags,
      security: api.security,
      paths,
      ...maybe('webhooks', webhooks),
      components: {
        schemas: Object.fromEntries(Object.entries(components).filter(([name]) => used.has(name))),
        ...maybe('headers', api.answerHeaders && mapValues(api.answerHeaders, header)),
        ...maybe('responses', responseComponents),
        ...maybe('parameters', api.parameterComponents),
        securitySchemes: api.securitySchemes,
      },
    } satisfies OpenApiDocument),
  )
}

/** The names that these parts refer to, and those that the schemas of these names refer to. */
const usedNames = (parts: unknown, components: Readonly<Record<string, unknown>>): Set<string> => {
  const used = new Set<string>()
  const collect = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name!)) continue
      used.add(name!)
      collect(components[name!])
    }
  }
  collect(parts)
  return used
}
