/**
 * One round of the agent's work: read the inbox and the notifications, send the queue, send a heartbeat. Only one
 * process of the agent does it at a time. A part that fails is noted for `status` and the heartbeat, and the other parts
 * go on.
 */
import { join } from 'node:path'
import { nativeClient } from '../native-client.ts'
import { patient } from '../post.ts'
import type { Environment } from './environment.ts'
import { phoneHealth } from './phone/phone-health.ts'
import type { PhonePrograms } from './phone/phone-programs.ts'
import { InboxChanged } from './phone/read-inbox.ts'
import { TermuxFault } from './phone/run-program.ts'
import { newBackoff, type SendOutcome, sendAll } from './send-reports.ts'
import { type AgentStore, isDamaged, openStore } from './store/agent-store.ts'
import { type Identity, readIdentity, storePath } from './store/identity-file.ts'
import { waitForLock } from './store/process-lock.ts'
import { hasBegun, isWholeReadingDue, sweepInbox } from './sweep-inbox.ts'
import { sweepNotifications } from './sweep-notifications.ts'
import type { AgentClock } from './system-clock.ts'

export type CycleOutcome = {
  readonly sending: SendOutcome | 'not paired' | 'busy'
  /** How many reports wait in the queue. */
  readonly unsent: number
  /** When sending is tried again, if it failed. */
  readonly retry_at: number | undefined
}

export type AgentDeps = {
  readonly environment: Environment
  readonly clock: AgentClock
  readonly phone: PhonePrograms
  /** A line for the log. It never contains a message or a secret. */
  readonly log: (line: string) => void
  readonly random: () => number
}

export const workLock = (folder: string): string => join(folder, 'work.lock')

const requestTimeout_ms = 60_000

export const agentCycle = (deps: AgentDeps) => {
  const { environment, clock, phone, log } = deps
  const health = phoneHealth(phone, clock.now)
  let beatAt = Number.NEGATIVE_INFINITY
  const backoff = newBackoff()
  let lastSecret = ''

  const sweep = async (store: AgentStore, identity: Identity, whole: boolean): Promise<void> => {
    const zone = await phone.timeZone()
    const now = clock.now()
    const options = { zone, now, historyFrom: identity.history_from, whole }
    await recordProblem(store, 'sms', () => sweepInbox(store, phone.inbox, options))
    await recordProblem(store, 'notifications', () => sweepNotifications(store, phone.notifications, options))
  }

  /** Stores how this part of the phone failed, or that it works again. A fault of the store itself is thrown on. */
  const recordProblem = async (
    store: AgentStore,
    name: 'sms' | 'notifications',
    work: () => Promise<void>,
  ): Promise<void> => {
    const before = store.state(`problem_${name}`)
    let problem: string | null = null
    try {
      await work()
    } catch (fault) {
      if (fault instanceof TermuxFault) problem = fault.kind
      else if (fault instanceof InboxChanged) problem = 'changing'
      else throw fault
      if (before !== problem) log(`${name}: ${fault.message}`)
    }
    if ((before ?? null) !== problem) store.setState({ [`problem_${name}`]: problem })
  }

  const send = (store: AgentStore, identity: Identity, isStopped: () => boolean): Promise<SendOutcome> => {
    const client = nativeClient({
      origin: identity.origin,
      key: { deviceId: identity.device_id, secret: identity.secret },
      now: clock.now,
      patience: { ...patient, tries: 1, timeout_ms: requestTimeout_ms },
      ahead_ms: store.number('ahead_ms') ?? 0,
      onSkew: (ahead_ms) => {
        log(`The phone's clock differs from the service's by ${Math.round(ahead_ms / 1000)} s.`)
        store.setState({ ahead_ms: String(ahead_ms) })
      },
    })
    return sendAll(store, client, {
      health: () => health(store),
      now: clock.now,
      random: deps.random,
      backoff,
      isStopped,
      beatAt,
      onBeat: (at) => {
        beatAt = at
      },
    })
  }

  const work = async (
    identity: Identity,
    { whole = false, sweeps = true, isStopped = () => false }: CycleOptions,
  ): Promise<CycleOutcome> => {
    const store = openStore(storePath(environment.folder, identity), { now: clock.now() })
    try {
      if (store.state('config') === undefined) store.setState({ config: JSON.stringify(identity.config) })
      // New messages first: a reading of the whole inbox must not delay them.
      if (sweeps && hasBegun(store)) await sweep(store, identity, false)
      let sending: SendOutcome = hasBegun(store) ? await send(store, identity, isStopped) : 'waiting'
      // If a wallet was bound, the heartbeat has brought its sender, whose messages may be in the inbox already.
      if (sweeps && !isStopped() && (whole || isWholeReadingDue(store, clock.now()))) {
        await sweep(store, identity, true)
        const again = await send(store, identity, isStopped)
        if (again !== 'waiting') sending = again
      }
      return { sending, unsent: store.depth(), retry_at: backoff.retry_at }
    } finally {
      store.close()
    }
  }

  /** After a new pairing, no delay of the earlier one applies. */
  const resetIfPairedAgain = ({ secret }: Identity): void => {
    if (secret === lastSecret) return
    lastSecret = secret
    Object.assign(backoff, newBackoff())
    beatAt = Number.NEGATIVE_INFINITY
  }

  return async (options: CycleOptions = {}): Promise<CycleOutcome> => {
    const notPaired = { sending: 'not paired', unsent: 0, retry_at: undefined } as const
    if (readIdentity(environment.folder) === undefined) return notPaired
    const lock = await waitForLock(workLock(environment.folder), options.wait_ms ?? 0, (ms) => clock.wait(ms))
    if (lock === undefined) return { sending: 'busy', unsent: 0, retry_at: undefined }
    try {
      // Read again under the lock, because `setup` holds it while it changes the identity.
      const identity = readIdentity(environment.folder)
      if (identity === undefined) return notPaired
      resetIfPairedAgain(identity)
      try {
        return await work(identity, options)
      } catch (fault) {
        // The file was damaged while it was open: the next call of openStore puts it aside.
        if (!isDamaged(fault)) throw fault
        log('The queue file is damaged. A new one is begun and the inbox is read again.')
        return await work(identity, options)
      }
    } finally {
      lock.release()
    }
  }
}

export type CycleOptions = {
  /** Read the inbox to its end. */
  readonly whole?: boolean
  /** False: only send. */
  readonly sweeps?: boolean
  readonly isStopped?: () => boolean
  /** How long to wait while another process works. */
  readonly wait_ms?: number
}
