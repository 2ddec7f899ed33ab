/** `sanad trigger`: a made-up event of a kind, sent to the account's endpoints and to those who listen. No money has arrived. */
import { CommandError } from './command-error.js'
import { plain } from './received-webhook.js'
import { once, serviceClient, serviceOptions } from './service-client.js'

/** @import { DeveloperCommand } from '../commands.js' */
/** @typedef {{ url: string, outcome: string, status: number | null, error: string }} Sent */

/** A test compares them with the contract. */
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

/** @param {Sent} sent */
const resultText = ({ url, outcome, status, error }) => {
  const result = outcome === 'ok' ? 'arrived' : `did not arrive: ${error}`
  return plain(`  ${url}  ${result}${status === null ? '' : ` (${status})`}`)
}

/** @type {DeveloperCommand} */
export const triggerCommand = {
  name: 'trigger',
  argument: '<event>',
  what: `send a made-up event to your endpoints: ${eventKinds.join(', ')}`,
  options: [...serviceOptions, { name: 'json', what: 'print one JSON object' }],
  run: async ({ options, arguments: [event = ''], say, defaultUrl }) => {
    if (!eventKinds.includes(event))
      throw new CommandError(`There is no event ${event}; there are ${eventKinds.join(', ')}.`)
    const client = await serviceClient(options, defaultUrl)
    const answer = await once(client.ask('POST', '/events/trigger/', { body: { event } }))
    const { id, results } = /** @type {{ id: string, results: Sent[] }} */ (answer)
    if (options.json) return say(JSON.stringify(answer))
    say(`${event} was made up, as a test: ${id}`)
    for (const sent of results) say(resultText(sent))
    if (results.length === 0)
      say('  No endpoint subscribes to it. Whoever runs sanad listen with this account receives it.')
  },
}
