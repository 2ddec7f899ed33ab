/**
 * Runs a program of Termux and returns its output. Every call has a time limit: without the Termux:API app, or while
 * Android holds it back, such a program never ends.
 */
import { spawn } from 'node:child_process'

/**
 * `missing`: not installed. `refused`: Android has not given the permission. `silent`: the program failed, or printed
 * nothing in time. `unreadable`: its output is too long, or not in the expected format.
 */
export type FaultKind = 'missing' | 'refused' | 'silent' | 'unreadable'

export class TermuxFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export type RunProgram = (program: string, args: readonly string[], timeout_ms?: number) => Promise<string>

const defaultTimeout_ms = 30_000
const mostOutput_bytes = 16 * 1024 * 1024

/** Returns the standard output. A program that cannot be started, takes too long, prints too much or fails is a fault. */
export const runProgram: RunProgram = (program, args, timeout_ms = defaultTimeout_ms) =>
  new Promise((done, fail) => {
    // In a process group of its own: the program is a script, and what it starts must end with it.
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const chunks: Buffer[] = []
    let size = 0
    let stopReason: TermuxFault | undefined
    const stop = (fault: TermuxFault): void => {
      stopReason ??= fault
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has just ended.
      }
    }
    const timer = setTimeout(
      () => stop(new TermuxFault('silent', `${program} did not answer within ${timeout_ms / 1000} s`)),
      timeout_ms,
    )
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > mostOutput_bytes) stop(new TermuxFault('unreadable', `${program} printed too much`))
      else chunks.push(chunk)
    })
    child.stderr.resume()
    child.on('error', (fault: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      const kind = fault.code === 'ENOENT' ? 'missing' : 'silent'
      fail(new TermuxFault(kind, `${program} cannot be started: ${fault.code}`))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (stopReason !== undefined) fail(stopReason)
      else if (code !== 0) fail(new TermuxFault('silent', `${program} ended with ${code ?? signal}`))
      else done(Buffer.concat(chunks).toString('utf8'))
    })
  })

/** The JSON that a program of Termux:API prints. It reports its own faults in the JSON, with the exit code 0. */
export const readJson = (program: string, output: string): unknown => {
  if (output.trim() === '') throw new TermuxFault('silent', `${program} printed nothing`)
  let value: unknown
  try {
    value = JSON.parse(output)
  } catch {
    throw new TermuxFault('unreadable', `${program} printed no JSON`)
  }
  const { error, API_ERROR } = (value ?? {}) as { error?: unknown; API_ERROR?: unknown }
  const fault = error ?? API_ERROR
  if (typeof fault !== 'string') return value
  throw new TermuxFault(/permission/i.test(fault) ? 'refused' : 'silent', `${program}: ${fault.slice(0, 200)}`)
}
