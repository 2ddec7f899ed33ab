/**
 * What is wrong with an installation, in sentences with the cure. Pure: the facts are read elsewhere. `sanad doctor`, the start and
 * the operator's page all use this one list, so that they never disagree.
 */

import { hour_ms } from '../core/duration.ts'

/** `wrong`: something does not work or will fail; `warning`: it works, and somebody should know. */
export type Level = 'ok' | 'warning' | 'wrong'

export type Finding = {
  /** What was looked at, a fixed word for programs. */
  readonly part: string
  readonly level: Level
  readonly says: string
  /** What to do; only if something is to be done. */
  readonly cure?: string
}

const ok = (part: string, says: string): Finding => ({ part, level: 'ok', says })
const warning = (part: string, says: string, cure: string): Finding => ({ part, level: 'warning', says, cure })
const wrong = (part: string, says: string, cure: string): Finding => ({ part, level: 'wrong', says, cure })

const megabyte = 1024 * 1024
export const megabytes = (bytes: number): string => `${Math.floor(bytes / megabyte).toLocaleString('en-US')} MB`

/** What the process itself can see, without a database. */
export type MachineFacts = {
  readonly nodeVersion: string
  /** The limit of the container or unit; null: there is none. */
  readonly memoryLimit_bytes: number | null
  /** Of the file system with the data directory; null: it could not be read. */
  readonly disk: { readonly free_bytes: number; readonly path: string } | null
  readonly embedded: boolean
  readonly production: boolean
  readonly publicUrl: string | undefined
  /** The service listens on loopback, so that others reach it through a proxy only. */
  readonly onLoopback: boolean
  readonly trustProxy: number
  readonly mailIsSet: boolean
  readonly limitsAreOn: boolean
  /** Where the master key is, and whether others on the machine may read the file. */
  readonly key: { readonly file: string; readonly open: boolean } | 'environment'
}

/** From 22.19 on; see release/packed/sanad.js. */
const oldestNode = [22, 19]
/** Measured: a service with embedded PostgreSQL is killed at 256 MB and runs at 384 MB. */
const memoryNeeded_bytes = 384 * megabyte
const memoryGood_bytes = 512 * megabyte
const diskNeeded_bytes = 256 * megabyte
const diskGood_bytes = 2048 * megabyte

const nodeFinding = (version: string): Finding => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const isOld = major < oldestNode[0]! || (major === oldestNode[0] && minor < oldestNode[1]!)
  return isOld
    ? wrong('node', `Node is ${version}.`, 'Install Node 24, or 22.19 or later.')
    : ok('node', `Node is ${version}.`)
}

const memoryFinding = (limit: number | null): Finding => {
  if (limit === null) return ok('memory', 'No limit of memory is set.')
  const says = `The limit of memory is ${megabytes(limit)}.`
  const cure = `Raise it to ${megabytes(memoryGood_bytes)} or more.`
  if (limit < memoryNeeded_bytes)
    return wrong('memory', `${says} The service is killed below ${megabytes(memoryNeeded_bytes)}.`, cure)
  return limit < memoryGood_bytes ? warning('memory', says, cure) : ok('memory', says)
}

const diskFinding = ({ disk, embedded }: MachineFacts): Finding => {
  if (disk === null) return warning('disk', 'The free disk space could not be read.', 'Look at it yourself: df -h')
  const says = `${megabytes(disk.free_bytes)} are free at ${disk.path}.`
  const cure = embedded
    ? 'Free some space: the database is there, and a full disk refuses every payment.'
    : 'Free some space there. The disk of the database cannot be seen from here: watch it on its own machine.'
  if (disk.free_bytes < diskNeeded_bytes) return wrong('disk', says, cure)
  return embedded && disk.free_bytes < diskGood_bytes ? warning('disk', says, cure) : ok('disk', says)
}

const publicUrlFinding = ({ publicUrl, production }: MachineFacts): Finding => {
  if (publicUrl === undefined)
    return production
      ? wrong(
          'public_url',
          'PUBLIC_URL is not set.',
          'Set PUBLIC_URL to the address by which buyers and phones reach the service.',
        )
      : ok('public_url', 'PUBLIC_URL is not set: the service is for this machine alone.')
  return publicUrl.startsWith('https:')
    ? ok('public_url', `Buyers and phones are sent to ${publicUrl}.`)
    : warning(
        'public_url',
        `Buyers and phones are sent to ${publicUrl}, which is not encrypted.`,
        'Put a proxy with https in front, and set PUBLIC_URL to it.',
      )
}

/** The service itself speaks no https: if buyers use it, a proxy stands in front. */
const proxyFinding = ({ publicUrl, onLoopback, trustProxy }: MachineFacts): Finding => {
  if (trustProxy === 0)
    return publicUrl?.startsWith('https:') === true
      ? wrong(
          'proxy',
          'A proxy stands before the service (PUBLIC_URL is https), but SANAD_TRUST_PROXY is not set: all callers have one address, so one of them can use up the limits of all.',
          'Set SANAD_TRUST_PROXY=yes, or the number of proxies.',
        )
      : ok('proxy', 'No proxy is trusted.')
  const says = `Trusted proxies: ${trustProxy}.`
  // In a container it cannot listen on loopback. Whether others reach the port cannot be seen from here.
  return ok(
    'proxy',
    onLoopback ? says : `${says} Nobody but the proxy may reach the port: who does chooses the address that counts.`,
  )
}

const keyFinding = ({ key }: MachineFacts): Finding => {
  if (key === 'environment') return ok('master_key', 'The master key is in the environment.')
  return key.open
    ? wrong('master_key', `Other users of this machine may read ${key.file}.`, `chmod 600 ${key.file}`)
    : ok('master_key', `The master key is in ${key.file}. No backup contains it: keep a copy elsewhere.`)
}

const mailFinding = ({ mailIsSet, production }: MachineFacts): Finding =>
  mailIsSet
    ? ok('mail', 'Mail is set up.')
    : production
      ? warning(
          'mail',
          'No mail is set up: invitations, notices and new passwords are not sent.',
          'Set SANAD_SMTP_URL and SANAD_MAIL_FROM.',
        )
      : ok('mail', 'No mail is set up.')

const limitsFinding = ({ limitsAreOn, production }: MachineFacts): Finding =>
  limitsAreOn || !production
    ? ok('limits', limitsAreOn ? 'Limits of calls are on.' : 'Limits of calls are off.')
    : warning('limits', 'Limits of calls are off (SANAD_LIMITS).', 'Remove SANAD_LIMITS=off.')

export const diagnoseMachine = (facts: MachineFacts): Finding[] => [
  nodeFinding(facts.nodeVersion),
  memoryFinding(facts.memoryLimit_bytes),
  diskFinding(facts),
  keyFinding(facts),
  publicUrlFinding(facts),
  proxyFinding(facts),
  mailFinding(facts),
  limitsFinding(facts),
]

/** What the database knows. */
export type DatabaseFacts = {
  readonly connections: {
    readonly max: number
    /** Kept free by PostgreSQL for superusers. */
    readonly reserved: number
    /** Open now by others than the nodes of this service. */
    readonly others: number
    /** What one node may open, all its pools together. */
    readonly ofOneNode: number
  }
  readonly nodes: { readonly running: number; readonly wrongClocks: readonly string[] }
  /** The clock of this machine; undefined: it agrees with the database's. */
  readonly wrongClock: string | undefined
  readonly sharesLimits: boolean
  readonly phones: { readonly on: number; readonly silent: number }
  readonly endpoints: { readonly unreachable: number; readonly oldestDelivery_s: number }
  readonly unreadAlerts: number
  readonly twinWallets: number
  /** The last good backup by `sanad backup`; undefined: there is none. */
  readonly backup: { readonly age_ms: number; readonly isOld: boolean; readonly isBroken: boolean } | undefined
}

const backupFinding = ({ backup }: DatabaseFacts): Finding => {
  if (backup === undefined)
    return warning(
      'backup',
      'No backup by sanad backup is recorded.',
      'Make one every night: sanad backup --to DIR --keep 7d,4w,6m. If another program makes them, watch it there.',
    )
  const says = `The last backup is ${Math.floor(backup.age_ms / hour_ms)} hours old.`
  if (backup.isBroken)
    return wrong(
      'backup',
      `${says} It could not be restored as a test.`,
      'Make another one, and run sanad backup verify on it.',
    )
  return backup.isOld
    ? wrong('backup', says, 'Look why the nightly backup does not run; SANAD_BACKUP_MAX_AGE_H says how old it may be.')
    : ok('backup', says)
}

const connectionsFinding = ({ connections, nodes }: DatabaseFacts): Finding => {
  const { max, reserved, others, ofOneNode } = connections
  const running = Math.max(1, nodes.running)
  const free = max - reserved - others
  const says = `${running} ${running === 1 ? 'node' : 'nodes'} may open ${running * ofOneNode} connections; PostgreSQL has ${free} for them (max_connections ${max}).`
  if (running * ofOneNode > free)
    return wrong(
      'connections',
      says,
      `Set max_connections to ${running * ofOneNode + reserved + others + 10} in PostgreSQL, or lower SANAD_DATABASE_CONNECTIONS.`,
    )
  // A rolling restart has one node more for a moment.
  return (running + 1) * ofOneNode > free
    ? warning(
        'connections',
        `${says} One node more, as in a rolling restart, does not fit.`,
        `Set max_connections to ${(running + 1) * ofOneNode + reserved + others + 10} in PostgreSQL.`,
      )
    : ok('connections', says)
}

const clockFinding = ({ wrongClock, nodes }: DatabaseFacts): Finding => {
  const cure = 'Set the clock, and keep it set (systemd-timesyncd, chrony).'
  if (wrongClock !== undefined) return wrong('clock', wrongClock, cure)
  return nodes.wrongClocks.length > 0
    ? wrong('clock', `Nodes with a wrong clock: ${nodes.wrongClocks.join('; ')}.`, cure)
    : ok('clock', "The clocks agree with the database's.")
}

/** A delivery that waits so long was not simply next in the queue. */
const lateDelivery_s = 600

export const diagnoseDatabase = (facts: DatabaseFacts): Finding[] => {
  const { phones, endpoints, nodes } = facts
  return [
    clockFinding(facts),
    connectionsFinding(facts),
    backupFinding(facts),
    nodes.running > 1 && !facts.sharesLimits
      ? warning(
          'redis',
          `${nodes.running} nodes run without REDIS_URL: each counts limits alone.`,
          'Set REDIS_URL to a Redis or Valkey that all nodes reach.',
        )
      : ok('redis', facts.sharesLimits ? 'Limits are counted in Redis.' : 'One node counts the limits.'),
    phones.silent > 0
      ? wrong(
          'phones',
          `${phones.silent} of ${phones.on} phones are silent: payments into their wallets are not seen.`,
          'The dashboard names them (Phones). Look at the phone: power, network, battery settings of the app.',
        )
      : ok('phones', `${phones.on} phones report.`),
    endpoints.unreachable > 0 || endpoints.oldestDelivery_s > lateDelivery_s
      ? wrong(
          'endpoints',
          `${endpoints.unreachable} endpoints are not reached; the oldest webhook waits for ${endpoints.oldestDelivery_s} s.`,
          'The dashboard names them (Webhooks) with the last answer. Their owner must mend them; Sanad goes on trying.',
        )
      : ok('endpoints', 'Webhooks are delivered.'),
    facts.twinWallets > 0
      ? warning('twin_wallets', `${facts.twinWallets} wallets were entered twice.`, 'sanad wallet twins lists them.')
      : ok('twin_wallets', 'No wallet was entered twice.'),
    facts.unreadAlerts > 0
      ? warning(
          'unread_alerts',
          `${facts.unreadAlerts} messages of wallets cannot be read.`,
          'A wallet may have changed its wording: the dashboard makes a template from such a message.',
        )
      : ok('unread_alerts', 'Every message of a wallet is read.'),
  ]
}

/** The whole is as bad as its worst part. */
export const worst = (findings: readonly Finding[]): Level =>
  findings.some(({ level }) => level === 'wrong')
    ? 'wrong'
    : findings.some(({ level }) => level === 'warning')
      ? 'warning'
      : 'ok'
