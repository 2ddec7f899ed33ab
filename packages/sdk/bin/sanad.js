#!/usr/bin/env node
// `npx --no sanad phone`, `listen`, `trigger`, `logs` and `doctor` on a developer's machine. If the service itself is beside this
// package, as in a checkout of Sanad, the command of the service runs instead: it includes these.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../src/commands.js'

const service = new URL('../../server/bin/sanad.js', import.meta.url)

if (existsSync(fileURLToPath(service))) await import(service.href)
else {
  // The reader may close the pipe (`sanad logs | head`): output after that is lost, and nothing else.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (/** @type {Error & { code?: string }} */ fault) => {
      if (fault.code !== 'EPIPE' && fault.code !== 'EIO') throw fault
    })
  process.exitCode = await runCommand(process.argv.slice(2))
}
