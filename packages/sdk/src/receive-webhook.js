/**
 * Receives webhooks in Express, Fastify, Hono and Next: reads the body as it arrived, verifies it, and answers. 204: the
 * event was handled. 400: not a genuine delivery. 500: this server failed, and Sanad sends the event again.
 */
import { verifyWebhook } from './verify-webhook.js'
import { WebhookError } from './webhook-error.js'

/** @import { Delivery, NodeRequest, ReceiverOptions } from '../types/sdk.d.ts' */
/** @import { webhooks as Webhooks } from '../types/sdk.d.ts' */
/** @typedef {string | Uint8Array | ArrayBuffer} RawBody */
/**
 * The part of Fastify's interface that is used here.
 *
 * @typedef {(request: NodeRequest, reply: { code(status: number): { send(): unknown } }) => Promise<unknown>} FastifyHandler
 * @typedef {(request: unknown, body: unknown, done: (fault: null, body: unknown) => void) => void} FastifyParser
 * @typedef {{
 *   addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: FastifyParser): void,
 *   post(path: string, handler: FastifyHandler): void,
 * }} Scope
 */

/** Far above the size of an event, which has less than 2 KiB. */
const longest_bytes = 1024 * 1024

/**
 * The status to answer with.
 *
 * @template Context
 * @param {ReceiverOptions<Context>} options
 * @param {Context} context
 * @param {(name: string) => string | string[] | null | undefined} header
 * @param {() => unknown} readBody
 * @returns {Promise<204 | 400 | 500>}
 */
const receive = async (options, context, header, readBody) => {
  const { secret, onEvent, toleranceS, now = Date.now } = options
  const onError = options.onError ?? ((fault) => console.error(`Sanad webhook: ${fault}`))
  try {
    const secrets = typeof secret === 'function' ? secret(context) : secret
    const body = /** @type {RawBody} */ (await readBody())
    const event = await verifyWebhook(body, header('x-service-signature'), secrets, { toleranceS, now: now() })
    const text = (/** @type {string} */ name) => String(header(name) ?? '')
    /** @type {Delivery} */
    const delivery = {
      eventId: text('x-service-event-id'),
      deliveryId: text('x-service-delivery-id'),
      attempt: text('x-service-attempt'),
      isTest: text('x-service-test') !== '' || ('is_test' in event && event.is_test === true),
    }
    await onEvent(event, delivery)
    return 204
  } catch (fault) {
    onError(fault)
    return fault instanceof WebhookError ? 400 : 500
  }
}

/**
 * The bytes of the body: from a parser that kept them, or from the request itself.
 *
 * @param {NodeRequest} request
 */
const nodeBody = async (request) => {
  for (const raw of [request.rawBody, request.body]) {
    if (typeof raw === 'string' || raw instanceof Uint8Array) return raw
  }
  if (request.body !== undefined) {
    throw new TypeError('The body was parsed before it was verified: mount the webhook before express.json().')
  }
  /** @type {Uint8Array[]} */
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    length += bytes.length
    if (length > longest_bytes) throw new WebhookError('malformed_body', 'The body is larger than any event.')
    chunks.push(bytes)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.length
  }
  return body
}

/** @type {typeof Webhooks} */
export const webhooks = {
  verify: verifyWebhook,

  express: (options) => async (request, response) => {
    response.statusCode = await receive(
      options,
      request,
      (name) => request.headers[name],
      () => nodeBody(request),
    )
    response.end()
  },

  fastify: (options) => async (app) => {
    // Inside register() this affects only the route of the webhook.
    app.removeAllContentTypeParsers()
    const scope = /** @type {Scope} */ (/** @type {unknown} */ (app))
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    /** @type {FastifyHandler} */
    const handler = async (request, reply) => {
      const status = await receive(
        options,
        request,
        (name) => request.headers[name],
        () => request.body ?? '',
      )
      return reply.code(status).send()
    }
    scope.post(options.path, handler)
  },

  hono: (options) => async (context) => {
    const status = await receive(
      options,
      context,
      (name) => context.req.header(name),
      () => context.req.arrayBuffer(),
    )
    return new Response(null, { status })
  },

  next: (options) => async (request) => {
    const status = await receive(
      options,
      request,
      (name) => request.headers.get(name),
      () => request.arrayBuffer(),
    )
    return new Response(null, { status })
  },
}
