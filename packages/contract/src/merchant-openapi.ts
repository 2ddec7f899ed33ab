/**
 * The merchant API as an OpenAPI 3.1 document: all that a developer needs to integrate. It is made from the schemas of
 * this package: tests compare the server's answers with the same schemas. The server serves it.
 */
import { sharedAnswers } from './merchant-openapi/answers.ts'
import { codeSamples } from './merchant-openapi/code-samples.ts'
import { hintHeaders, withHintHeaders } from './merchant-openapi/hint-headers.ts'
import { introduction } from './merchant-openapi/introduction.ts'
import { type Operation, paths } from './merchant-openapi/operations.ts'
import { schemas } from './merchant-openapi/schemas.ts'
import { webhooks } from './merchant-openapi/webhooks.ts'

export type OpenApiDocument = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly [more: string]: unknown }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: Readonly<
    Record<'schemas' | 'responses' | 'securitySchemes', Readonly<Record<string, unknown>>> & {
      readonly headers?: Readonly<Record<string, unknown>>
    }
  >
}

export type DocumentOptions = {
  /** The version of the document, such as `1.0.0`. */
  readonly version: string
  /** The base of all paths: an address that ends in `/api/v1/merchant`, or that path alone. */
  readonly serverUrl: string
}

/** The license of the program and its documents. */
export const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

/** Adds to each call its code samples, which viewers that know `x-codeSamples` show beside it, and the headers of hints. */
export const withSamples = (all: OpenApiDocument['paths'], samples = codeSamples): OpenApiDocument['paths'] =>
  Object.fromEntries(
    Object.entries(all).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, call]) => {
          const callSamples = samples[call.operationId]
          const described = { ...call, responses: withHintHeaders(call.responses) }
          return [method, callSamples === undefined ? described : { ...described, 'x-codeSamples': callSamples }]
        }),
      ),
    ]),
  )

export const merchantOpenApi = ({ version, serverUrl }: DocumentOptions): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'Sanad API',
    description: introduction(serverUrl),
    version,
    license,
  },
  servers: [{ url: serverUrl, description: 'This service' }],
  tags: [
    { name: 'Token', description: 'Credentials for a token' },
    { name: 'Wallets', description: 'Where money can be collected' },
    { name: 'Intents', description: 'What is to be collected, and what became of it' },
    { name: 'Webhooks', description: 'Events that we send to your server' },
  ],
  security: [{ accessToken: [] }],
  paths: withSamples(paths),
  webhooks,
  components: {
    schemas: schemas(),
    headers: hintHeaders,
    responses: withHintHeaders(sharedAnswers),
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The `access_token` from `POST /token`.',
      },
      clientId: {
        type: 'apiKey',
        in: 'header',
        name: 'SERVICE-CLIENT-ID',
        description: 'For `POST /token`: the client id, 32 hexadecimal characters. It is public.',
      },
      clientSecret: {
        type: 'apiKey',
        in: 'header',
        name: 'SERVICE-CLIENT-SECRET',
        description: 'For `POST /token`: the client secret, shown once when the key was created.',
      },
    },
  },
})
