/** A client of the live stream. Like a browser it reads events and stores the last id, with which a test can reconnect. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { dashboardAt } from './users.ts'

export type StreamEvent = { readonly event: string; readonly id: string | undefined; readonly data: string }

export type StreamClient = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly events: StreamEvent[]
  /** The id of the last event, which a browser sends when it reconnects. */
  lastId(): string
  /** All hints so far, as `kind id`. */
  hints(): string[]
  /** Waits until the events so far fulfil the condition. */
  until(fits: (events: readonly StreamEvent[]) => boolean): Promise<void>
  untilHint(kind: string, id: string): Promise<void>
  readonly ended: Promise<void>
  hangUp(): void
  readonly response: IncomingMessage
}

export const openStream = (
  origin: string,
  headers: Readonly<Record<string, string>>,
  { pause = false, query = '' }: { readonly pause?: boolean; readonly query?: string } = {},
): Promise<StreamClient> =>
  new Promise((done, fail) => {
    const request: ClientRequest = httpRequest(dashboardAt(origin, `/stream/${query}`), { headers, agent: false })
    request.on('error', fail)
    request.on('response', (response) => {
      const events: StreamEvent[] = []
      let last = ''
      let text = ''
      const waiting = new Set<() => void>()
      const ended = new Promise<void>((over) => response.on('close', () => over()))
      if (pause) response.pause()
      else
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8')
          for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
            const fields = new Map(
              text
                .slice(0, at)
                .split('\n')
                .filter((line) => !line.startsWith(':'))
                .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
            )
            text = text.slice(at + 2)
            last = fields.get('id') ?? last
            const data = fields.get('data')
            if (data !== undefined) events.push({ event: fields.get('event') ?? 'message', id: fields.get('id'), data })
          }
          for (const check of [...waiting]) check()
        })
      response.on('error', () => {})
      const until = (fits: (events: readonly StreamEvent[]) => boolean): Promise<void> =>
        new Promise((found, never) => {
          const check = (): void => {
            if (!fits(events)) return
            waiting.delete(check)
            found()
          }
          waiting.add(check)
          check()
          void ended.then(() => never(new Error(`the stream ended; events: ${JSON.stringify(events)}`)))
        })
      const isHint = (kind: string, id: string) => (event: StreamEvent) =>
        event.event === 'message' && event.data === JSON.stringify({ kind, id })
      done({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        response,
        lastId: () => last,
        hints: () =>
          events
            .filter(({ event }) => event === 'message')
            .map(({ data }) => Object.values(JSON.parse(data)).join(' ')),
        until,
        untilHint: (kind, id) => until((all) => all.some(isHint(kind, id))),
        ended,
        hangUp: () => request.destroy(),
      })
    })
    request.end()
  })
