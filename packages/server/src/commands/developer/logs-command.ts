/** `sanad logs`: the account's own API calls of the last seven days, one a line; with `--follow` as they come. */
import { InvalidArgumentError } from 'commander'
import { CommandError } from '../../command-error.ts'
import type { AddTo } from '../command-line.ts'
import { plain } from '../webhook/received-webhook.ts'
import { followFeed, untilStopped } from './follow-feed.ts'
import { addServiceOptions, type ServiceOptions, serviceClient, Unreachable } from './service-client.ts'

type LoggedCall = {
  readonly id: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string
  readonly took_ms: number
  readonly request_id: string
  readonly error_body: string
  readonly skipped: number
}

type LogsOptions = ServiceOptions & {
  readonly follow?: boolean
  readonly failed?: boolean
  readonly method?: string
  readonly status?: string
  readonly last: number
  readonly json?: boolean
}

/** `2026-01-02 06:06:10  POST /api/v1/merchant/intents/  400 invalid  12 ms  abc-1`, and below it why it failed. */
const linesOf = (call: LoggedCall): string[] => {
  const { at, method, path, status, code, took_ms, request_id, error_body, skipped } = call
  const time = at.slice(0, 19).replace('T', ' ')
  const outcome = code === '' ? String(status) : `${status} ${code}`
  return [
    ...(skipped > 0 ? [`  … ${skipped} more are not in the log`] : []),
    `${time}  ${method} ${path}  ${outcome}  ${took_ms} ms  ${request_id}`,
    ...(error_body === '' ? [] : [`  ${error_body}`]),
  ].map(plain)
}

const few = (text: string): number => {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 200)
    throw new InvalidArgumentError('It must be 1 to 200.')
  return Number(text)
}

export const addTo: AddTo = (command, line) => {
  addServiceOptions(command)
    .option('--follow', 'stay, and print calls as they come')
    .option('--failed', 'only calls that failed')
    .option('--method <method>', 'only this method, such as POST')
    .option('--status <status>', 'only this status, such as 404 or 4xx')
    .option('--last <n>', 'how many to begin with, 1 to 200', few, 20)
    .option('--json', 'print one JSON object a line')
    .action(async (options: LogsOptions) => {
      const client = await serviceClient(options, line)
      const show = (call: LoggedCall): void => {
        for (const text of options.json ? [plain(JSON.stringify(call))] : linesOf(call)) line.say(text)
      }
      const query = {
        ...(options.failed && { failed: '1' }),
        ...(options.method && { method: options.method }),
        ...(options.status && { status: options.status }),
      }
      if (!options.follow) {
        const parameters = new URLSearchParams({ ...query, page_size: String(options.last) })
        const page = await client.ask('GET', `/calls/?${parameters}`).catch((fault: unknown) => {
          throw fault instanceof Unreachable ? new CommandError(fault.message) : fault
        })
        for (const call of (page as { results: LoggedCall[] }).results) show(call)
        return
      }
      await followFeed<LoggedCall>({
        client,
        path: '/calls/',
        query,
        first: options.last,
        onFirst: (calls) => calls.forEach(show),
        onRow: show,
        tell: (text) => void process.stderr.write(`${text}\n`),
        stopped: untilStopped(),
      })
    })
}
