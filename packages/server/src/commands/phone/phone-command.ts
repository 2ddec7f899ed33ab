/**
 * `sanad phone`: a simulated phone on the command line. With `--wallet`, for operators, it finds the wallet’s phone in the
 * database, reports to the running service as that phone, and shows the outcome of the alerts. As a phone of its own
 * (`--pair`, `--load`, or an app’s `--token`) it only uses the answers of the service. packages/agent decides what it sends
 * and how. Without a phone and with a test key it is the developers' command of the SDK.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { adapterNames } from '@sanad/agent/adapter-clients'
import { nativeClient } from '@sanad/agent/native-client'
import { type Answered, adapterReporter, nativeReporter, type Reporter, runPhone } from '@sanad/agent/phone'
import { PhoneFault, patient, Unreachable } from '@sanad/agent/post'
import { planSends, type Scenario, type Send, type SimSlot, seededRandom } from '@sanad/agent/scenario'
import { spellings, type Wording, wordingOf } from '@sanad/agent/wordings'
import { currencies } from '@sanad/contract/currency'
import { runCommand } from '@sanad/sdk/commands'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import { formatMinor, type Minor, readDecimal } from '../../core/money.ts'
import type { AddTo, CommandLine } from '../command-line.ts'
import { ownPhone, type Phone, type PhoneOptions, phoneOfWallet, providers } from './phone-identity.ts'
import { outcomeLines } from './phone-outcome.ts'

const styles = ['separators', 'marks', 'newlines'] as const

type PhoneCommandOptions = PhoneOptions & {
  readonly amount?: Minor
  readonly reference?: string
  readonly random?: boolean
  readonly text?: string
  readonly sim?: SimSlot
  readonly currency?: string
  readonly balance?: bigint
  readonly count: number
  readonly late: number
  readonly duplicate: number
  readonly newIds?: boolean
  readonly shuffle?: boolean
  readonly spoof?: 'sender' | 'tail'
  readonly wrongAmount?: boolean
  readonly digits: 'latin' | 'arabic'
  readonly style?: readonly (typeof styles)[number][]
  readonly batch: number
  readonly heartbeat?: boolean
  readonly stay?: boolean
  readonly seed?: number
  readonly json?: boolean
  readonly clientId?: string
  readonly clientSecret?: string
}

const patience = { ...patient, tries: 3 }

export const addTo: AddTo = (command, line) => {
  command
    .option('--wallet <id>', "report as this wallet's phone (needs the database)")
    .option('--pair <code>', 'pair as a new phone, with the code from the dashboard (needs --url)')
    .option('--save <file>', 'with --pair: save the secret in a file')
    .option('--load <file>', 'report as the phone that was saved in a file')
    .option('--url <origin>', 'the address of the service', origin)
    .option('--client-id <id>', 'no phone: pay on the testing wallet with this test key')
    .option('--client-secret <secret>', "the key's secret; left out: SANAD_CLIENT_SECRET")
    .addOption(new Option('--via <app>', 'how it reports').choices(['native', ...adapterNames]).default('native'))
    .option('--token <token>', "the device's ingest token, for every --via but native")
    .option('--signing-key <key>', 'the key with which the app signs; with --wallet it is looked up')
    .option('--amount <amount>', 'the amount that arrived, such as 1500.00', money)
    .option('--reference <reference>', 'the reference in the alert; several alerts count up from it')
    .option('--random', 'a random plausible reference for each alert')
    .option('--text <text>', "the whole message, instead of the wallet's wording")
    .addOption(
      new Option('--provider <name>', "the provider whose wording is used; default: the wallet's").choices([
        ...providers.keys(),
      ]),
    )
    .option('--sender <name>', "the sender of the message; default: the wallet's")
    .addOption(new Option('--sim <slot>', "the SIM slot; default: the wallet's").choices(['SIM1', 'SIM2']))
    .option('--currency <code>', "the alert's currency, such as SAR; default: the wallet's", currencyCode)
    .option('--balance <amount>', 'the balance before; default: the last one known', money)
    .option('--count <n>', 'the number of payments', between(1, 10_000), 1)
    .option('--late <seconds>', 'how long ago the messages were sent', between(0, 31_536_000), 0)
    .option('--duplicate <n>', 'how many more times each alert is sent', between(0, 1_000), 0)
    .option('--new-ids', 'repeated alerts have ids of their own, as from a second app')
    .option('--shuffle', 'send the alerts out of order')
    .addOption(
      new Option(
        '--spoof <what>',
        'fake a sender that only looks like the real one, or add text to a real message',
      ).choices(['sender', 'tail']),
    )
    .option('--wrong-amount', 'one unit less than --amount arrives')
    .addOption(
      new Option('--digits <script>', 'the digits of the message').choices(['latin', 'arabic']).default('latin'),
    )
    .addOption(new Option('--style <how...>', 'changes that apps make to the text').choices(styles))
    .option('--batch <n>', 'alerts in one request (native only)', between(1, 100), 1)
    .option('--heartbeat', 'send a heartbeat before the alerts')
    .option('--stay', 'afterwards send a heartbeat each minute, until Ctrl-C')
    .option('--seed <n>', 'repeat the random values of an earlier run', between(0, 4_294_967_295))
    .option('--json', 'print one JSON object')
    .action(async (options: PhoneCommandOptions) => {
      try {
        await speak(options, line, optionsOfKey(command))
      } catch (fault) {
        if (fault instanceof Unreachable)
          throw new CommandError(`${fault.message} Start Sanad with npm start, or say where it runs with --url.`)
        throw fault instanceof PhoneFault ? new CommandError(fault.message) : fault
      }
    })
}

const speak = async (options: PhoneCommandOptions, line: CommandLine, key: KeyOptions): Promise<void> => {
  const identities = [options.wallet, options.pair, options.load].filter((option) => option !== undefined)
  const isNamed = identities.length > 0 || options.token !== undefined
  if (!isNamed && options.clientId !== undefined) return payWithKey(options, line, key)
  if (!isNamed || identities.length > 1)
    throw new PhoneFault(
      'Say which phone speaks: one of --wallet, --pair, --load, or --token with --via. Without a phone: a test key, with --client-id.',
    )
  if (options.wallet === undefined) return run(await ownPhone(options, patience, systemClock.now), options, line.say)
  const { wallet } = options
  await line.onStore('sanad phone', async (db, config) =>
    run(await phoneOfWallet(db, config, { ...options, wallet }), options, line.say),
  )
}

const keyOptions = new Set(['url', 'clientId', 'clientSecret', 'amount', 'reference', 'json'])

/** The options that were given, and have no meaning with a key. */
type KeyOptions = { readonly others: () => readonly string[] }

const optionsOfKey = (command: Command): KeyOptions => ({
  others: () =>
    command.options
      .filter((option) => !keyOptions.has(option.attributeName()))
      .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
      .map(({ long }) => long ?? ''),
})

/** Without a phone: the developers' command, which needs no database. */
const payWithKey = async (options: PhoneCommandOptions, line: CommandLine, key: KeyOptions): Promise<void> => {
  const [other] = key.others()
  if (other !== undefined)
    throw new PhoneFault(`With a test key there are --amount, --reference and --json, no ${other}.`)
  const { url, clientId, clientSecret, amount, reference } = options
  const values = { url, 'client-id': clientId, 'client-secret': clientSecret, reference }
  const given = Object.entries({ ...values, amount: amount === undefined ? undefined : formatMinor(amount) })
  const args = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  process.exitCode = await runCommand(['phone', ...args, ...(options.json ? ['--json'] : [])], {
    defaultUrl: line.serviceUrl,
    say: line.say,
  })
}

const run = async (phone: Phone, options: PhoneCommandOptions, say: CommandLine['say']): Promise<void> => {
  const seed = options.seed ?? randomInt(2 ** 32)
  const chance = { random: seededRandom(seed), newId: () => randomUUID() }
  const reporter = reporterOf(phone, options)
  const reports = options.amount !== undefined || options.text !== undefined
  if (!reports && !options.heartbeat && !options.stay && options.pair === undefined)
    throw new PhoneFault('Say how much arrived with --amount, or what the message says with --text.')
  const sends = reports ? planSends(scenarioOf(phone, options), chance, systemClock.now()) : []
  const print = options.json ? () => {} : say
  print(`${phone.name} speaks ${options.via} to ${phone.origin}${reports ? `, seed ${seed}` : ''}`)

  const sendHeartbeat = async (): Promise<void> => {
    if (!(await reporter.heartbeat())) throw new PhoneFault(`The app ${options.via} has no heartbeat.`)
  }
  // A phone that was just paired sends a heartbeat first, whatever the other options are.
  const sendsHeartbeat = options.heartbeat === true || options.pair !== undefined
  if (sendsHeartbeat) {
    await sendHeartbeat()
    print('heartbeat: taken')
  }
  const answered = await runPhone(reporter, sends, (answer, done) => print(sentLine(answer, done, sends.length)))
  const outcomes = sends.length === 0 ? [] : ((await phone.outcomes?.(sends.map(({ text }) => text))) ?? [])
  if (outcomes.length > 0) {
    print('What became of them:')
    for (const outcome of outcomeLines(outcomes)) print(outcome)
  }
  if (options.json) {
    const { key, origin: url } = phone
    const sent = answered.map(jsonOf)
    say(
      JSON.stringify({
        device: key?.deviceId ?? null,
        url,
        via: options.via,
        seed,
        heartbeat: sendsHeartbeat,
        sent,
        alerts: phone.outcomes ? outcomes : null,
      }),
    )
  }
  if (options.stay) await stay(sendHeartbeat, print)
}

const stay = async (sendHeartbeat: () => Promise<void>, print: (line: string) => void): Promise<void> => {
  const stopped = new AbortController()
  process.once('SIGINT', () => stopped.abort())
  process.once('SIGTERM', () => stopped.abort())
  print('Saying each minute that the phone lives. Stop it with Ctrl-C.')
  while (!stopped.signal.aborted) {
    await sendHeartbeat()
    await delay(minute_ms, undefined, { signal: stopped.signal }).catch(() => {})
  }
}

const reporterOf = (phone: Phone, options: PhoneCommandOptions): Reporter => {
  const { now } = systemClock
  if (options.via === 'native') {
    if (phone.key === undefined) throw new PhoneFault('Only a paired phone speaks native.')
    return nativeReporter(nativeClient({ origin: phone.origin, key: phone.key, now, patience }), options.batch)
  }
  if (phone.token === undefined)
    throw new PhoneFault('An app needs the ingest token of the device: it is kept hashed, so give it with --token.')
  const access = { origin: phone.origin, token: phone.token, signingKey: phone.signingKey }
  return adapterReporter({ adapter: options.via, access, now, newId: () => randomUUID(), patience })
}

const scenarioOf = (phone: Phone, options: PhoneCommandOptions): Scenario => {
  const content = messagesOf(phone, options)
  const sender = options.sender ?? (phone.sender || ('wording' in content ? content.wording.sender : ''))
  return {
    content,
    reference: options.reference ?? null,
    sender,
    simSlot: options.sim ?? phone.simSlot,
    balance: options.balance ?? phone.balance,
    payer: 'علي صالح المثال',
    phone: '770000000',
    style: { digits: options.digits, ...Object.fromEntries((options.style ?? []).map((change) => [change, true])) },
    count: options.count,
    late_s: options.late,
    repeats: options.duplicate,
    newIds: options.newIds ?? false,
    shuffled: options.shuffle ?? false,
    spoofed: options.spoof ?? null,
    wrongAmount: options.wrongAmount ?? false,
  }
}

const messagesOf = (phone: Phone, options: PhoneCommandOptions): Scenario['content'] => {
  if (options.text !== undefined) return { text: options.text }
  const wording = wordingFor(options.provider ?? phone.provider, options)
  return { wording, amount: options.amount!, currency: options.currency ?? phone.currency }
}

const wordingFor = (name: string | undefined, options: PhoneCommandOptions): Wording => {
  if (name === undefined) throw new PhoneFault('Say whose wording it is with --provider: no wallet is known here.')
  const provider = providers.get(name)
  if (provider === undefined)
    throw new PhoneFault(`No wording of the provider ${name} is known: say what the message says with --text.`)
  const withReference = options.reference !== undefined || options.random === true
  const wording = wordingOf(provider, withReference)
  if (wording !== undefined) return wording
  if (withReference) throw new PhoneFault(`The alerts of ${provider} carry no reference: leave it out.`)
  throw new PhoneFault(`Every alert of ${provider} carries a reference: give one with --reference, or --random.`)
}

const moneyOf = ({ amount, currency }: Send): string =>
  amount === null ? 'a text' : `${spellings.grouped(amount)} ${currency}`

const sentLine = ({ send, status }: Answered, done: number, all: number): string => {
  const odd = send.oddities.length === 0 ? '' : `  (${send.oddities.join(', ')})`
  const held = status === 'held' ? ': the phone is switched off' : ''
  return `${String(done).padStart(String(all).length)}/${all}  ${moneyOf(send)}  ${send.reference ?? 'no reference'}${odd}  ${status}${held}`
}

const jsonOf = ({ send, status }: Answered) => ({
  client_id: send.clientId,
  sender: send.sender,
  text: send.text,
  sim_slot: send.simSlot,
  amount: send.amount === null ? null : spellings.full(send.amount),
  currency: send.currency,
  reference: send.reference,
  sent_at: new Date(send.sentAt).toISOString(),
  oddities: send.oddities,
  status,
})

const money = (text: string): Minor => {
  const read = readDecimal(text.replaceAll(',', ''))
  if (read.kind === 'ok' && read.minor > 0n) return read.minor
  throw new InvalidArgumentError('It must be an amount above 0, with two decimals at most, such as 1500.00.')
}

const currencyCode = (text: string): string => {
  if (/^[A-Z]{3}$/.test(text)) return text
  throw new InvalidArgumentError(
    `It must be a code of three capital letters, such as ${Object.keys(currencies).slice(0, 2).join(' or ')}.`,
  )
}

const origin = (text: string): string => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('It must begin with http:// or https://.')
}

const between =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
