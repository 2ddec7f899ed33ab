/**
 * `sanad doctor`: whether this machine can work with the service: its address, the API key, the clock, the wallets, and the
 * program that receives webhooks. Each finding is a sentence; one that is wrong has its cure, and the command exits with 1.
 */
import { CommandError } from './command-error.js'
import { httpUrl, notEmpty } from './options.js'
import { plain } from './received-webhook.js'
import { serviceClient, serviceOptions, Unreachable } from './service-client.js'
import { tryReceiver } from './try-receiver.js'

/** @import { DeveloperCommand } from '../commands.js' */
/** @import { ServiceClient } from './service-client.js' */
/** @import { TriggerResult } from './trigger-command.js' */
/** @typedef {{ part: string, level: 'ok' | 'not tried' | 'warning' | 'wrong', says: string, cure?: string }} Finding */

const merchantApi = '/api/v1/merchant'
/** A receiver refuses a signature that is older than this (decision of the service: about five minutes). */
const toleratedClock_ms = 300_000
const slowAnswer_ms = 10_000

/** @type {(part: string, says: string) => Finding} */
const ok = (part, says) => ({ part, level: 'ok', says })
/** @type {(part: string, says: string, cure: string) => Finding} */
const wrong = (part, says, cure) => ({ part, level: 'wrong', says, cure })
/** @type {(part: string, says: string) => Finding} */
const notTried = (part, says) => ({ part, level: 'not tried', says })

/**
 * The clock of this machine beside the service's, from the `Date` of an answer, which has whole seconds.
 *
 * @param {string} origin
 * @returns {Promise<Finding>}
 */
const clockFinding = async (origin) => {
  const before = Date.now()
  const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(slowAnswer_ms), redirect: 'manual' })
  await answer.arrayBuffer()
  const after = Date.now()
  const time = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(time)) return notTried('clock', 'The answers of the service have no date to compare with.')
  // The service wrote its date between the two, and cut it to the second.
  const ahead_ms = before > time + 1000 ? before - (time + 1000) : after < time ? after - time : 0
  const seconds = Math.round(Math.abs(ahead_ms) / 1000)
  if (Math.abs(ahead_ms) < toleratedClock_ms / 5)
    return ok('clock', seconds < 2 ? 'It agrees with the service.' : `It is ${seconds} s from that of the service.`)
  const direction = ahead_ms > 0 ? 'ahead of' : 'behind'
  return wrong(
    'clock',
    `This machine is ${seconds} s ${direction} the service: webhooks are refused as too old or too new from 300 s on.`,
    'Set the clock of this machine by NTP.',
  )
}

/**
 * @param {ServiceClient} client
 * @returns {Promise<Finding[]>}
 */
const keyFindings = async (client) => {
  const wallets = /** @type {{ is_test: boolean }[]} */ (
    await client.request('GET', '/wallets/?include_test=1', { api: merchantApi })
  )
  const real = wallets.filter(({ is_test }) => !is_test).length
  const hasTest = wallets.length > real
  const key = ok('API key', 'The service accepts it.')
  if (real > 0) return [key, ok('wallets', `${real} can be paid into now${hasTest ? ', and the testing wallet' : ''}.`)]
  if (hasTest)
    return [
      key,
      ok('wallets', 'Only the testing wallet can be paid into: this is a test key, or no phone is switched on.'),
    ]
  return [
    key,
    wrong(
      'wallets',
      'No wallet can be paid into with this key.',
      'In the dashboard, see that a wallet has a phone that is switched on, and which wallets the key may use.',
    ),
  ]
}

/**
 * A made-up event from the service to each endpoint: whether they can be reached from there.
 *
 * @param {ServiceClient} client
 * @returns {Promise<Finding[]>}
 */
const endpointFindings = async (client) => {
  const answer = await client.request('POST', '/events/trigger/', { body: { event: 'payment.verified' } })
  const { results } = /** @type {{ results: TriggerResult[] }} */ (answer)
  if (results.length === 0)
    return [
      wrong(
        'endpoints',
        'No endpoint subscribes to payment.verified.',
        'Add the address of your program in the dashboard under Webhooks, or follow the events with sanad listen.',
      ),
    ]
  return results.map(({ url, outcome, status, error }) =>
    outcome === 'ok'
      ? ok('endpoint', `${url} accepted a made-up event (${status}).`)
      : wrong(
          'endpoint',
          `${url} did not accept a made-up event: ${error}`,
          'See the log of the endpoint in the dashboard, under Webhooks.',
        ),
  )
}

/**
 * A check that cannot go on ends in a finding, and the next one runs.
 *
 * @param {string} part
 * @param {() => Promise<Finding[]>} check
 * @returns {Promise<Finding[]>}
 */
const asFindings = async (part, check) => {
  try {
    return await check()
  } catch (fault) {
    if (fault instanceof CommandError || fault instanceof Unreachable)
      return [wrong(part, fault.message, 'Mend this first; what depends on it could not be tried.')]
    if (fault instanceof TypeError || (fault instanceof Error && fault.name === 'TimeoutError'))
      return [wrong(part, 'The service cannot be reached.', 'Check SANAD_URL, and that the service runs.')]
    throw fault
  }
}

const marks = { ok: 'ok       ', 'not tried': 'not tried', warning: 'warning  ', wrong: 'WRONG    ' }

/** @param {Finding} finding */
const lineOf = ({ part, level, says, cure }) =>
  plain(`${marks[level]}  ${part}: ${says}${cure === undefined ? '' : ` ${cure}`}`)

/** @type {DeveloperCommand} */
export const doctorCommand = {
  name: 'doctor',
  help: 'is the key right, the clock, the program that receives webhooks?',
  options: [
    ...serviceOptions,
    { name: 'webhook', value: '<url>', help: 'try your receiver from this machine (needs --secret)', read: httpUrl },
    {
      name: 'secret',
      value: '<secret>',
      help: "the endpoint's signing secret",
      env: 'SANAD_WEBHOOK_SECRET',
      read: notEmpty,
    },
    { name: 'send', help: 'the service sends a made-up event to each of your endpoints' },
    { name: 'json', help: 'print one JSON object' },
  ],
  run: async ({ options, say, defaultUrl }) => {
    const { webhook, secret, send, json } = options
    if (webhook !== undefined && secret === undefined)
      throw new CommandError(
        '--webhook needs --secret (or SANAD_WEBHOOK_SECRET): the secret that signs for this address.',
      )
    const client = await serviceClient(options, defaultUrl)
    const findings = [
      ...(await asFindings('clock', async () => [await clockFinding(client.origin)])),
      ...(await asFindings('API key', () => keyFindings(client))),
      ...(send
        ? await asFindings('endpoints', () => endpointFindings(client))
        : [notTried('endpoints', 'With --send the service sends a made-up event to each of them.')]),
      ...(webhook === undefined
        ? [notTried('receiver', 'With --webhook <url> --secret <secret> your program is tried from this machine.')]
        : await tryReceiver(webhook, secret)),
    ]
    const isWrong = findings.some(({ level }) => level === 'wrong')
    if (json) say(JSON.stringify({ ok: !isWrong, findings }))
    else for (const finding of findings) say(lineOf(finding))
    return isWrong ? 1 : 0
  },
}
