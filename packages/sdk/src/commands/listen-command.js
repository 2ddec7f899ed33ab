/**
 * `sanad listen`: webhooks on a developer's machine, shown and forwarded. With an API key it fetches the account's events
 * (stream-events.js); without one, or with a port, it is a server that receives webhooks (receive-webhooks.js).
 */
import { CommandError } from './command-error.js'
import { untilStopped } from './follow-feed.js'
import { httpUrl, notEmpty } from './options.js'
import { receiveWebhooks } from './receive-webhooks.js'
import { jsonOf, linesOf } from './received-webhook.js'
import { serviceClient, serviceOptions } from './service-client.js'
import { streamEvents } from './stream-events.js'

/** @import { DeveloperCommand } from '../commands.js' */
/** @import { Paint, ReceivedWebhook } from './received-webhook.js' */

/** @type {(code: number) => (text: string) => string} */
const style = (code) => (text) => `\u001b[${code}m${text}\u001b[0m`

/** @type {Paint} */
const paint = { title: style(1), wrong: style(31) }

/** @param {string} text */
const portNumber = (text) => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new CommandError('A port is 0 to 65535.')
  return Number(text)
}

/** @param {string} text */
const statusCode = (text) => {
  if (!/^[2-5]\d\d$/.test(text)) throw new CommandError('A status is 200 to 599.')
  return Number(text)
}

const answerHelp = 'answer so instead, such as 500 to see it come again'
const forwardHelp = 'pass each on, same bytes and headers, and answer what came back'
const secretHelp = "the endpoint's signing secret; twice during a rotation"

/** @type {DeveloperCommand} */
export const listenCommand = {
  name: 'listen',
  help: 'receive webhooks on this machine, check their signatures and print them',
  options: [
    ...serviceOptions,
    {
      name: 'port',
      value: '<n>',
      help: 'where to listen on 127.0.0.1; 0: any that is free',
      byDefault: '8090',
      read: portNumber,
    },
    { name: 'secret', value: '<secret>', help: secretHelp, many: true, read: notEmpty },
    { name: 'forward-to', value: '<url>', help: forwardHelp, read: httpUrl },
    { name: 'answer', value: '<status>', help: answerHelp, read: statusCode },
    { name: 'json', help: 'print one JSON object a line' },
  ],
  run: async ({ options, fromArguments, say, defaultUrl }) => {
    const { port, secret: secrets, 'forward-to': forwardTo, answer, json } = options
    const isPainted = process.stdout.isTTY === true && !process.env.NO_COLOR
    const common = {
      secrets,
      forwardTo,
      show: (/** @type {ReceivedWebhook} */ received) =>
        say(json ? jsonOf(received) : `\n${linesOf(received, isPainted ? paint : undefined).join('\n')}`),
      // With --json standard output is for programs alone.
      tell: json ? (/** @type {string} */ text) => void process.stderr.write(`${text}\n`) : say,
      stopped: untilStopped(),
    }
    // With --port or --answer the developer wants a server, even if the environment has a key.
    const wantsServer = fromArguments.has('port') || answer !== undefined
    if (options['client-id'] === undefined || wantsServer) return receiveWebhooks({ ...common, port, answer })
    await streamEvents({ ...common, client: await serviceClient(options, defaultUrl) })
  },
}
