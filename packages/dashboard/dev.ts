/**
 * `npm run dev`: the service, and in front of it Vite with the dashboard's sources. A changed screen is replaced in the open page.
 * Both listen on loopback only, and end together: on Ctrl-C, when one of them ends, and when npm ends.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer } from 'vite'
import { watchNpm } from '../server/src/watch-npm.ts'

const root = resolve(import.meta.dirname, '../..')
const servicePort = Number(process.env.PORT ?? 8080)
const origin = `http://127.0.0.1:${servicePort}`

const service = spawn(process.execPath, [join(root, 'packages/server/src/main.ts'), 'start'], {
  cwd: root,
  // As under `npm start`: the service ends when this process does, however that ends.
  env: { ...process.env, HOST: '127.0.0.1', PORT: String(servicePort), npm_lifecycle_event: 'start' },
  stdio: 'inherit',
  // A group of its own: Ctrl-C reaches only this process, which then stops the service once.
  detached: true,
})
let isRunning = true
const ended = once(service, 'exit').then(([code]) => {
  isRunning = false
  return code as number | null
})
const stop = (): void => void service.kill('SIGTERM')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
const npm = watchNpm(stop)

// The service answers what is no part of the dashboard: the APIs, their reference and guide, the pages of buyers and phones.
const ofService = '^/(api|ingest|openapi|docs|pay|pair|agent|sdk|healthz|readyz)([/?]|$)'
const vite = await createServer({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    port: Number(process.env.SANAD_DEV_PORT ?? 5173),
    watch: { ignored: ['**/dist/**', '**/dist-*/**'] },
    proxy: { [ofService]: origin },
  },
})

const isAnswering = (): Promise<boolean> =>
  fetch(`${origin}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
await vite.listen()
while (isRunning && !(await isAnswering())) await delay(200)
if (isRunning)
  process.stdout.write(`\nThe dashboard, reloaded when its sources change: ${vite.resolvedUrls?.local[0]}\n`)
process.exitCode = (await ended) ?? 1
await Promise.all([vite.close(), npm.stop()])
