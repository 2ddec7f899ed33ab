/** `sanad logs`: the account's own API calls of the last seven days, one per line, errors below; with `--follow` as they come. */
import { CommandError } from './command-error.js'
import { followFeed, untilStopped } from './follow-feed.js'
import { plain } from './received-webhook.js'
import { serviceClient, serviceOptions, withoutRetry } from './service-client.js'

/** @import { DeveloperCommand } from '../commands.js' */
/**
 * @typedef {{ id: string, at: string, method: string, path: string, status: number, code: string, took_ms: number,
 *   request_id: string, error_body: string, hint?: string, ignored?: string, skipped: number }} LoggedCall
 */

/**
 * `2026-01-02 06:06:10  POST /api/v1/merchant/intents/  400 invalid  12 ms  abc-1`, and below it why it failed.
 *
 * @param {LoggedCall} call
 */
const linesOf = ({
  at,
  method,
  path,
  status,
  code,
  took_ms,
  request_id,
  error_body,
  hint = '',
  ignored = '',
  skipped,
}) => {
  const time = at.slice(0, 19).replace('T', ' ')
  const outcome = code === '' ? String(status) : `${status} ${code}`
  return [
    ...(skipped > 0 ? [`  … ${skipped} more are not in the log`] : []),
    `${time}  ${method} ${path}  ${outcome}  ${took_ms} ms  ${request_id}`,
    ...(error_body === '' ? [] : [`  ${error_body}`]),
    ...(hint === '' ? [] : [`  hint: ${hint}`]),
    ...(ignored === '' ? [] : [`  ignored: ${ignored}`]),
  ].map(plain)
}

/** @param {string} text */
const pageSize = (text) => {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 200) throw new CommandError('It must be 1 to 200.')
  return Number(text)
}

/** @type {DeveloperCommand} */
export const logsCommand = {
  name: 'logs',
  help: 'your own API calls, as they were answered',
  options: [
    ...serviceOptions,
    { name: 'follow', help: 'stay, and print calls as they come' },
    { name: 'failed', help: 'only calls that failed' },
    { name: 'method', value: '<method>', help: 'only this method, such as POST' },
    { name: 'status', value: '<status>', help: 'only this status, such as 404 or 4xx' },
    { name: 'last', value: '<n>', help: 'how many to begin with, 1 to 200', byDefault: '20', read: pageSize },
    { name: 'json', help: 'print one JSON object a line' },
  ],
  run: async ({ options, say, defaultUrl }) => {
    const { follow, failed, method, status, last, json } = options
    const client = await serviceClient(options, defaultUrl)
    /** @param {LoggedCall} call */
    const show = (call) => {
      for (const text of json ? [plain(JSON.stringify(call))] : linesOf(call)) say(text)
    }
    const query = { ...(failed && { failed: '1' }), ...(method && { method }), ...(status && { status }) }
    if (!follow) {
      const parameters = new URLSearchParams({ ...query, page_size: String(last) })
      const page = await withoutRetry(client.request('GET', `/calls/?${parameters}`))
      for (const call of /** @type {{ results: LoggedCall[] }} */ (page).results) show(call)
      return
    }
    await followFeed({
      client,
      path: '/calls/',
      query,
      first: last,
      onFirst: (/** @type {LoggedCall[]} */ calls) => calls.forEach(show),
      onRow: show,
      tell: (text) => void process.stderr.write(`${text}\n`),
      stopped: untilStopped(),
    })
  },
}
