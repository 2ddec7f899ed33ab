/**
 * What is wrong with an installation, in sentences with the cure. Pure: the facts are read elsewhere. `sanad doctor`, the start and
 * the operator's page all use this one list, so that they never disagree.
 */

import { hour_ms } from '../core/duration.ts'
import { type Finding, found } from './finding.ts'

const megabyte = 1024 * 1024
const megabytes = (bytes: number): number => Math.floor(bytes / megabyte)

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
/** Measured (docs/operators.md, "Several nodes and limits"): with the embedded PostgreSQL a service is killed at 384 MB under load. */
const memoryOf = (embedded: boolean) =>
  embedded
    ? { needed_bytes: 512 * megabyte, good_bytes: 512 * megabyte }
    : { needed_bytes: 256 * megabyte, good_bytes: 384 * megabyte }
const diskNeeded_bytes = 256 * megabyte
const diskGood_bytes = 2048 * megabyte

const nodeFinding = (version: string): Finding => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const isOld = major < oldestNode[0]! || (major === oldestNode[0] && minor < oldestNode[1]!)
  return found(isOld ? 'node_old' : 'node_ok', { version })
}

const memoryFinding = ({ memoryLimit_bytes: limit_bytes, embedded }: MachineFacts): Finding => {
  if (limit_bytes === null) return found('memory_none')
  const { needed_bytes, good_bytes } = memoryOf(embedded)
  const values = {
    limit: megabytes(limit_bytes),
    needed: megabytes(needed_bytes),
    good: megabytes(good_bytes),
  }
  if (limit_bytes < needed_bytes) return found('memory_too_low', values)
  return found(limit_bytes < good_bytes ? 'memory_low' : 'memory_ok', values)
}

const diskFinding = ({ disk, embedded }: MachineFacts): Finding => {
  if (disk === null) return found('disk_unknown')
  const values = { free: megabytes(disk.free_bytes), path: disk.path }
  if (disk.free_bytes < diskNeeded_bytes) return found(embedded ? 'disk_full' : 'disk_full_elsewhere', values)
  return found(embedded && disk.free_bytes < diskGood_bytes ? 'disk_low' : 'disk_ok', values)
}

const publicUrlFinding = ({ publicUrl: url, production }: MachineFacts): Finding => {
  if (url === undefined) return found(production ? 'public_url_missing' : 'public_url_none')
  return found(url.startsWith('https:') ? 'public_url_ok' : 'public_url_plain', { url })
}

/** The service itself speaks no https: if buyers use it, a proxy stands in front. */
const proxyFinding = ({ publicUrl, onLoopback, trustProxy: proxies }: MachineFacts): Finding => {
  if (proxies === 0) return found(publicUrl?.startsWith('https:') === true ? 'proxy_untrusted' : 'proxy_none')
  // In a container it cannot listen on loopback. Whether others reach the port cannot be seen from here.
  return found(onLoopback ? 'proxy_trusted' : 'proxy_trusted_open', { proxies })
}

const keyFinding = ({ key }: MachineFacts): Finding =>
  key === 'environment'
    ? found('master_key_environment')
    : found(key.open ? 'master_key_open' : 'master_key_file', { file: key.file })

const mailFinding = ({ mailIsSet, production }: MachineFacts): Finding =>
  found(mailIsSet ? 'mail_ok' : production ? 'mail_missing' : 'mail_none')

const limitsFinding = ({ limitsAreOn, production }: MachineFacts): Finding =>
  found(limitsAreOn ? 'limits_on' : production ? 'limits_off' : 'limits_off_here')

export const diagnoseMachine = (facts: MachineFacts): Finding[] => [
  nodeFinding(facts.nodeVersion),
  memoryFinding(facts),
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
  /** `wrongClocks`: such as `host -7200 s`: two hours behind the database. */
  readonly nodes: {
    /** Processes: a machine may have several. */
    readonly running: number
    /** Processes of one machine with one parent count limits together. */
    readonly machines: number
    /** The processes that this machine has, or will have, by its settings. */
    readonly ofThisMachine: number
    readonly wrongClocks: readonly string[]
  }
  /** How far the clock of this machine is ahead of the database's; undefined: they agree. */
  readonly wrongClock_ms: number | undefined
  readonly sharesLimits: boolean
  readonly phones: { readonly on: number; readonly silent: number }
  readonly endpoints: { readonly unreachable: number; readonly oldestDelivery_s: number }
  readonly unreadAlerts: number
  readonly twinWallets: number
  readonly frozenAccounts: number
  /** Accounts that are used in another cell, to which this one forwards. */
  readonly movedAccounts: number
  /** The last good backup by `sanad backup`; undefined: there is none. */
  readonly backup: { readonly age_ms: number; readonly isOld: boolean; readonly isBroken: boolean } | undefined
}

const backupFinding = ({ backup }: DatabaseFacts): Finding => {
  if (backup === undefined) return found('backup_none')
  const hours = Math.floor(backup.age_ms / hour_ms)
  return found(backup.isBroken ? 'backup_broken' : backup.isOld ? 'backup_old' : 'backup_ok', { hours })
}

/** Connections for what PostgreSQL's programs and people open beside the service. */
const spareConnections = 10

const connectionsFinding = ({ connections, nodes: { running, ofThisMachine } }: DatabaseFacts): Finding => {
  const { max, reserved, others, ofOneNode } = connections
  const nodes = Math.max(ofThisMachine, running)
  const free = max - reserved - others
  const values = (needed: number) => ({
    ...{ nodes, max, free, may_open: nodes * ofOneNode },
    advised: needed * ofOneNode + reserved + others + spareConnections,
  })
  if (nodes * ofOneNode > free) return found('connections_too_few', values(nodes))
  // A rolling restart has one node more for a moment.
  return (nodes + 1) * ofOneNode > free
    ? found('connections_tight', values(nodes + 1))
    : found('connections_ok', values(nodes))
}

const clockFinding = ({ wrongClock_ms }: DatabaseFacts): Finding =>
  wrongClock_ms === undefined
    ? found('clock_ok')
    : found(wrongClock_ms > 0 ? 'clock_ahead' : 'clock_behind', { seconds: Math.round(Math.abs(wrongClock_ms) / 1000) })

/** Nodes with a wrong clock that are named. */
const mostNamed = 5
/** A delivery that waits so long was not simply next in the queue. */
const lateDelivery_s = 600

export const diagnoseDatabase = (facts: DatabaseFacts): Finding[] => {
  const { phones, endpoints, nodes, sharesLimits, twinWallets: wallets, unreadAlerts: messages } = facts
  const { frozenAccounts: accounts, movedAccounts: moved } = facts
  const { unreachable, oldestDelivery_s: seconds } = endpoints
  return [
    clockFinding(facts),
    found(nodes.wrongClocks.length > 0 ? 'node_clocks_wrong' : 'node_clocks_ok', {
      hosts: [
        ...nodes.wrongClocks.slice(0, mostNamed),
        ...(nodes.wrongClocks.length > mostNamed ? [`+${nodes.wrongClocks.length - mostNamed}`] : []),
      ].join(', '),
    }),
    connectionsFinding(facts),
    backupFinding(facts),
    sharesLimits
      ? found('redis_ok')
      : nodes.machines > 1
        ? found('redis_missing', { nodes: nodes.machines })
        : found(nodes.ofThisMachine > 1 ? 'redis_parent' : 'redis_single'),
    found(phones.silent > 0 ? 'phones_silent' : 'phones_ok', phones),
    found(unreachable > 0 ? 'endpoints_unreached' : 'endpoints_ok', { endpoints: unreachable }),
    found(seconds > lateDelivery_s ? 'webhooks_late' : 'webhooks_ok', { seconds }),
    found(accounts > 0 ? 'frozen_some' : 'frozen_none', { accounts }),
    found(moved > 0 ? 'forwarding_some' : 'forwarding_none', { accounts: moved }),
    found(wallets > 0 ? 'twin_wallets_some' : 'twin_wallets_none', { wallets }),
    found(messages > 0 ? 'unread_alerts_some' : 'unread_alerts_none', { messages }),
  ]
}
