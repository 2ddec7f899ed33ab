/**
 * run.ts loads this module first into every test process. At the end of the process it calls what `atProcessEnd` was given, and
 * records how long the process took.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'

export type ProcessTime = {
  readonly file: string
  readonly wall_ms: number
  readonly cpu_ms: number
  /** Processor time of the programs that the process started and that have ended: a browser, a service. Zero if not on Linux. */
  readonly children_ms: number
}

/** Processor time of the processes that this process started and that have ended. Undefined if not on Linux. */
export const childrenCpu_ms = (): number | undefined => {
  if (!existsSync('/proc/self/stat')) return undefined
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

const endings: (() => Promise<void>)[] = []

/** `end` is called once after the last test of the process, whichever of its files called this function. */
export const atProcessEnd = (end: () => Promise<void>): void => void endings.push(end)

/** A process that several files share calls it after its last file. */
export const endProcess = async (): Promise<void> => void (await Promise.all(endings.map((end) => end())))

const timesFile = process.env.SANAD_TEST_TIMES
// Only the test process itself: the services that it starts do not get these variables, and its threads are excluded.
if (timesFile !== undefined && process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) {
  // A file that needs no PostgreSQL by its imports (needs.ts) does not learn where it is: if the rule is wrong, the file fails.
  const withoutPostgres: readonly string[] = JSON.parse(process.env.SANAD_TEST_WITHOUT_PG ?? '[]')
  if (withoutPostgres.includes(process.argv[1] ?? '')) delete process.env.SANAD_TEST_PG
  // The test runner calls a hook of the process when no test is left: in a shared process that is so after each file.
  if (!process.argv[1]?.endsWith('.mjs')) after(endProcess)
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    const time: ProcessTime = {
      file: process.argv[1] ?? '',
      wall_ms: Math.round(process.uptime() * 1000),
      cpu_ms: Math.round((user + system) / 1000),
      children_ms: childrenCpu_ms() ?? 0,
    }
    appendFileSync(timesFile, `${JSON.stringify(time)}\n`)
  })
}
