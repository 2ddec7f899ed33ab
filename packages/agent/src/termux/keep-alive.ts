/**
 * What keeps the agent running: a script for Termux:Boot, a job of Android's scheduler that starts it again every 15
 * minutes, and a wake lock. The scripts contain no secret.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from './environment.ts'
import type { RunProgram } from './phone/run-program.ts'

/** Our number in Android's scheduler; the same number replaces the job. */
const jobId = '7260'
/** The shortest period that Android allows for a job. */
const every_ms = 900_000

export type AgentCommand = { readonly node: string; readonly script: string }

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The command that starts the agent, without its arguments. */
const commandLine = ({ node, script }: AgentCommand): string =>
  `${quoted(node)} --disable-warning=ExperimentalWarning ${quoted(script)}`

const bootScript = ({ home }: Environment): string => join(home, '.termux/boot/sanad-agent')
const jobScript = ({ folder }: Environment): string => join(folder, 'job')

const writeScript = (path: string, lines: readonly string[]): void => {
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o700 })
  // An existing file keeps its mode.
  chmodSync(path, 0o700)
}

export const writeScripts = (environment: Environment, command: AgentCommand): void => {
  const { folder, home, shell } = environment
  mkdirSync(join(home, '.termux/boot'), { recursive: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const firstLines = [`#!${shell}`, `export SANAD_AGENT_HOME=${quoted(folder)}`, 'termux-wake-lock']
  writeScript(bootScript(environment), [...firstLines, `exec ${commandLine(command)} run`])
  // One round first: a loop that is alive may be held back by Android.
  writeScript(jobScript(environment), [
    ...firstLines,
    `${commandLine(command)} once`,
    `exec ${commandLine(command)} run`,
  ])
}

export const scheduleJob = async (run: RunProgram, environment: Environment): Promise<void> => {
  await run('termux-job-scheduler', [
    '--job-id',
    jobId,
    '--script',
    jobScript(environment),
    '--period-ms',
    String(every_ms),
    '--persisted',
    'true',
    // By default a job waits for a network and until the battery is not low. The agent needs neither to read messages.
    '--network',
    'none',
    '--battery-not-low',
    'false',
  ])
}

export const takeWakeLock = async (run: RunProgram): Promise<void> => void (await run('termux-wake-lock', [], 10_000))

/** Failures are ignored: what does not exist need not be removed. */
export const removeScripts = async (run: RunProgram, environment: Environment): Promise<void> => {
  await run('termux-job-scheduler', ['--cancel', '--job-id', jobId], 10_000).catch(() => {})
  await run('termux-wake-unlock', [], 10_000).catch(() => {})
  rmSync(bootScript(environment), { force: true })
  rmSync(jobScript(environment), { force: true })
}
