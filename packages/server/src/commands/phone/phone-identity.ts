/**
 * Decides which phone `sanad phone` is: a wallet’s phone, found with its secret in the database; a phone that pairs now, or
 * that was saved in a file; or an app that has only a token.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { AdapterName } from '@sanad/agent/adapter-clients'
import { type AgentConfig, type DeviceKey, nativeClient, pair } from '@sanad/agent/native-client'
import { simulatedHealth } from '@sanad/agent/phone'
import { type Patience, PhoneFault } from '@sanad/agent/post'
import type { SimSlot } from '@sanad/agent/scenario'
import { type ProviderName, providerNames, wordings } from '@sanad/agent/wordings'
import { usualCurrency } from '@sanad/contract/currency'
import type { Config } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { wholeAccount } from '../../core/scope.ts'
import { uuidOfText } from '../../http/uuid.ts'
import { openKeyRing } from '../../key-ring.ts'
import { originOf } from '../../origin.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { dataDirHolder } from '../../postgres/embedded/data-dir.ts'
import { version } from '../../version.ts'
import { findWallet, walletOf } from '../../views/wallets/wallet-sql.ts'
import { phoneLookup } from '../../wallets/phones/phone-lookup.ts'
import { phoneSecrets } from '../../wallets/phones/phone-secrets.ts'
import { type Outcome, watchOutcomes } from './phone-outcome.ts'
import { accountOfWallet, shownBalance } from './phone-sql.ts'

export type PhoneOptions = {
  readonly wallet?: string
  readonly pair?: string
  readonly load?: string
  readonly save?: string
  readonly url?: string
  readonly token?: string
  readonly signingKey?: string
  readonly via: 'native' | AdapterName
  readonly provider?: string
  readonly sender?: string
}

/** The phone, its wallet, and a function that reads the outcomes of its alerts. */
export type Phone = {
  readonly name: string
  readonly origin: string
  readonly key?: DeviceKey
  readonly token?: string
  readonly signingKey: string | null
  readonly provider?: string
  readonly sender: string
  readonly simSlot: SimSlot
  readonly currency: string
  readonly balance: bigint
  readonly outcomes?: (texts: readonly string[]) => Promise<Outcome[]>
}

/** Providers by every name that a user may type. */
export const providers: ReadonlyMap<string, ProviderName> = new Map([
  ...providerNames.map((name) => [name, name] as const),
  ['onecash', 'one-cash'],
  ['test', 'sanad-test'],
])

const defaultBalance = 10_000_000n

export const phoneOfWallet = async (
  db: Db,
  config: Config,
  options: PhoneOptions & { readonly wallet: string },
): Promise<Phone> => {
  const id = uuidOfText(options.wallet)
  const [owner] = id === undefined ? [] : await accountOfWallet(db, id)
  const [row] = owner === undefined ? [] : await findWallet(db, wholeAccount(owner.account_id), id!)
  if (row === undefined) throw new PhoneFault(`There is no wallet ${options.wallet}.`)
  const wallet = walletOf(row)
  // The reports count like those of the real phone: in production that would create money from nothing.
  if (config.production && !wallet.isTest)
    throw new PhoneFault(`In production only a test wallet can be simulated, and "${wallet.name}" is a real one.`)
  if (wallet.phoneId === null) throw new PhoneFault(`The wallet "${wallet.name}" has no phone: bind one to it first.`)
  const phone = await phoneLookup(db).load(wallet.phoneId)
  if (phone === undefined) throw new Error(`phone ${wallet.phoneId} is not there`)
  // Using a new secret would end the previous one, which a real phone may still use. So the previous one is used.
  const sealed = phone.secretUsed ? phone.secretSealed : (phone.previousSecretSealed ?? phone.secretSealed)
  if (sealed === null && options.via === 'native')
    throw new PhoneFault(`The phone "${phone.name}" was never paired: pair it first, or use --via with its --token.`)
  const secrets = phoneSecrets(await openKeyRing(db, config, systemClock.now()))
  const [known] = await shownBalance(db, wallet.id)
  return {
    name: `Phone "${phone.name}" for wallet "${wallet.name}"`,
    origin: options.url ?? (await runningUrl(config)),
    ...(sealed === null ? {} : { key: { deviceId: phone.id, secret: secrets.unsealSecret(phone.id, sealed) } }),
    ...(options.token === undefined ? {} : { token: options.token }),
    signingKey:
      options.signingKey ??
      (phone.signingKeySealed === null ? null : secrets.unsealSigningKey(phone.id, phone.signingKeySealed)),
    provider: wallet.provider.name,
    sender: wallet.senderName,
    simSlot: wallet.simSlot,
    currency: wallet.currency,
    balance: known?.balance ?? defaultBalance,
    outcomes: await watchOutcomes(db, wholeAccount(wallet.accountId), phone.id),
  }
}

const runningUrl = async (config: Config): Promise<string> => {
  const running = await dataDirHolder(config.dataDir)
  const url = (config.databaseUrl === undefined ? running?.url : undefined) ?? originOf(config)
  if (new URL(url).port === '0')
    throw new PhoneFault('The service chose its port itself: say where it runs with --url.')
  return url
}

type SavedPhone = { readonly url: string; readonly device_id: string; readonly secret: string }
type Senders = AgentConfig['senders']

export const ownPhone = async (options: PhoneOptions, patience: Patience, now: () => number): Promise<Phone> => {
  const app = {
    ...(options.token === undefined ? {} : { token: options.token }),
    signingKey: options.signingKey ?? null,
  }
  const anonymousPhone = { ...app, currency: usualCurrency, balance: defaultBalance, sender: '', simSlot: '' as const }
  if (options.pair !== undefined) {
    const { saved, senders } = await pairNow(options, options.pair, patience)
    return { ...anonymousPhone, ...savedPhone(saved, options), ...watchedIn(senders, options) }
  }
  if (options.load !== undefined) {
    const saved = loadSaved(options.load)
    const phone = savedPhone(saved, options)
    // Wallets may have been bound to the phone since it was paired.
    const { config } = await nativeClient({ ...phone, now, patience }).heartbeat(simulatedHealth)
    return { ...anonymousPhone, ...phone, ...watchedIn(config.senders, options) }
  }
  if (options.via === 'native') throw new PhoneFault('A --token is for apps: say which one with --via.')
  return { ...anonymousPhone, name: `The app ${options.via}`, origin: mustHaveUrl(options) }
}

const savedPhone = (saved: SavedPhone, options: PhoneOptions) => ({
  name: `Phone ${saved.device_id}`,
  origin: options.url ?? saved.url,
  key: { deviceId: saved.device_id, secret: saved.secret },
})

/** The wallet for which the phone reports: chosen by the sender or the provider, or else the first that it watches. */
const watchedIn = (senders: Senders, options: PhoneOptions): Partial<Phone> => {
  const chosen = options.provider === undefined ? undefined : providers.get(options.provider)
  const name = options.sender ?? wordings.find(({ provider }) => provider === chosen)?.sender
  const watched = name === undefined ? senders[0] : senders.find((sender) => sender.name === name)
  if (watched === undefined) return {}
  const provider = wordings.find(({ sender }) => sender === watched.name)?.provider
  const own = { sender: watched.name, simSlot: slotOf(watched.sim_slot) }
  return provider === undefined ? own : { ...own, provider }
}

const slotOf = (slot: string): SimSlot => (slot === 'SIM1' || slot === 'SIM2' ? slot : '')

const mustHaveUrl = ({ url }: PhoneOptions): string => {
  if (url === undefined) throw new PhoneFault('Say where the service runs with --url, such as http://127.0.0.1:8080.')
  return url
}

const agentInfo = { agent: 'sanad simulated phone', version, model: 'simulated', android: '0' }

const pairNow = async (options: PhoneOptions, code: string, patience: Patience) => {
  const url = mustHaveUrl(options)
  // The code works only once, so the file is written once before, to see that it can be written.
  if (options.save !== undefined) saveFile(options.save, '')
  const paired = await pair(url, code, agentInfo, patience)
  const saved: SavedPhone = { url, device_id: paired.device_id, secret: paired.secret }
  if (options.save !== undefined) saveFile(options.save, `${JSON.stringify(saved, null, 2)}\n`)
  return { saved, senders: paired.config.senders }
}

const saveFile = (file: string, text: string): void => {
  try {
    writeFileSync(file, text, { mode: 0o600 })
  } catch (cause) {
    throw new PhoneFault(`${file} cannot be written.`, { cause })
  }
}

const loadSaved = (file: string): SavedPhone => {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Partial<SavedPhone>
    const { url, device_id, secret } = saved
    if (url !== undefined && device_id !== undefined && secret !== undefined) return { url, device_id, secret }
  } catch (cause) {
    throw new PhoneFault(`${file} cannot be read: make it with --pair and --save.`, { cause })
  }
  throw new PhoneFault(`${file} holds no phone: make it with --pair and --save.`)
}
