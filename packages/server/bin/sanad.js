#!/usr/bin/env node
// Starts the command on the Node that came with npm ci, whatever the machine's own is: TypeScript runs as it is there.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const main = join(here, '../src/main.ts')
const own = Number(process.versions.node.split('.')[0]) >= 24
const locked = join(here, '../../../node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** The service from its compiled files, if they are up to date. Its further processes start in the same way. */
const start = async () => {
  const { compiledFolder, compiledMain, compileSoon, keepCompiledCode } = await import('./compiled-service.js')
  const folder = compiledFolder(process.env)
  keepCompiledCode(process.env)
  const compiled = compiledMain(folder)
  process.argv[1] = compiled === undefined ? main : fileURLToPath(import.meta.url)
  await import(pathToFileURL(compiled ?? main).href)
  const isChild = process.argv.includes('--child')
  if (compiled === undefined && !isChild) compileSoon(folder)
}

if (own) {
  if (process.argv[2] === 'start') await start()
  else {
    process.argv[1] = main
    await import(main)
  }
} else if (existsSync(locked)) {
  const child = spawn(locked, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
} else {
  process.stderr.write('Sanad needs Node 24: run npm ci, which brings it, or put Node 24 on the PATH.\n')
  process.exit(1)
}
