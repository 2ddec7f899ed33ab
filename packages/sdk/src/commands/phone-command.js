/** `sanad phone`: a payment without money on the testing wallet, as if its phone had reported it. It needs a test key. */
import { randomInt } from 'node:crypto'
import { CommandError } from './command-error.js'
import { plain } from './received-webhook.js'
import { serviceClient, serviceOptions, withoutRetry } from './service-client.js'

/** @import { DeveloperCommand } from '../commands.js' */
/** @import { ServiceClient } from './service-client.js' */
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

/**
 * The quick start prints a command with the wallet, for the phone of an installation. It pays the same wallet here, or nothing.
 *
 * @param {ServiceClient} client
 * @param {string} wallet
 */
const refuseOther = async (client, wallet) => {
  const list = await withoutRetry(client.request('GET', '/wallets/?include_test=1', { api: '/api/v1/merchant' }))
  const wallets = /** @type {{ id: string, is_test: boolean }[]} */ (list)
  // A key that is no test key is refused by the call itself, with its sentence.
  if (!wallets.some(({ id, is_test }) => id === wallet && is_test))
    throw new CommandError(`${wallet} is not the testing wallet of this key: nothing was paid.`)
}

/** @type {DeveloperCommand} */
export const phoneCommand = {
  name: 'phone',
  help: 'a payment without money arrives on your testing wallet (needs a test key)',
  options: [
    ...serviceOptions,
    { name: 'amount', value: '<amount>', help: 'how much arrives, such as 1500.00', read: sentAmount },
    { name: 'wallet', value: '<id>', help: 'may be left out; no wallet but the testing one is paid' },
    {
      name: 'reference',
      value: '<reference>',
      help: 'the reference in the message; left out: a new one',
      read: sentReference,
    },
    { name: 'json', help: 'print one JSON object' },
  ],
  run: async ({ options, say, defaultUrl }) => {
    const { amount, wallet, reference = `TEST-${randomInt(10 ** 9, 10 ** 10)}`, json } = options
    if (amount === undefined) throw new CommandError('Say how much arrives with --amount, such as --amount 1500.00.')
    const client = await serviceClient(options, defaultUrl)
    if (wallet !== undefined) await refuseOther(client, wallet)
    const answer = await withoutRetry(client.request('POST', '/test-payments/', { body: { amount, reference } }))
    if (json) return say(JSON.stringify(answer))
    const paid = /** @type {TestPaid} */ (answer)
    say(plain(`The message: ${paid.text}`))
    say(plain(result(paid)))
  },
}
