/**
 * The agent as one JavaScript file that needs nothing but Node. The bundler that also builds the dashboard builds it,
 * in a process of its own: the memory of the bundler is free again when that process ends.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const entry = join(import.meta.dirname, 'termux/main.ts')

const bundler = (): string => {
  const manifest = createRequire(import.meta.url).resolve('rolldown/package.json')
  return join(dirname(manifest), 'bin/cli.mjs')
}

export const bundleAgent = async (): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'sanad-agent-'))
  const file = join(folder, 'sanad-agent.mjs')
  try {
    await new Promise<void>((done, fail) => {
      const args = [bundler(), entry, '--file', file, '--platform', 'node', '--format', 'esm', '--minify']
      const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
      let errorOutput = ''
      child.stderr.on('data', (chunk) => {
        errorOutput += chunk
      })
      child.on('error', fail)
      child.on('close', (code) =>
        code === 0 ? done() : fail(new Error(`The agent could not be bundled (${code}):\n${errorOutput}`)),
      )
    })
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The text of the agent's signature; undefined: it is not signed. An agent that was bundled here never is; see release/packed. */
export const agentSignature = async (): Promise<string | undefined> => undefined
