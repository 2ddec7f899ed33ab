/** The commands of the agent: each prints sentences and returns the exit code. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { PhoneFault } from '../post.ts'
import { agentLog } from './agent-log.ts'
import { runLoop } from './agent-loop.ts'
import { readStatus } from './agent-status.ts'
import { type AgentDeps, agentCycle, workLock } from './cycle.ts'
import type { Environment } from './environment.ts'
import { type AgentCommand, removeScripts, scheduleJob, takeWakeLock, writeScripts } from './keep-alive.ts'
import { pairAgent } from './pair-agent.ts'
import { readPairing } from './pairing-link.ts'
import { phonePrograms } from './phone/phone-programs.ts'
import { runProgram, TermuxFault } from './phone/run-program.ts'
import { testReport } from './send-reports.ts'
import { openStore } from './store/agent-store.ts'
import { readIdentity, removeIdentity, storePath } from './store/identity-file.ts'
import { waitForLock } from './store/process-lock.ts'
import { systemClock } from './system-clock.ts'
import { wordsIn } from './words.ts'

export type Say = (line: string) => void

export type CommandOptions = {
  /** The link or the code, for `setup`. */
  readonly link: string | undefined
  readonly every_s: number
  /** False: `setup` does not start the agent. */
  readonly starts: boolean
  /** `unpair` also deletes unsent messages. */
  readonly discards: boolean
}

const clock = systemClock
const lockWait_ms = 45_000

const depsOf = (environment: Environment, echo?: Say): AgentDeps => ({
  environment,
  clock,
  phone: phonePrograms(runProgram, environment.timeZone),
  log: agentLog(environment.folder, clock.now, echo),
  random: Math.random,
})

/** The address from which the agent was installed. */
const installedFrom = (folder: string): string | undefined => {
  try {
    return readFileSync(join(folder, 'origin'), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

const askForLink = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(`${question}\n`)
  } finally {
    terminal.close()
  }
}

export const setup = async (
  environment: Environment,
  command: AgentCommand,
  say: Say,
  options: CommandOptions,
): Promise<number> => {
  const words = wordsIn(environment.language)
  const { phone } = depsOf(environment)
  const pasted = options.link ?? (await askForLink(words.pasteLink))
  const target = readPairing(pasted, installedFrom(environment.folder))
  if (typeof target === 'string') {
    say(words.pairing[target])
    return 1
  }
  mkdirSync(environment.folder, { recursive: true, mode: 0o700 })
  const lock = await waitForLock(workLock(environment.folder), lockWait_ms, clock.wait)
  try {
    const identity = await pairAgent(environment.folder, target, phone, clock.now(), pasted)
    say(words.paired(identity.origin))
  } catch (fault) {
    if (!(fault instanceof PhoneFault)) throw fault
    say(words.pairingFailed(fault.message))
    return 1
  } finally {
    lock?.release()
  }
  const checkAccess = async (work: () => Promise<unknown>, works: string, fails: Readonly<Record<string, string>>) => {
    try {
      await work()
      say(works)
    } catch (fault) {
      say((fault instanceof TermuxFault ? fails[fault.kind] : undefined) ?? words.failed((fault as Error).message))
    }
  }
  await checkAccess(() => phone.inbox(1, 0), words.smsWorks, words.smsFails)
  await checkAccess(() => phone.notifications(), words.notificationsWork, words.notificationsFail)
  writeScripts(environment, command)
  say(words.bootWritten)
  await scheduleJob(runProgram, environment).then(
    () => say(words.jobScheduled),
    () => say(words.jobFailed),
  )
  await takeWakeLock(runProgram).catch(() => say(words.wakeLockFailed))
  if (options.starts) {
    const args = ['--disable-warning=ExperimentalWarning', command.script, 'run']
    spawn(command.node, args, { detached: true, stdio: 'ignore' }).unref()
    say(words.started)
  }
  for (const line of words.remaining) say(line)
  return 0
}

export const run = async (environment: Environment, say: Say, options: CommandOptions): Promise<number> => {
  const words = wordsIn(environment.language)
  if (readIdentity(environment.folder) === undefined) {
    say(words.notPaired)
    return 2
  }
  const deps = depsOf(environment, say)
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort())
  const end = await runLoop(deps, agentCycle(deps), { every_ms: options.every_s * 1000, signal: stopped.signal })
  if (end === 'already runs') say(words.alreadyRuns)
  if (end === 'not paired') say(words.notPaired)
  return end === 'not paired' ? 2 : 0
}

export const once = async (environment: Environment, say: Say): Promise<number> => {
  const words = wordsIn(environment.language)
  const deps = depsOf(environment)
  const { sending, unsent } = await agentCycle(deps)({ wait_ms: lockWait_ms })
  if (sending === 'not paired') {
    say(words.notPaired)
    return 2
  }
  say(sending === 'busy' ? words.busy : words.round(unsent))
  return 0
}

/** Sends a test message of the agent itself, which the self-test of the dashboard shows. */
export const sendTest = async (environment: Environment, say: Say): Promise<number> => {
  const words = wordsIn(environment.language)
  const identity = readIdentity(environment.folder)
  if (identity === undefined) {
    say(words.notPaired)
    return 2
  }
  const now = clock.now()
  const report = testReport(`test-${randomUUID()}`, now)
  const lock = await waitForLock(workLock(environment.folder), lockWait_ms, clock.wait)
  if (lock === undefined) {
    say(words.busy)
    return 1
  }
  const store = openStore(storePath(environment.folder, identity), { now })
  store.addShown([report], now)
  store.close()
  lock.release()
  const { sending } = await agentCycle(depsOf(environment))({ wait_ms: lockWait_ms })
  say(sending === 'sent' ? words.testSent : words.testUnsent)
  return sending === 'sent' ? 0 : 1
}

export const status = (environment: Environment, say: Say): number => {
  const { lines, code } = readStatus(environment, clock.now())
  for (const line of lines) say(line)
  return code
}

export const unpair = async (environment: Environment, say: Say, options: CommandOptions): Promise<number> => {
  const words = wordsIn(environment.language)
  const identity = readIdentity(environment.folder)
  if (identity === undefined) {
    say(words.notPaired)
    return 2
  }
  const lock = await waitForLock(workLock(environment.folder), lockWait_ms, clock.wait)
  try {
    // The loop ends by itself when it finds no identity.
    removeIdentity(environment.folder)
    await removeScripts(runProgram, environment)
    say(words.unpaired)
    const path = storePath(environment.folder, identity)
    if (!existsSync(path)) return 0
    const store = openStore(path, { now: clock.now() })
    const unsent = store.depth()
    store.close()
    if (unsent > 0 && !options.discards) say(words.unsentKept(unsent, path))
    else for (const suffix of ['', '-wal', '-shm', '.damaged']) rmSync(path + suffix, { force: true })
    return 0
  } finally {
    lock?.release()
  }
}
