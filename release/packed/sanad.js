#!/usr/bin/env node
// The command of the installed package. Compiled code is kept between starts: a start takes about half the processor time.
import * as nodeModule from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`Sanad needs Node 22.19 or later; this is ${process.versions.node}.\n`)
  process.exit(1)
}
nodeModule.enableCompileCache?.()
process.argv[1] = new URL('../packages/server/src/main.js', import.meta.url).pathname
await import('../packages/server/src/main.js')
