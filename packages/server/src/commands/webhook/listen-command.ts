/**
 * `sanad listen`: receives webhooks on this machine, checks their signatures, shows them, and forwards them to a
 * program under development if asked. With an API key it needs no endpoint: it fetches the account's events instead
 * (developer/stream-events.ts). It is for a developer’s first hour: it needs no database and no settings, and stores nothing.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { styleText } from 'node:util'
import { verifyWebhook, WebhookError } from '@sanad/sdk'
import { forward } from '@sanad/sdk/forward'
import { InvalidArgumentError } from 'commander'
import { CommandError } from '../../command-error.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import type { AddTo } from '../command-line.ts'
import { untilStopped } from '../developer/follow-feed.ts'
import { addServiceOptions, type ServiceOptions, serviceClient } from '../developer/service-client.ts'
import { streamEvents } from '../developer/stream-events.ts'
import { jsonOf, linesOf, type Paint, type ReceivedWebhook, type SignatureFinding } from './received-webhook.ts'

type ListenOptions = ServiceOptions & {
  readonly port: number
  readonly secret?: readonly string[]
  readonly forwardTo?: string
  readonly answer?: number
  readonly json?: boolean
}

type Out = { show(text: string): void; tell(text: string): void }

const host = '127.0.0.1'
const mostBytes = 1024 * 1024
const mostRemembered = 10_000

/** Only on a terminal, and not where NO_COLOR is set. */
const paint: Paint = { title: (text) => styleText('bold', text), wrong: (text) => styleText('red', text) }

const listen = async (options: ListenOptions, clock: Clock, out: Out): Promise<void> => {
  const seen = new Set<string>()
  const counts = { all: 0, right: 0, wrong: 0 }

  const remember = (eventId: string | null): boolean => {
    if (eventId === null) return false
    const again = seen.has(eventId)
    seen.add(eventId)
    if (seen.size > mostRemembered) for (const oldest of seen.values().take(1)) seen.delete(oldest)
    return again
  }

  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      return answer(response, 405, 'Webhooks are sent here with POST.', { allow: 'POST' })
    }
    const body = await bodyOf(request)
    if (body === undefined) {
      out.tell(`A request of more than ${mostBytes} bytes was refused with 413: no webhook is that long.`)
      return answer(response, 413, 'No webhook is that long.', { connection: 'close' })
    }
    const now = clock.now()
    const signature = await check(body, request, options.secret, now)
    counts.all++
    if (signature.kind !== 'unchecked') counts[signature.kind]++
    const eventId = headerOf(request, 'x-service-event-id')
    const again = remember(eventId)
    const forwarded =
      options.forwardTo === undefined
        ? null
        : { ...(await forward(options.forwardTo, { rawHeaders: request.rawHeaders, body })), to: options.forwardTo }
    // By default the sender gets the answer of the forwarded program, so that retries happen as in production.
    const passedOn = forwarded === null ? 200 : forwarded.kind === 'answer' ? forwarded.status : 502
    const answered = options.answer ?? passedOn
    answer(response, answered, 'Heard by sanad listen.')
    const received: ReceivedWebhook = {
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
    }
    out.show(options.json ? jsonOf(received) : `\n${linesOf(received, paint).join('\n')}`)
  }

  const server = createServer((request, response) => {
    hear(request, response).catch((fault: Error) => {
      // The sender closed the connection in the middle of its request: there is no one to answer.
      if (!request.complete) return
      out.tell(`A request could not be heard: ${fault.message}`)
      response.destroy()
    })
  })
  // As long as the service itself waits, and no longer: a hanging request must not hold Ctrl-C.
  server.requestTimeout = 15_000
  server.listen(options.port, host)
  await once(server, 'listening').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EADDRINUSE' && fault.code !== 'EACCES') throw fault
    const why = fault.code === 'EACCES' ? 'may not be used by you' : 'is taken by another program'
    throw new CommandError(`Port ${options.port} of ${host} ${why}: give a free one. Example: sanad listen --port 8091`)
  })

  const { port } = server.address() as AddressInfo
  if (options.forwardTo !== undefined && isHere(new URL(options.forwardTo), port)) {
    server.close()
    throw new CommandError(
      `--forward-to ${options.forwardTo} is this listener itself: a webhook would go round for ever.`,
    )
  }
  // Before the line that says how to stop it.
  const stopped = new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
  })
  out.tell(`Listening for webhooks at http://${host}:${port}/ (any path). Stop it with Ctrl-C.`)
  if (options.secret === undefined) out.tell("Signatures are not checked: give the endpoint's secret with --secret.")
  if (options.forwardTo !== undefined) out.tell(`Each is passed on to ${options.forwardTo}.`)
  if (options.answer !== undefined) out.tell(`Each is answered with ${options.answer}.`)

  await stopped
  server.close()
  server.closeAllConnections()
  const checked = options.secret === undefined ? '' : `: ${counts.right} signed rightly, ${counts.wrong} not`
  out.tell(`Stopped. ${counts.all} ${counts.all === 1 ? 'webhook' : 'webhooks'} heard${checked}.`)
}

const isHere = (url: URL, port: number): boolean =>
  url.protocol === 'http:' && [host, 'localhost'].includes(url.hostname) && Number(url.port || 80) === port

/** Undefined: too long. What is too long is not read to its end. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const check = async (
  body: Uint8Array,
  request: IncomingMessage,
  secrets: readonly string[] | undefined,
  now: number,
): Promise<SignatureFinding> => {
  if (secrets === undefined) return { kind: 'unchecked' }
  try {
    await verifyWebhook(body, request.headersDistinct['x-service-signature'], secrets, { now })
    return { kind: 'right' }
  } catch (fault) {
    if (!(fault instanceof WebhookError)) throw fault
    // It was signed with this secret all the same; that it is no event is plain to see.
    if (fault.code === 'malformed_body') return { kind: 'right' }
    return { kind: 'wrong', code: fault.code, why: fault.message }
  }
}

const headerOf = (request: IncomingMessage, name: string): string | null =>
  request.headersDistinct[name]?.join(', ') ?? null

const answer = (
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
  response.end(status === 204 || status === 304 ? undefined : `${text}\n`)
}

const portNumber = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('A port is 0 to 65535.')
  return Number(text)
}

const statusCode = (text: string): number => {
  if (!/^[2-5]\d\d$/.test(text)) throw new InvalidArgumentError('A status is 200 to 599.')
  return Number(text)
}

const httpUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be an http or https address, such as http://127.0.0.1:3000/webhooks')
  }
  return url.href
}

const oneMore = (text: string, before: readonly string[] = []): readonly string[] => {
  if (text === '') throw new InvalidArgumentError('It is empty.')
  return [...before, text]
}

export const addTo: AddTo = (command, commandLine) => {
  addServiceOptions(command)
    .option('--port <n>', 'where to listen on 127.0.0.1; 0: any that is free', portNumber, 8090)
    .option('--secret <secret>', "the endpoint's signing secret; twice during a rotation", oneMore)
    .option('--forward-to <url>', 'pass each on, same bytes and headers, and answer what came back', httpUrl)
    .option('--answer <status>', 'answer so instead, such as 500 to see it come again', statusCode)
    .option('--json', 'print one JSON object a line')
    .action(async (options: ListenOptions) => {
      const line = (to: NodeJS.WriteStream) => (text: string) => void to.write(`${text}\n`)
      // With --json standard output is for programs alone.
      const tell = line(options.json ? process.stderr : process.stdout)
      // Whoever names a port or an answer wants to be called, also where a key is in the environment.
      const isCalled = command.getOptionValueSource('port') !== 'default' || options.answer !== undefined
      if (options.clientId !== undefined && !isCalled) {
        const show = line(process.stdout)
        return streamEvents({
          client: await serviceClient(options, commandLine),
          forwardTo: options.forwardTo,
          secrets: options.secret,
          forward,
          show: (event) => show(options.json ? jsonOf(event) : `\n${linesOf(event, paint).join('\n')}`),
          tell,
          stopped: untilStopped(),
        })
      }
      await listen(options, systemClock, { show: line(process.stdout), tell })
    })
}
