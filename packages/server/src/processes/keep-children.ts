/**
 * Starts the processes of a machine and keeps them alive: one that ends is started again after a growing pause (child-state.ts). Counts
 * the limits of all of them, gathers their metrics, and replaces them one by one. It sees no request: `node:cluster` listens in this
 * process and hands each connection to a process that listens too, so a process that is not ready, or drains, gets none.
 */
import type { Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../command-error.ts'
import { batchCounter, type CountBatch } from '../http/limits/count-batches.ts'
import type { FigureSet } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import { type ChildEvent, type ChildState, firstState, step } from './child-state.ts'
import { type Duty, type Ending, protocol, type ToChild, type ToParent } from './messages.ts'
import { addEnded, gaugeOf } from './sum-figures.ts'

export type Ports = { readonly port: number | undefined; readonly figuresPort: number | undefined }

export type Children = {
  /** Resolves when every process is ready; rejects with the fault of the first that cannot start. */
  start(): Promise<Ports>
  /** Starts a new process for each, one after the other, and ends the old one when the new one is ready. */
  replaceAll(): Promise<void>
  /** Ends all of them, and waits until they have ended. */
  end(ending: Ending): Promise<void>
  hurry(): void
}

export type ChildrenOptions = {
  readonly fork: () => Worker
  readonly duties: readonly Duty[]
  readonly databaseUrl: string
  readonly machineId: string
  readonly log: Log
  /** Processes that have not ended by then are killed. They limit themselves to less (shutdown.ts). */
  readonly endWithin_ms: number
  /** Somebody asked `/readyz` of a process. */
  readonly onAsked: () => void
  /** Nothing is left that serves, and a process cannot start. */
  readonly onLost: (fault: Error) => void
}

type Place = {
  readonly duty: Duty
  state: ChildState
  current: Child | undefined
  timer: NodeJS.Timeout | undefined
}

type Child = {
  readonly duty: Duty
  readonly worker: Worker
  readonly count: CountBatch
  readonly exited: Promise<void>
  isReady: boolean
  hasExited: boolean
  fault: Error | undefined
  figures: FigureSet
}

type Outcome = { readonly ready: true; readonly ports: Ports } | { readonly ready: false; readonly fault: Error }

const figuresWithin_ms = 1_000

export const keepChildren = ({
  fork,
  duties,
  databaseUrl,
  machineId,
  log,
  endWithin_ms,
  onAsked,
  onLost,
}: ChildrenOptions): Children => {
  const counterOf = batchCounter()
  const all = new Set<Child>()
  const places: Place[] = duties.map((duty) => ({ duty, state: firstState, current: undefined, timer: undefined }))
  const asked = new Map<number, (child: Child) => void>()
  let ended: FigureSet = []
  let restarts = 0
  let lastId = 0
  let stopping = false
  let replacing: Promise<void> | undefined

  const send = (child: Child, message: ToChild): void => {
    // A process that ends at this moment needs no message.
    if (child.worker.isConnected()) child.worker.send(message, () => {})
  }

  const parentFigures = (): FigureSet => [
    gaugeOf('sanad_memory_bytes', 'Resident memory of this process.', [
      { value: process.memoryUsage.rss(), labels: {} },
    ]),
    gaugeOf('sanad_processes', 'Processes of this machine that are ready, by what they do.', [
      ...[...new Set(duties)].map((duty) => ({
        value: places.filter((place) => place.duty === duty && place.current?.isReady === true).length,
        labels: { duty },
      })),
    ]),
    {
      name: 'sanad_process_restarts_total',
      help: 'Processes of this machine that ended by themselves and were started again.',
      type: 'counter',
      aggregator: 'sum',
      values: [{ value: restarts, labels: {} }],
    },
  ]

  const gatherFigures = async (asker: Child, id: number): Promise<void> => {
    const others = [...all].filter((child) => child !== asker && child.isReady)
    const inquiry = ++lastId
    const missing = new Set(others)
    const { promise, resolve } = Promise.withResolvers<void>()
    asked.set(inquiry, (child) => {
      missing.delete(child)
      if (missing.size === 0) resolve()
    })
    for (const child of others) send(child, { to: 'tell figures', id: inquiry })
    // Of one that is late, or has ended meanwhile, the last figures count.
    if (missing.size > 0) await Promise.race([promise, delay(figuresWithin_ms, undefined, { ref: false })])
    asked.delete(inquiry)
    const sets = [...[...all].map(({ figures }) => figures), ended, parentFigures()]
    send(asker, { to: 'figures', id, sets })
  }

  /** Starts a process. `onOutcome` is called once: when it is ready, or has ended before. */
  const startChild = (
    duty: Duty,
    onOutcome: (outcome: Outcome, child: Child) => void,
    onExit: (child: Child) => void,
  ) => {
    const worker = fork()
    const { promise: exited, resolve: markExited } = Promise.withResolvers<void>()
    const child: Child = {
      duty,
      worker,
      count: counterOf(),
      exited,
      isReady: false,
      hasExited: false,
      fault: undefined,
      figures: [],
    }
    all.add(child)
    const pid = worker.process.pid
    worker.on('message', (message: ToParent) => {
      switch (message.is) {
        case 'here':
          return send(child, { to: 'start', protocol, duty, databaseUrl, machineId })
        case 'ready':
          child.isReady = true
          log.info({ process: pid, duty }, 'a process is ready')
          return onOutcome({ ready: true, ports: message }, child)
        case 'faulty':
          child.fault = message.refused ? new CommandError(message.text) : new Error(message.text)
          return
        case 'asked whether ready':
          return onAsked()
        case 'count':
          return send(child, { to: 'counted', waits: child.count(message.batch) })
        case 'figures':
          child.figures = message.set
          if (message.id !== undefined) asked.get(message.id)?.(child)
          return
        case 'ask figures':
          child.figures = message.own
          return void gatherFigures(child, message.id)
      }
    })
    worker.on('error', (fault) => log.warn({ err: fault, process: pid }, 'a process could not be reached'))
    // After its last message was read, which may be later than its exit.
    worker.once('disconnect', () => {
      all.delete(child)
      ended = addEnded(ended, child.figures)
    })
    worker.once('exit', (code, signal) => {
      child.hasExited = true
      const wasReady = child.isReady
      child.isReady = false
      markExited()
      if (!wasReady) {
        const how = signal ?? `code ${code}`
        const fault = child.fault ?? new Error(`A process ended with ${how} before it was ready.`)
        onOutcome({ ready: false, fault }, child)
      }
      onExit(child)
    })
    return child
  }

  const apply = (place: Place, event: ChildEvent): void => {
    const [state, action] = step(place.state, event)
    place.state = state
    if (action === undefined) return
    if ('start' in action) {
      restarts++
      startIn(place, () => {})
    } else place.timer = setTimeout(apply, action.pause_ms, place, { what: 'pause over' })
  }

  const onExit = (place: Place) => (child: Child) => {
    const pid = child.worker.process.pid
    if (place.current !== child) return
    place.current = undefined
    if (stopping) return
    const { exitCode, signalCode } = child.worker.process
    log.warn(
      { process: pid, duty: place.duty, code: exitCode, signal: signalCode },
      'a process ended: another one starts',
    )
    apply(place, { what: 'exited', at: performance.now() })
  }

  const startIn = (place: Place, onOutcome: (outcome: Outcome) => void): void => {
    place.current = startChild(
      place.duty,
      (outcome, child) => {
        // Another process has taken its place.
        if (place.current !== child) return
        if (outcome.ready) apply(place, { what: 'ready', at: performance.now() })
        else if (!stopping && hasStarted) {
          log.error({ err: outcome.fault, duty: place.duty }, 'a process could not start')
          if (places.every(({ current }) => current?.isReady !== true)) onLost(outcome.fault)
        }
        onOutcome(outcome)
      },
      onExit(place),
    )
  }
  let hasStarted = false

  const endChild = async (child: Child, ending: Ending, within_ms = endWithin_ms): Promise<void> => {
    if (child.hasExited) return
    send(child, { to: 'end', ending })
    const killing = setTimeout(() => {
      log.error({ process: child.worker.process.pid }, 'a process did not end: it is killed')
      child.worker.process.kill('SIGKILL')
    }, within_ms)
    await child.exited
    clearTimeout(killing)
  }

  const replace = async (place: Place): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const next = startChild(place.duty, resolve, (child) => onExit(place)(child))
    const outcome = await promise
    if (!outcome.ready) {
      if (!stopping)
        log.error({ err: outcome.fault, duty: place.duty }, 'a new process could not start: the old ones go on')
      return false
    }
    if (stopping) return false
    const old = place.current
    clearTimeout(place.timer)
    place.current = next
    place.state = { is: 'ready', failures: 0, since: performance.now() }
    // Between its readiness and this moment nothing else can have happened, but it may have ended.
    if (next.hasExited) onExit(place)(next)
    if (old !== undefined)
      await endChild(old, { why: 'replaced', patient: true, hurried: false, watched: false, replaced: true })
    return true
  }

  const replaceEach = async (): Promise<void> => {
    log.info({ processes: places.length }, 'the processes are replaced one by one')
    for (const place of places) if (stopping || !(await replace(place))) return
    log.info({}, 'the processes are replaced')
  }

  return {
    async start() {
      const outcomes = await Promise.all(
        places.map(
          (place) =>
            new Promise<Ports>((done, fail) =>
              startIn(place, (outcome) => (outcome.ready ? done(outcome.ports) : fail(outcome.fault))),
            ),
        ),
      )
      hasStarted = true
      return outcomes.find(({ port }) => port !== undefined) ?? outcomes[0]!
    },

    replaceAll() {
      replacing ??= replaceEach().finally(() => {
        replacing = undefined
      })
      return replacing
    },

    async end(ending) {
      stopping = true
      for (const place of places) {
        clearTimeout(place.timer)
        apply(place, { what: 'dismissed' })
      }
      const deadline = performance.now() + endWithin_ms
      const endThose = (duty: Duty): Promise<unknown> =>
        Promise.all(
          [...all]
            .filter((child) => child.duty === duty)
            .map((child) => endChild(child, ending, Math.max(0, deadline - performance.now()))),
        )
      // What the last requests cause is still worked on.
      await endThose('serve')
      await endThose('work')
    },

    hurry() {
      for (const child of all) send(child, { to: 'hurry' })
    },
  }
}
