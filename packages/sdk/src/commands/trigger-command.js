/** `sanad trigger`: sends a made-up event to the account's endpoints and to everyone who runs `sanad listen`. */
import { CommandError } from './command-error.js'
import { plain } from './received-webhook.js'
import { serviceClient, serviceOptions, withoutRetry } from './service-client.js'

/** @import { DeveloperCommand } from '../commands.js' */
/** @typedef {{ url: string, outcome: string, status: number | null, error: string }} TriggerResult */

/** The kinds of events. A test compares them with the contract. */
export const eventKinds = [
  'payment.verified',
  'payment.unmatched',
  'payment.received',
  'payment.wrong_amount',
  'payment.expired',
  'payment.cancelled',
  'checkout.completed',
  'checkout.expired',
]

/** @param {TriggerResult} triggered */
const resultText = ({ url, outcome, status, error }) => {
  const result = outcome === 'ok' ? 'arrived' : `did not arrive: ${error}`
  return plain(`  ${url}  ${result}${status === null ? '' : ` (${status})`}`)
}

/** @type {DeveloperCommand} */
export const triggerCommand = {
  name: 'trigger',
  argument: '<event>',
  help: `send a made-up event to your endpoints: ${eventKinds.join(', ')}`,
  options: [...serviceOptions, { name: 'json', help: 'print one JSON object' }],
  run: async ({ options, arguments: [event = ''], say, defaultUrl }) => {
    if (!eventKinds.includes(event))
      throw new CommandError(`There is no event ${event}; there are ${eventKinds.join(', ')}.`)
    const client = await serviceClient(options, defaultUrl)
    const answer = await withoutRetry(client.request('POST', '/events/trigger/', { body: { event } }))
    const { id, results } = /** @type {{ id: string, results: TriggerResult[] }} */ (answer)
    if (options.json) return say(JSON.stringify(answer))
    say(`${event} was made up, as a test: ${id}`)
    for (const result of results) say(resultText(result))
    if (results.length === 0)
      say('  No endpoint subscribes to it. Whoever runs sanad listen with this account receives it.')
  },
}
