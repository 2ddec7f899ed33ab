/**
 * The environment, read once into one frozen object. No other file reads it. Every error names the variable, what was
 * wrong and an example, and all errors are reported at once.
 */
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { type Retention, readRetention, usualRetention } from './accounts/retention/retention.ts'
import { CommandError } from './command-error.ts'
import { type Cidr, isLoopback, readCidrs } from './core/cidr.ts'
import { day_s, hour_ms, minute_ms } from './core/duration.ts'
import { zoneOf } from './core/zone.ts'
import { type Rules, rulesFrom } from './http/limits/rule.ts'
import type { LogFormat } from './log.ts'
import { readDatabaseUrl } from './postgres/connection/database-url.ts'
import { type Cell, readCells } from './postgres/tenancy/cells.ts'
import { readNameServers } from './webhooks/calling/resolve-names.ts'
import { readWebhookSettings, type WebhookSettings, webhookDefaults } from './webhooks/settings.ts'

export type Role = 'all' | 'serve' | 'work'

export type Config = {
  readonly port: number
  readonly host: string
  /** The port for metrics, and health once more, for operators alone; undefined: metrics are not served. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  /**
   * How long connections are still accepted after `/readyz` has turned to not ready; undefined: as long as the callers
   * of `/readyz` need to see it, and only shortly when there are none.
   */
  readonly drainDelay_ms: number | undefined
  /** npm started this process, and stands between it and the process that stops it (watch-npm.ts). */
  readonly underNpm: boolean
  /**
   * The URL by which users and merchants reach the service, without a slash at the end; undefined: as each request
   * addressed it.
   */
  readonly publicUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly databaseConnections: number
  /** A replica, from which people's exports, charts and sums may be read; undefined: all is read from the primary. */
  readonly databaseReadUrl: string | undefined
  /** A replica that may lack more than this is not read. */
  readonly readMaxLag_ms: number
  readonly readConnections: number
  readonly redisUrl: string | undefined
  readonly dataDir: string
  /** Undefined: the key file in the data directory. */
  readonly masterKey: string | undefined
  /** A second master key, set around a rotation: the old one or the next one (key-ring.ts). */
  readonly masterKeyPrevious: string | undefined
  readonly timeZone: string
  readonly intentWindow_ms: number
  readonly tokenTtl_s: number
  /** Null: no limits at all. */
  readonly limits: Rules | null
  /**
   * The number of trusted proxies in front of the service. As many entries of `X-Forwarded-For` are trusted, counted
   * from its end.
   */
  readonly trustProxy: number
  /** Undefined: no mail is sent. */
  readonly mail: { readonly url: string; readonly from: string } | undefined
  /** Whom to tell of a hole in this installation, `mailto:` or `https:`; undefined: nobody is named. */
  readonly securityContact: string | undefined
  /** Private and other special-purpose addresses that webhooks may reach. */
  readonly webhookAllow: readonly Cidr[]
  /** The DNS servers that resolve webhook receivers; empty: those of the machine. */
  readonly webhookNameServers: readonly string[]
  readonly webhooks: WebhookSettings
  /** For how many days accounts that have set nothing keep texts, payers, calls and the audit log. */
  readonly retention: Retention
  /** A last backup that is older needs a person; undefined: no age does. */
  readonly backupMaxAge_ms: number | undefined
  readonly role: Role
  /** How many processes of this machine answer requests. 1: one process does everything. More: processes/run-machine.ts. */
  readonly processes: number
  readonly logLevel: string
  readonly logFormat: LogFormat
  /** Where traces are sent; undefined: there are none. */
  readonly traces: TraceSettings | undefined
  readonly production: boolean
  /** The other cells, by their names. */
  readonly cells: ReadonlyMap<string, Cell>
}

export type TraceSettings = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Which part of the requests without a trace of their caller is traced, 0 to 1. */
  readonly fraction: number
}

export class ConfigError extends CommandError {}

const securityContactExample = 'mailto:security@example.com'
const mailFromExample = '"Sanad <sanad@example.com>"'

type Complain = (name: string, problem: string, example: string) => void

const proxyCount = (value: string, complain: Complain): number => {
  if (value === 'no') return 0
  if (value === 'yes') return 1
  if (/^[1-9]$/.test(value)) return Number(value)
  complain('SANAD_TRUST_PROXY', `is "${value}", but must be no, yes, or how many proxies there are, 1 to 9`, 'yes')
  return 0
}

const databaseUrlExample = 'postgresql://sanad@127.0.0.1/sanad'
const readUrlExample = 'postgresql://sanad@replica.example.com/sanad'
const cellsExample = '{"b": {"url": "https://b.example.com", "database_url": "postgresql://sanad@b.example.com/sanad"}}'
const keyExample = '"$(openssl rand -base64 32)"'

/** The fault of a master key, as text for an error; undefined: none. */
export const masterKeyFault = (text: string): string | undefined => {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) return 'must be 32 bytes in base64'
  // 32 equal bytes are not random: they are a placeholder that was never replaced.
  return key.every((byte) => byte === key[0]) ? 'is one byte repeated 32 times, which anybody can guess' : undefined
}

const publicUrlExample = 'https://pay.example.com'

/**
 * The origin as browsers write it in the `Origin` header. In any other notation every page would count as foreign, and no
 * user could sign in.
 */
const originIn = (input: string | undefined, onFault: () => void): string | undefined => {
  if (input === undefined) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(input)
  if (pathname.replace(/\/+$/, '') + search + hash + username + password !== '') onFault()
  return origin
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads single variables. A wrong value adds a problem and gives the default, so that all problems are found at once. */
const environmentReader = (env: Environment) => {
  const problems: string[] = []
  const input = (name: string): string | undefined => {
    const value = env[name]?.trim()
    return value === '' ? undefined : value
  }
  const complain: Complain = (name, problem, example) => {
    problems.push(`${name} ${problem}. Example: ${name}=${example}`)
  }
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const value = input(name)
    if (value === undefined) return fallback
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    complain(name, `is "${value}", but must be a whole number from ${min} to ${max}`, String(fallback))
    return fallback
  }
  const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const value = input(name)
    if (value === undefined) return fallback
    if ((values as readonly string[]).includes(value)) return value as T
    complain(name, `is "${value}", but must be one of ${values.join(', ')}`, fallback)
    return fallback
  }
  const url = (name: string, schemes: readonly string[], example: string): string | undefined => {
    const value = input(name)
    if (value === undefined) return undefined
    // `postgresql://user@/name?host=/socket` is a URL for PostgreSQL but not for `URL`: the driver reads the rest of it.
    const parses = URL.canParse(value) || /^postgres(ql)?:\/\/[^/\s]*\/\S*$/.test(value)
    if (parses && schemes.includes(value.slice(0, value.indexOf(':') + 1))) return value
    // The value may hold a password: it is not repeated.
    complain(name, `is not a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`, example)
    return undefined
  }
  const hostName = (name: string): string => {
    const value = input(name) ?? '127.0.0.1'
    if (isIP(value) === 0 && !/^[a-z0-9.-]+$/i.test(value)) complain(name, `is "${value}", not an address`, '127.0.0.1')
    return value
  }
  const masterKey = (name: string): string | undefined => {
    const value = input(name)
    if (value === undefined) return undefined
    const fault = masterKeyFault(value)
    if (fault !== undefined) complain(name, fault, keyExample)
    return value
  }
  return { problems, input, complain, whole, oneOf, url, hostName, masterKey }
}

type EnvironmentReader = ReturnType<typeof environmentReader>

/** Undefined: no mail server is set. */
const readMail = ({ input, url, complain }: EnvironmentReader, publicUrl: string | undefined): Config['mail'] => {
  const smtpUrl = url('SANAD_SMTP_URL', ['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com')
  const from = input('SANAD_MAIL_FROM')
  if (smtpUrl !== undefined) {
    if (from === undefined) complain('SANAD_MAIL_FROM', 'is not set, but SANAD_SMTP_URL is', mailFromExample)
    // Links in emails begin with it. If it were taken from a request, anyone could make Sanad email links to another host.
    if (publicUrl === undefined)
      complain('PUBLIC_URL', 'is not set, but SANAD_SMTP_URL is: links in emails begin with it', publicUrlExample)
  }
  if (from !== undefined && !/^[^<>\r\n]*<[^\s@<>,]+@[^\s@<>,]+>$|^[^\s@<>,]+@[^\s@<>,]+$/.test(from))
    complain('SANAD_MAIL_FROM', `is "${from}", not an address`, mailFromExample)
  return smtpUrl === undefined || from === undefined ? undefined : { url: smtpUrl, from }
}

/** The address of the mail's sender, if no other contact is set: somebody reads it, or its replies are lost already. */
const readSecurityContact = ({ url, input, complain }: EnvironmentReader, mail: Config['mail']): string | undefined => {
  const set = url('SANAD_SECURITY_CONTACT', ['mailto:', 'https:'], securityContactExample)
  if (set !== undefined) {
    if (/\s/.test(set) || !/^(mailto:[^@]+@[^@]+|https:\/\/.+)$/.test(set))
      complain(
        'SANAD_SECURITY_CONTACT',
        `is "${input('SANAD_SECURITY_CONTACT')}", not an address`,
        securityContactExample,
      )
    return set
  }
  return mail && `mailto:${/<([^>]+)>$/.exec(mail.from)?.[1] ?? mail.from}`
}

/** The settings of Sanad itself, some of which are secrets, and what npm sets for the program that it started. */
const isOwnSetting = (name: string): boolean =>
  /^(SANAD_|DATABASE_URL$|REDIS_URL$|npm_(?!config_(registry|cafile|proxy|https_proxy|noproxy|cache|userconfig)$))/.test(
    name,
  )

/** The environment of a program that the operator has us run: ours, without our own settings. */
export const environmentOfPrograms = (env: Environment = process.env): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isOwnSetting(name)))

const tracesExample = 'http://127.0.0.1:4318'

/** The names are those of OpenTelemetry, as every receiver's guide has them. */
const readTraces = ({ input, url, complain }: EnvironmentReader): TraceSettings | undefined => {
  const endpoint = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], tracesExample)
  const headers: Record<string, string> = {}
  for (const pair of (input('OTEL_EXPORTER_OTLP_HEADERS') ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [, name, value] = /^\s*([\w-]+)=([\x20-\x7e]*?)\s*$/.exec(pair) ?? []
    // The value may be a secret: it is not repeated.
    if (name === undefined || value === undefined)
      complain('OTEL_EXPORTER_OTLP_HEADERS', 'is not a list of name=value', 'authorization=Bearer%20secret')
    else headers[name.toLowerCase()] = decodeHeader(value)
  }
  const fraction = input('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  if (!/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(fraction))
    complain('OTEL_TRACES_SAMPLER_ARG', `is "${fraction}", but must be a number from 0 to 1`, '0.1')
  if (endpoint === undefined) return undefined
  const { origin, pathname } = new URL(endpoint)
  return {
    url: `${origin}${pathname.replace(/\/+$/, '')}/v1/traces`,
    headers,
    serviceName: (input('OTEL_SERVICE_NAME') ?? 'sanad').slice(0, 100),
    fraction: Number(fraction),
  }
}

const decodeHeader = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** One server, so that what is known of its lag is known of what is read. */
const readDatabaseReadUrl = (
  { url, complain }: EnvironmentReader,
  databaseUrl: string | undefined,
): string | undefined => {
  const readUrl = url('DATABASE_READ_URL', ['postgres:', 'postgresql:'], readUrlExample)
  if (readUrl === undefined) return undefined
  const hosts = readDatabaseUrl(readUrl)
  if (!hosts.ok) complain('DATABASE_READ_URL', hosts.error, readUrlExample)
  else if (hosts.urls.length > 1) complain('DATABASE_READ_URL', 'lists several hosts: name one replica', readUrlExample)
  if (databaseUrl === undefined)
    complain('DATABASE_URL', 'is not set, but DATABASE_READ_URL is: a replica has a primary', databaseUrlExample)
  return readUrl
}

const mostProcesses = 64

/** `auto`: one for each core. */
const readProcesses = ({ input, complain }: EnvironmentReader): number => {
  const set = input('SANAD_PROCESSES') ?? '1'
  if (set === 'auto') return Math.min(mostProcesses, availableParallelism())
  const number = /^\d{1,2}$/.test(set) ? Number(set) : 0
  if (number >= 1 && number <= mostProcesses) return number
  complain('SANAD_PROCESSES', `is "${set}", but must be auto, or a whole number from 1 to ${mostProcesses}`, 'auto')
  return 1
}

export const readConfig = (env: Environment = process.env): Config => {
  const reader = environmentReader(env)
  const { problems, input, complain, whole, oneOf, url } = reader
  const host = reader.hostName('HOST')
  const metricsHost = reader.hostName('SANAD_METRICS_HOST')
  const production = input('NODE_ENV') === 'production' || !isLoopback(host)

  const publicUrl = originIn(url('PUBLIC_URL', ['http:', 'https:'], publicUrlExample), () =>
    complain('PUBLIC_URL', 'is more than an origin: a scheme, a host and, if need be, a port', publicUrlExample),
  )
  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:'], databaseUrlExample)
  const database = databaseUrl === undefined ? undefined : readDatabaseUrl(databaseUrl)
  if (database?.ok === false) complain('DATABASE_URL', database.error, databaseUrlExample)
  const masterKey = reader.masterKey('SANAD_MASTER_KEY')
  const masterKeyPrevious = reader.masterKey('SANAD_MASTER_KEY_PREVIOUS')
  if (masterKeyPrevious !== undefined && masterKey === undefined)
    complain('SANAD_MASTER_KEY', 'is not set, but SANAD_MASTER_KEY_PREVIOUS is: set both', keyExample)
  if (production && masterKey === undefined)
    complain('SANAD_MASTER_KEY', 'is not set: outside loopback, secrets need a key of your own', keyExample)
  const role = oneOf<Role>('SANAD_ROLE', ['all', 'serve', 'work'], 'all')
  // Whoever sends a request chooses its Host: a link that follows it can lead a buyer or an owner to a foreign host.
  if (production && publicUrl === undefined && role !== 'work')
    complain(
      'PUBLIC_URL',
      'is not set: outside loopback, links would lead to the host that a request names',
      publicUrlExample,
    )
  if (production && publicUrl?.startsWith('http:'))
    complain('PUBLIC_URL', 'is plain http: outside loopback, tokens must travel encrypted', publicUrlExample)

  const timeZone = input('SANAD_TIME_ZONE') ?? 'Asia/Aden'
  try {
    zoneOf(timeZone)
  } catch {
    complain('SANAD_TIME_ZONE', `is "${timeZone}", which is no zone of the IANA database`, 'Asia/Aden')
  }

  const allowed = readCidrs(input('SANAD_WEBHOOK_ALLOW_CIDRS') ?? '')
  if (!allowed.ok) complain('SANAD_WEBHOOK_ALLOW_CIDRS', `is wrong: ${allowed.error}`, '127.0.0.0/8,::1/128')

  const nameServers = readNameServers(input('SANAD_WEBHOOK_NAME_SERVERS') ?? '')
  if (!nameServers.ok)
    complain('SANAD_WEBHOOK_NAME_SERVERS', `is wrong: ${nameServers.error}`, '10.0.0.53,[2001:db8::53]:5353')

  const mail = readMail(reader, publicUrl)

  const limits = rulesFrom(input('SANAD_LIMITS'))
  if (!limits.ok) problems.push(`SANAD_LIMITS: ${limits.error}`)

  const webhooks = readWebhookSettings(input('SANAD_WEBHOOKS'))
  if (!webhooks.ok) problems.push(`SANAD_WEBHOOKS: ${webhooks.error}`)

  const retention = readRetention(input('SANAD_KEEP_DAYS'))
  if (!retention.ok) problems.push(`SANAD_KEEP_DAYS: ${retention.error}`)

  const cells = readCells(input('SANAD_CELLS'))
  if (!cells.ok) complain('SANAD_CELLS', cells.error, cellsExample)

  const config: Config = {
    port: whole('PORT', 8080, 0, 65_535),
    host,
    metricsPort: input('SANAD_METRICS_PORT') === undefined ? undefined : whole('SANAD_METRICS_PORT', 9090, 0, 65_535),
    metricsHost,
    drainDelay_ms:
      input('SANAD_DRAIN_DELAY_S') === undefined ? undefined : whole('SANAD_DRAIN_DELAY_S', 7, 0, 60) * 1000,
    underNpm: ['start', 'npx'].includes(input('npm_lifecycle_event') ?? ''),
    publicUrl,
    databaseUrl,
    databaseConnections: whole('SANAD_DATABASE_CONNECTIONS', 10, 2, 200),
    databaseReadUrl: readDatabaseReadUrl(reader, databaseUrl),
    readMaxLag_ms: whole('SANAD_READ_MAX_LAG_MS', 2_000, 500, minute_ms),
    readConnections: whole('SANAD_READ_CONNECTIONS', 4, 1, 200),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:', 'unix:'], 'redis://127.0.0.1:6379'),
    dataDir: resolve(input('SANAD_DATA_DIR') ?? '.sanad'),
    masterKey,
    masterKeyPrevious,
    timeZone,
    intentWindow_ms: whole('SANAD_INTENT_WINDOW_S', 3600, 1, 30 * day_s) * 1000,
    tokenTtl_s: whole('SANAD_TOKEN_TTL_S', 3600, 1, 30 * day_s),
    limits: limits.ok ? limits.rules : null,
    webhookAllow: allowed.ok ? allowed.list : [],
    webhookNameServers: nameServers.ok ? nameServers.list : [],
    webhooks: webhooks.ok ? webhooks.settings : webhookDefaults,
    retention: retention.ok ? retention.retention : usualRetention,
    trustProxy: proxyCount(input('SANAD_TRUST_PROXY') ?? 'no', complain),
    mail,
    securityContact: readSecurityContact(reader, mail),
    backupMaxAge_ms:
      input('SANAD_BACKUP_MAX_AGE_H') === 'off' ? undefined : whole('SANAD_BACKUP_MAX_AGE_H', 48, 1, 8_760) * hour_ms,
    role,
    // Background work needs one process, however many are set.
    processes: role === 'work' ? 1 : readProcesses(reader),
    logLevel: oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    logFormat: oneOf<LogFormat>('SANAD_LOG', ['auto', 'json', 'text'], 'auto'),
    traces: readTraces(reader),
    production,
    cells: cells.ok ? cells.cells : new Map(),
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return Object.freeze(config)
}
