/**
 * The processes and temporary folders of a run. They are stopped (by their id) and removed at the end of a run, after
 * an error and on Ctrl-C.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An error that the user can fix: printed as one sentence, without a stack. */
export class BenchRefused extends Error {}

const stopTimeout_ms = 30_000
const started = new Set<ChildProcess>()
const folders = new Set<string>()
let closing = false

export const start = (command: string, args: readonly string[], options: SpawnOptions): ChildProcess => {
  if (closing) throw new BenchRefused('The run is being stopped.')
  const child = spawn(command, args, options)
  started.add(child)
  child.once('exit', () => started.delete(child))
  return child
}

/** Asks a process to end, and waits until it has. */
export const stop = (child: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    const forced = setTimeout(() => child.kill('SIGKILL'), stopTimeout_ms)
    child.once('exit', () => {
      clearTimeout(forced)
      done()
    })
    child.kill('SIGTERM')
  })

/** Runs a program to its end; returns its standard output. */
export const output = (command: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> =>
  new Promise((done, fail) => {
    const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, err]: [Buffer[], Buffer[]] = [[], []]
    child.stdout!.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr!.on('data', (chunk: Buffer) => err.push(chunk))
    child.once('error', fail)
    child.once('close', (code) => {
      if (code === 0) return done(Buffer.concat(out).toString())
      fail(new Error(`${command} ended with ${code}: ${Buffer.concat([...err, ...out])}`.slice(0, 2000)))
    })
  })

/** A folder that is removed at the end of the run. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'sanad-bench-'))
  folders.add(folder)
  // The embedded PostgreSQL may run as another user, who needs access to the folder.
  await chmod(folder, 0o711)
  return folder
}

let closed: Promise<void> | undefined

/** Can be called twice: by a signal, and by the end of the run. */
export const cleanUp = (): Promise<void> => {
  closing = true
  closed ??= (async () => {
    await Promise.all([...started].map(stop))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })()
  return closed
}
