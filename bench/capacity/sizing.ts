/** What an installation needs for its shops and payments, from the costs of calls. Pure. */
import { connectionsOfMachine } from '../../packages/server/src/open-store.ts'
import { type Call, type CallCost, type Costs, calls } from './costs.ts'
import { adenDay, ratesOf } from './curve.ts'
import { type Station, serversFor, utilisation, waitWithin } from './queueing.ts'

/** `payments`: verified ones a day. */
export type Load = { readonly shops: number; readonly payments: number }

/** How often each call is made. An assumption. */
export const habits = {
  /** For each verified payment. More intents are created than paid. */
  perPayment: { create: 1.4, reference: 1, alert: 1, retrieve: 3, page: 2 },
  /** For each shop and day, spread as payments are. */
  perShop: { list: 50, dashboard_list: 100 },
  /** A shop's phone says that it is there every minute of the day and night. */
  heartbeatsPerShop: 1_440,
} as const

/** What the busiest minute may use: the rest is for a failed core, a backup, an import. */
export const bounds = { utilisation: 0.6, p99_s: 0.05 } as const

/** Days for which an installation keeps what is erased after a time. */
export type Kept = { readonly texts: number; readonly api_calls: number }

/** An intent that was never paid is stored as a paid one is, without alert, event and delivery: at most so much of its bytes. */
const unpaidShare = 0.5
/** PostgreSQL makes a checkpoint every five minutes. */
const checkpoints = { perHour: 12, perDay: 288 } as const
/** Entries of the log of API calls that an account may write: ten a minute, a thousand at once. */
const loggedPerShop = 14_400 + 1_000
/** The parent of several processes, and one open page of a buyer, in MB: measured by other programs (docs/operators.md). */
const parent_mb = 160
const openPage_mb = 0.036
/** How long a buyer's page is open, in seconds. */
const pageOpen_s = 180

/** How often each call is made on a day, and how many of them follow the curve of the day. */
export const callsOfDay = ({ shops, payments }: Load): Readonly<Record<Call, number>> => ({
  create: payments * habits.perPayment.create,
  reference: payments * habits.perPayment.reference,
  alert: payments * habits.perPayment.alert,
  retrieve: payments * habits.perPayment.retrieve,
  page: payments * habits.perPayment.page,
  list: shops * habits.perShop.list,
  dashboard_list: shops * habits.perShop.dashboard_list,
  heartbeat: shops * habits.heartbeatsPerShop,
})

/** Calls a second at a moment in which the day's curve is `factor` times its mean: heartbeats do not follow it. */
const rateAt = (load: Load, factor: number): Readonly<Record<Call, number>> => {
  const day = callsOfDay(load)
  return Object.fromEntries(
    calls.map((call) => [call, (day[call] / 86_400) * (call === 'heartbeat' ? 1 : factor)]),
  ) as Record<Call, number>
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const costOf = (costs: Costs, call: Call): CallCost => {
  const { node_us, postgres_us } = costs.calls[call]
  return { node_us, postgres_us: postgres_us + (call === 'alert' ? costs.vacuum_us : 0) }
}

export type Moment = {
  /** Calls a second. */
  readonly rate: number
  /** Processors that are busy with calls. */
  readonly node: number
  readonly postgres: number
}

/** `factor`: how many times the mean of the day. */
export const momentOf = (costs: Costs, load: Load, factor: number): Moment => {
  const rates = rateAt(load, factor)
  const busy = (of: keyof CallCost): number => sum(calls.map((call) => rates[call] * costOf(costs, call)[of])) / 1e6
  return {
    rate: sum(Object.values(rates)),
    node: busy('node_us'),
    postgres: busy('postgres_us'),
  }
}

/** The average call of this moment in a tier with so many processors. What is used when nothing happens is missing for calls. */
const stationOf = (costs: Costs, moment: Moment, of: 'node' | 'postgres', servers: number): Station => ({
  servers,
  service_s: moment.rate === 0 ? 0 : moment[of] / moment.rate / (1 - costs.idle[of] / servers),
})

export type Cores = { readonly node: number; readonly postgres: number }

export type Wait = {
  readonly hour: number
  readonly rate: number
  readonly utilisation: Cores
  /** The wait for Node and then for PostgreSQL, in seconds: the sum of both percentiles, which is above the percentile of the sum. */
  readonly p50_s: number
  readonly p99_s: number
  /** Calls a second that come and are not answered. */
  readonly excess: number
}

const waitAt = (costs: Costs, load: Load, cores: Cores, hour: number, factor: number): Wait => {
  const moment = momentOf(costs, load, factor)
  const stations = [
    stationOf(costs, moment, 'node', cores.node),
    stationOf(costs, moment, 'postgres', cores.postgres),
  ] as const
  const [node, postgres] = stations.map((station) => utilisation(moment.rate, station)) as [number, number]
  const most = Math.max(node, postgres)
  return {
    hour,
    rate: moment.rate,
    utilisation: { node, postgres },
    p50_s: sum(stations.map((station) => waitWithin(0.5, moment.rate, station))),
    p99_s: sum(stations.map((station) => waitWithin(0.99, moment.rate, station))),
    excess: most > 1 ? moment.rate * (1 - 1 / most) : 0,
  }
}

export type Day = { readonly hours: readonly Wait[]; readonly busiest: Wait }

/** A day on so many cores: every hour at its mean, and the busiest minute of the busiest hour. */
export const simulateDay = (costs: Costs, load: Load, cores: Cores): Day => {
  const rates = ratesOf(86_400, adenDay)
  const hours = rates.map(({ hour, mean }) => waitAt(costs, load, cores, hour, mean))
  const peak = rates.reduce((most, one) => (one.busiest > most.busiest ? one : most))
  return { hours, busiest: waitAt(costs, load, cores, peak.hour, peak.busiest) }
}

export const coresFor = (costs: Costs, load: Load): Cores => {
  const most = Math.max(...ratesOf(86_400).map(({ busiest }) => busiest))
  const moment = momentOf(costs, load, most)
  // Both tiers share the bound of the wait.
  const each = { utilisation: bounds.utilisation, p99_s: bounds.p99_s / 2 }
  const fewest = (of: 'node' | 'postgres'): number =>
    serversFor(moment.rate, (servers) => stationOf(costs, moment, of, servers), each)
  return { node: fewest('node'), postgres: fewest('postgres') }
}

/** The payments of a day, with as many shops for each as in `load`, at which the busiest minute uses all of a tier. */
export const breaksAt = (costs: Costs, load: Load, cores: Cores): number => {
  const fits = (times: number): boolean => {
    const { utilisation } = simulateDay(costs, loadTimes(load, times), cores).busiest
    return utilisation.node < 1 && utilisation.postgres < 1
  }
  let [low, high] = [0, 1]
  while (fits(high)) [low, high] = [high, high * 2]
  while (high - low > high / 1_000) {
    const middle = (low + high) / 2
    if (fits(middle)) low = middle
    else high = middle
  }
  return load.payments * low
}

export const loadTimes = ({ shops, payments }: Load, times: number): Load => ({
  shops: shops * times,
  payments: payments * times,
})

/** WAL of so many payments between two checkpoints, between and beyond the measured points on a straight line. */
export const walBytes = (points: Costs['wal'], payments: number): number => {
  if (payments <= 0) return 0
  const known: readonly (readonly [number, number])[] = [[0, 0], ...points]
  const after = known.findIndex(([count]) => count >= payments)
  const to = after < 0 ? known.length - 1 : Math.max(1, after)
  const [[fromCount, fromBytes], [toCount, toBytes]] = [known[to - 1]!, known[to]!]
  return fromBytes + ((payments - fromCount) / (toCount - fromCount)) * (toBytes - fromBytes)
}

export const walOfDay = (costs: Costs, { payments }: Load): number =>
  sum(
    ratesOf(payments).map(({ mean }) => checkpoints.perHour * walBytes(costs.wal, (mean * 3600) / checkpoints.perHour)),
  )

export type Disk = {
  /** Bytes: what a year adds for good, and what is kept for a time, when it is full. */
  readonly year: number
  readonly texts: number
  readonly webhooks: number
  readonly apiCalls: number
  readonly keys: number
}

/** What is on disk after a year. */
export const diskOf = (costs: Costs, load: Load, kept: Kept): Disk => {
  const { payments, shops } = load
  const day = callsOfDay(load)
  const rows = payments * (1 + (habits.perPayment.create - 1) * unpaidShare)
  const logged = Math.min(day.create + day.reference + day.retrieve + day.list, shops * loggedPerShop)
  return {
    year: 365 * rows * (costs.disk.forever - costs.disk.texts),
    texts: Math.min(365, kept.texts) * payments * costs.disk.texts,
    webhooks: payments * (30 * costs.disk.attempts + 90 * costs.disk.ends),
    apiCalls: kept.api_calls * logged * costs.api_call,
    keys: day.create * costs.disk.keys,
  }
}

export const totalOf = ({ year, texts, webhooks, apiCalls, keys }: Disk): number =>
  year + texts + webhooks + apiCalls + keys

export type Needs = {
  readonly cores: Cores
  /** MB of Sanad's processes and of PostgreSQL, without the cache of files that PostgreSQL's machine should have besides. */
  readonly memory: Cores
  readonly connections: number
}

export const needsOf = (costs: Costs, load: Load): Needs => {
  const cores = coresFor(costs, load)
  const connections = connectionsOfMachine({ databaseConnections: 10, processes: cores.node, role: 'all' })
  const processes = cores.node === 1 ? 1 : cores.node + 1
  const most = Math.max(...ratesOf(load.payments * habits.perPayment.page).map(({ busiest }) => busiest))
  return {
    cores,
    memory: {
      node:
        processes * costs.memory.node + (processes > 1 ? parent_mb : 0) + Math.ceil(most * pageOpen_s) * openPage_mb,
      postgres: costs.memory.postgres + connections * costs.memory.connection,
    },
    connections,
  }
}
