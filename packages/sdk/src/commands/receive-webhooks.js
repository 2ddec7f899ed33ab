/**
 * A small server for webhooks on this machine: checks each signature, shows the webhook, forwards it where an address is
 * given, and answers. It stores nothing.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { forward } from '../forward.js'
import { verifyWebhook } from '../verify-webhook.js'
import { WebhookError } from '../webhook-error.js'
import { CommandError } from './command-error.js'
import { seenIds } from './seen-ids.js'

/** @import { AddressInfo } from 'node:net' */
/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { ReceivedWebhook, SignatureFinding } from './received-webhook.js' */

const host = '127.0.0.1'
const mostBytes = 1024 * 1024

/**
 * @param {{ port: number, secrets: readonly string[] | undefined, forwardTo: string | undefined, answer: number | undefined,
 *   show: (received: ReceivedWebhook) => void, tell: (text: string) => void, stopped: AbortSignal }} options
 */
export const receiveWebhooks = async ({ port, secrets, forwardTo, answer, show, tell, stopped }) => {
  const isKnown = seenIds()
  const counts = { all: 0, right: 0, wrong: 0 }

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  const receive = async (request, response) => {
    if (request.method !== 'POST') return send(response, 405, 'Webhooks are sent here with POST.', { allow: 'POST' })
    const body = await bodyOf(request)
    if (body === undefined) {
      tell(`A request of more than ${mostBytes} bytes was refused with 413: no webhook is that long.`)
      return send(response, 413, 'No webhook is that long.', { connection: 'close' })
    }
    const now = Date.now()
    const signature = await check(body, request, secrets, now)
    counts.all++
    if (signature.kind !== 'unchecked') counts[signature.kind]++
    const eventId = headerOf(request, 'x-service-event-id')
    const again = eventId !== null && isKnown(eventId)
    const forwarded =
      forwardTo === undefined
        ? null
        : { ...(await forward(forwardTo, { rawHeaders: request.rawHeaders, body })), to: forwardTo }
    // By default the sender gets the answer of the forwarded program, so that retries happen as in production.
    const forwardedStatus = forwarded === null ? 200 : forwarded.kind === 'answer' ? forwarded.status : 502
    const answered = answer ?? forwardedStatus
    send(response, answered, 'Heard by sanad listen.')
    show({
      time: new Date(now).toTimeString().slice(0, 8),
      at: new Date(now).toISOString(),
      path: request.url ?? '/',
      signature,
      eventId,
      deliveryId: headerOf(request, 'x-service-delivery-id'),
      attempt: headerOf(request, 'x-service-attempt'),
      test: headerOf(request, 'x-service-test') !== null,
      again,
      body: body.toString('utf8'),
      forwarded,
      answered,
    })
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((/** @type {Error} */ fault) => {
      // The sender closed the connection in the middle of its request: an answer would reach nobody.
      if (!request.complete) return
      tell(`A request could not be heard: ${fault.message}`)
      response.destroy()
    })
  })
  // As long as the service itself waits, and no longer: a hanging request must not delay Ctrl-C.
  server.requestTimeout = 15_000
  server.listen(port, host)
  await once(server, 'listening').catch((/** @type {Error & { code?: string }} */ fault) => {
    if (fault.code !== 'EADDRINUSE' && fault.code !== 'EACCES') throw fault
    const why = fault.code === 'EACCES' ? 'may not be used by you' : 'is taken by another program'
    throw new CommandError(`Port ${port} of ${host} ${why}: give a free one. Example: sanad listen --port 8091`)
  })

  const at = /** @type {AddressInfo} */ (server.address()).port
  if (forwardTo !== undefined && isHere(new URL(forwardTo), at)) {
    server.close()
    throw new CommandError(`--forward-to ${forwardTo} is this listener itself: a webhook would go round for ever.`)
  }
  tell(`Listening for webhooks at http://${host}:${at}/ (any path). Stop it with Ctrl-C.`)
  if (secrets === undefined) tell("Signatures are not checked: give the endpoint's secret with --secret.")
  if (forwardTo !== undefined) tell(`Each is passed on to ${forwardTo}.`)
  if (answer !== undefined) tell(`Each is answered with ${answer}.`)

  if (!stopped.aborted) await once(stopped, 'abort')
  server.close()
  server.closeAllConnections()
  const checked = secrets === undefined ? '' : `: ${counts.right} signed rightly, ${counts.wrong} not`
  tell(`Stopped. ${counts.all} ${counts.all === 1 ? 'webhook' : 'webhooks'} heard${checked}.`)
}

/** @param {URL} url @param {number} port */
const isHere = (url, port) =>
  url.protocol === 'http:' && [host, 'localhost'].includes(url.hostname) && Number(url.port || 80) === port

/** Undefined: the body is too long, and is not read to its end. @param {IncomingMessage} request */
const bodyOf = async (request) => {
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * @param {Uint8Array} body
 * @param {IncomingMessage} request
 * @param {readonly string[] | undefined} secrets
 * @param {number} now
 * @returns {Promise<SignatureFinding>}
 */
const check = async (body, request, secrets, now) => {
  if (secrets === undefined) return { kind: 'unchecked' }
  try {
    await verifyWebhook(body, request.headersDistinct['x-service-signature'], secrets, { now })
    return { kind: 'right' }
  } catch (fault) {
    if (!(fault instanceof WebhookError)) throw fault
    // The signature is right; the output shows that the body is not an event.
    if (fault.code === 'malformed_body') return { kind: 'right' }
    return { kind: 'wrong', code: fault.code, why: fault.message }
  }
}

/** @param {IncomingMessage} request @param {string} name */
const headerOf = (request, name) => request.headersDistinct[name]?.join(', ') ?? null

/** @param {ServerResponse} response @param {number} status @param {string} text @param {Record<string, string>} headers */
const send = (response, status, text, headers = {}) => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
  response.end(status === 204 || status === 304 ? undefined : `${text}\n`)
}
