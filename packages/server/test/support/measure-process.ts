/** Loaded first into every test process by run.ts: at its end it writes down how long the process took. */
import { appendFileSync } from 'node:fs'

export type ProcessTime = { readonly file: string; readonly wall_ms: number; readonly cpu_ms: number }

const into = process.env.SANAD_TEST_TIMES
// Only the test process itself: the services that it starts get a bare environment, its threads share its environment.
if (into !== undefined && process.env.NODE_TEST_CONTEXT !== undefined)
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    const time: ProcessTime = {
      file: process.argv[1] ?? '',
      wall_ms: Math.round(process.uptime() * 1000),
      cpu_ms: Math.round((user + system) / 1000),
    }
    appendFileSync(into, `${JSON.stringify(time)}\n`)
  })
