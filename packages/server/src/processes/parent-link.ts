/**
 * The side of a process that has a parent (run-machine.ts): what it is to do, and what it tells and asks. If the parent ends, also by
 * `kill -9`, the channel between them breaks, and `node:cluster` ends this process at once.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../command-error.ts'
import type { Config } from '../config.ts'
import { parentLimits } from '../http/limits/parent-limits.ts'
import type { Limits } from '../http/limits/rule.ts'
import type { FigureSet, Metrics } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import { openShutdown, type Shutdown } from '../shutdown.ts'
import { type Duty, type Ending, protocol, type ToChild, type ToParent } from './messages.ts'

/** What the parts of the service have of the other processes of this machine. */
export type Machine = {
  /** Counted by the parent, for all processes. */
  readonly limits: Limits
  /** Shares the metrics of this process. Returns the function that reads those of all processes as one. */
  shareFigures(metrics: Pick<Metrics, 'own' | 'textOf'>): () => Promise<string>
}

export type ParentLink = Machine & {
  readonly duty: Duty
  readonly databaseUrl: string
  readonly machineId: string
  ready(ports: { readonly port: number | undefined; readonly figuresPort: number | undefined }): Promise<void>
  /** This process cannot start. */
  faulty(fault: Error): Promise<void>
  askedWhetherReady(): void
  /** Called once, when the parent wants this process to end; and `hurry`, when it shall not wait any longer. */
  onEnd(end: (ending: Ending) => void, hurry: () => void): void
  /** What this process has counted, for those that read the metrics later. */
  leave(): Promise<void>
}

const figuresWithin_ms = 1_500
/** The parent forgets after 15 seconds that somebody asked (shutdown.ts). */
const askedEvery_ms = 1_000

/** How long a process that gets SIGTERM waits for the word of its parent. */
const parentFirst_ms = 300

const tell = (message: ToParent): Promise<void> =>
  new Promise((done) => {
    // Without a channel the parent has ended, and this process is about to.
    if (process.send === undefined || !process.connected) return done()
    process.send(message, undefined, undefined, () => done())
  })

/** Waits for what the parent says first. */
export const openParentLink = async (): Promise<ParentLink> => {
  if (process.send === undefined) throw new CommandError('This process is started by "sanad start" only.')
  const { promise: started, resolve: start } = Promise.withResolvers<Extract<ToChild, { to: 'start' }>>()
  const { promise: ended, resolve: end } = Promise.withResolvers<Ending>()
  const { promise: hurried, resolve: hurry } = Promise.withResolvers<void>()
  const limits = parentLimits({ send: (batch) => void tell({ is: 'count', batch }) })
  const asked = new Map<number, (sets: readonly FigureSet[]) => void>()
  let own: () => Promise<FigureSet> = async () => []
  let askedAt = Number.NEGATIVE_INFINITY
  let lastId = 0

  process.on('message', (message: ToChild) => {
    switch (message.to) {
      case 'start':
        return start(message)
      case 'end':
        return end(message.ending)
      case 'hurry':
        return hurry()
      case 'counted':
        return limits.answered(message.waits)
      case 'tell figures':
        return void own().then((set) => tell({ is: 'figures', id: message.id, set }))
      case 'figures':
        asked.get(message.id)?.(message.sets)
        asked.delete(message.id)
    }
  })
  // A terminal sends its signals to every process: what they mean is decided by the parent.
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const)
    if (signal !== 'SIGUSR2' || process.platform !== 'win32') process.on(signal, () => {})

  const askFigures = async (set: FigureSet): Promise<readonly FigureSet[]> => {
    const id = ++lastId
    const { promise, resolve } = Promise.withResolvers<readonly FigureSet[]>()
    asked.set(id, resolve)
    void tell({ is: 'ask figures', id, own: set })
    const sets = await Promise.race([promise, delay(figuresWithin_ms, undefined, { ref: false })])
    asked.delete(id)
    // A sum without the other processes would be smaller than the one before.
    if (sets === undefined) throw new Error('The parent did not tell the metrics of the other processes.')
    return sets
  }

  await tell({ is: 'here' })
  const { duty, databaseUrl, machineId, protocol: spoken } = await started
  if (spoken !== protocol)
    throw new CommandError(
      'This version cannot take over the processes of the running one: restart the service (systemctl restart sanad).',
    )
  return {
    duty,
    databaseUrl,
    machineId,
    limits,
    shareFigures(metrics) {
      own = () => metrics.own()
      return async () => metrics.textOf(await askFigures(await metrics.own()))
    },
    ready: (ports) => tell({ is: 'ready', ...ports }),
    faulty: (fault) => {
      const refused = fault instanceof CommandError
      return tell({ is: 'faulty', text: refused ? fault.message : (fault.stack ?? fault.message), refused })
    },
    askedWhetherReady() {
      const now = performance.now()
      if (now - askedAt < askedEvery_ms) return
      askedAt = now
      void tell({ is: 'asked whether ready' })
    },
    onEnd(endNow, hurryNow) {
      void ended.then(endNow)
      void hurried.then(hurryNow)
    },
    leave: async () => tell({ is: 'figures', id: undefined, set: await own() }),
  }
}

/** A process that ends when its parent says so. SIGTERM to itself drains it too: the parent then starts another one. */
export const endWithParent = (config: Config, log: Log, link: ParentLink): Shutdown => {
  const shutdown = openShutdown(config, log, { atOnce: true })
  shutdown.opened('the link to the parent', link.leave)
  link.onEnd(
    ({ why, patient, hurried, watched, replaced }) => {
      if (hurried) shutdown.hurry()
      if (watched) shutdown.markReadinessAsked()
      if (replaced) shutdown.markReplaced()
      void shutdown.end(why, 0, patient)
    },
    () => shutdown.hurry(),
  )
  process.on('SIGTERM', () => {
    // A supervisor may send it to every process: then the parent's word comes too, and counts.
    setTimeout(() => {
      if (!shutdown.ending) shutdown.markReplaced()
      void shutdown.end('SIGTERM', 0, true)
    }, parentFirst_ms)
  })
  return shutdown
}
