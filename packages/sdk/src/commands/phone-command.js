/** `sanad phone`: a payment without money on the testing wallet, as if its phone had reported it. It needs a test key. */
import { randomInt } from 'node:crypto'
import { CommandError } from './command-error.js'
import { plain } from './received-webhook.js'
import { serviceClient, serviceOptions, withoutRetry } from './service-client.js'

/** @import { DeveloperCommand } from '../commands.js' */
/** @typedef {{ alert: string, text: string, reference: string, state: string, intent: string | null }} TestPaid */

/** @param {string} text */
const sentAmount = (text) => {
  const bare = text.replaceAll(',', '')
  if (/^\d{1,12}(\.\d{1,2})?$/.test(bare) && /[1-9]/.test(bare)) return bare
  throw new CommandError('It must be an amount above 0, with two decimals at most, such as 1500.00.')
}

/** @param {string} text */
const sentReference = (text) => {
  if (/^[A-Za-z0-9-]{4,64}$/.test(text) && /\d/.test(text)) return text
  throw new CommandError('It must have 4 to 64 letters, digits and hyphens, one digit at least, such as TEST-0001.')
}

/** What the payment did, for its state. @param {TestPaid} paid */
const result = ({ state, intent, reference }) => {
  if (state === 'matched') return `It verified the intent ${intent}.`
  if (intent !== null) return `The intent ${intent} has this reference, but asked for another amount: WRONG_AMOUNT.`
  if (state === 'duplicate') return 'A payment with this reference and amount arrived before: it is counted once.'
  if (state === 'waiting')
    return `No intent has this reference yet. Attach it: PATCH /intents/{id}/ with "${reference}".`
  return `Its state is ${state}: see the dashboard, under Unmatched.`
}

/** @type {DeveloperCommand} */
export const phoneCommand = {
  name: 'phone',
  help: 'a payment without money arrives on your testing wallet (needs a test key)',
  options: [
    ...serviceOptions,
    { name: 'amount', value: '<amount>', help: 'how much arrives, such as 1500.00', read: sentAmount },
    {
      name: 'reference',
      value: '<reference>',
      help: 'the reference in the message; left out: a new one',
      read: sentReference,
    },
    { name: 'json', help: 'print one JSON object' },
  ],
  run: async ({ options, say, defaultUrl }) => {
    const { amount, reference = `TEST-${randomInt(10 ** 9, 10 ** 10)}`, json } = options
    if (amount === undefined) throw new CommandError('Say how much arrives with --amount, such as --amount 1500.00.')
    const client = await serviceClient(options, defaultUrl)
    const answer = await withoutRetry(client.request('POST', '/test-payments/', { body: { amount, reference } }))
    if (json) return say(JSON.stringify(answer))
    const paid = /** @type {TestPaid} */ (answer)
    say(plain(`The message: ${paid.text}`))
    say(plain(result(paid)))
  },
}
