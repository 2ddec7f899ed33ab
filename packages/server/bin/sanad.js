#!/usr/bin/env node
// Starts the command on the Node that came with npm ci, whatever the machine's own is: TypeScript runs as it is there.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const main = join(here, '../src/main.ts')
const own = Number(process.versions.node.split('.')[0]) >= 24
const locked = join(here, '../../../node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node')

if (own) {
  process.argv[1] = main
  await import(main)
} else if (existsSync(locked)) {
  const child = spawn(locked, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
} else {
  process.stderr.write('Sanad needs Node 24: run npm ci, which brings it, or put Node 24 on the PATH.\n')
  process.exit(1)
}
