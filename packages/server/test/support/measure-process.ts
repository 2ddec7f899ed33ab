/** run.ts loads this module first into every test process. When the process exits, the module records how long it took. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
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

const timesFile = process.env.SANAD_TEST_TIMES
// Only the test process itself is measured: the services that it starts do not get these variables, and its threads are excluded.
if (timesFile !== undefined && process.env.NODE_TEST_CONTEXT !== undefined && isMainThread)
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
