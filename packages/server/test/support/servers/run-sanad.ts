/** Runs a command line of Sanad, this version's or an earlier one's, as a process, waits for it, and reads its output. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { after } from 'node:test'
import { bareEnvironment } from '../bare-environment.ts'
import { until } from '../pure/until.ts'

/** The command line of this version. */
export const presentMain = join(import.meta.dirname, '../../../src/main.ts')

const running = new Set<ChildProcess>()
after(() => {
  for (const child of running) child.kill('SIGKILL')
})

export type Run = { readonly child: ChildProcess; output(): string; readonly ended: Promise<number | null> }

export const runSanad = (main: string, args: readonly string[], env: Record<string, string>): Run => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...bareEnvironment, SANAD_LIMITS: 'off', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = new Promise<number | null>((done) =>
    child.on('close', (code) => {
      running.delete(child)
      done(code)
    }),
  )
  return { child, output: () => output, ended }
}

/** Waits until the service is ready; returns its origin. */
export const untilReady = async (run: Run): Promise<string> => {
  const ready = (): string | undefined => {
    if (run.child.exitCode !== null) throw new Error(run.output())
    return run
      .output()
      .split('\n')
      .find((one) => one.includes('"msg":"ready"') && one.endsWith('}'))
  }
  return JSON.parse(await until('the service is ready', ready, run.output)).origin
}

/** Waits until a command has succeeded; returns what it printed. */
export const outputOf = async (run: Run): Promise<string> => {
  assert.equal(await run.ended, 0, run.output())
  return run.output()
}
