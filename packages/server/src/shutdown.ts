/**
 * Stops the process: on a signal it drains, closes what was opened, in reverse order, and ends. Load balancers get the time to
 * send requests to other nodes. A stop that takes too long is cut off.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

/** The longest time for the whole stop, including the delay below. A delay that the operator has set is added. */
const drainMost_ms = 25_000
/** How long connections are still accepted after `/readyz` answers "not ready": with a load balancer that asks it, and without. */
const watchedDelay_ms = 7_000
const unwatchedDelay_ms = 1_000
/** A request to `/readyz` within this time means that a load balancer watches it. */
const watching_ms = 15_000
/** How long a kept connection may stay idle while the node stops. */
const idleMost_ms = 3_000

export type Shutdown = {
  /** Adds something that must be closed at the end. */
  opened(name: string, close: () => Promise<unknown>): void
  /** Closes everything that was opened. */
  closeAll(): Promise<void>
  /** `patient`: load balancers get the time to send requests to other nodes. */
  end(why: string, exitCode: number, patient?: boolean): Promise<void>
  /** The process is ending. */
  readonly ending: boolean
  /** How long idle connections stay open while the node stops; decided before anything is closed. */
  readonly idle_ms: number
  /** The node accepts requests from now on. */
  markListening(): void
  /** `/readyz` was requested. */
  markReadinessAsked(): void
  /** `/readyz` was requested a short while ago. */
  readonly isWatched: boolean
  /** Another process has taken the place of this one: nobody has to notice, so the machine stays ready. */
  markReplaced(): void
  readonly isReplaced: boolean
  /** From now on nothing is waited for that can be left out. */
  hurry(): void
  /** How the process ends; undefined: it does not. */
  readonly manner: Manner | undefined
}

export type Manner = { readonly why: string; readonly patient: boolean; readonly hurried: boolean }

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Handles signals from now on. `onSignal` is called for each, before it is handled. */
export const shutdownOnSignals = (
  config: Config,
  log: Log,
  onSignal: (signal: Signal) => void = () => {},
  more_ms = 0,
): Shutdown => {
  const shutdown = openShutdown(config, log, { more_ms })
  let signals = 0
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // npm and the terminal may both pass on one Ctrl-C, so only more than three signals end the process at once.
      if (++signals > 3) process.exit(130)
      if (signal === 'SIGINT') shutdown.hurry()
      onSignal(signal)
      void shutdown.end(signal, 0, signal === 'SIGTERM')
    })
  return shutdown
}

/** Without signals. `more_ms`: time beside that of a single process. `atOnce`: the process exits when everything is closed. */
export const openShutdown = (
  config: Config,
  log: Log,
  { more_ms = 0, atOnce = false }: { readonly more_ms?: number; readonly atOnce?: boolean } = {},
): Shutdown => {
  const steps: { readonly name: string; readonly close: () => Promise<unknown> }[] = []
  let ending = false
  let listening = false
  let idle_ms = 0
  let hurried = false
  let replaced = false
  let manner: Omit<Manner, 'hurried'> | undefined
  let readinessAskedAt = Number.NEGATIVE_INFINITY
  const isWatched = (at: number): boolean => readinessAskedAt > at - watching_ms

  const closeAll = async (): Promise<void> => {
    for (const { name, close } of steps.splice(0).reverse())
      await close().catch((fault) => log.error({ err: fault }, `could not close: ${name}`))
  }

  /** Gives a load balancer the time to see that this node is no longer ready. */
  const drainDelay = async (): Promise<void> => {
    const began = performance.now()
    for (;;) {
      const delay_ms = config.drainDelay_ms ?? (isWatched(began) ? watchedDelay_ms : unwatchedDelay_ms)
      if (hurried || replaced || performance.now() - began >= delay_ms) return
      await delay(50)
    }
  }

  const end = async (why: string, exitCode: number, patient = false): Promise<void> => {
    if (ending) return
    ending = true
    manner = { why, patient }
    log.info({ why }, 'draining')
    const late = setTimeout(
      () => {
        log.error({}, 'draining took too long: ending at once')
        process.exit(1)
      },
      drainMost_ms + (config.drainDelay_ms ?? 0) + more_ms,
    )
    if (patient && listening) await drainDelay()
    idle_ms = patient && !hurried ? idleMost_ms : 0
    await closeAll()
    clearTimeout(late)
    log.info({}, 'stopped')
    log.flush()
    process.exitCode = exitCode
    if (atOnce) process.exit(exitCode)
    // Nothing should be left to wait for; a socket that is still open does not delay the end.
    setTimeout(() => process.exit(exitCode), 500).unref()
  }

  return {
    opened(name, close) {
      steps.push({ name, close })
    },
    closeAll,
    end,
    get ending() {
      return ending
    },
    get idle_ms() {
      return idle_ms
    },
    markListening() {
      listening = true
    },
    markReadinessAsked() {
      readinessAskedAt = performance.now()
    },
    get isWatched() {
      return isWatched(performance.now())
    },
    markReplaced() {
      replaced = true
    },
    get isReplaced() {
      return replaced
    },
    hurry() {
      hurried = true
    },
    get manner() {
      return manner && { ...manner, hurried }
    },
  }
}
