/**
 * Watches whether npm, which started this process, still runs. npm passes on SIGTERM and SIGINT and nothing else: if another
 * signal ended it, this process must end too, but receives no signal. Between npm and this process there may be the shell that
 * npm runs scripts with (not for `npm start`, whose script replaces the shell): then the shell's parent is watched too.
 */
import { readFileSync } from 'node:fs'

const every_ms = 1_000

/** Undefined: the process has ended, or the system has no /proc. */
const readProcess = (pid: number): { readonly name: string; readonly parent: number } | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    return { name: text.slice(text.indexOf('(') + 1, end), parent: Number(text.slice(end + 2).split(' ')[1]) }
  } catch {
    return undefined
  }
}

const isShell = (name: string): boolean => /^(a|ba|da|z|k)?sh$|^busybox$/.test(name)

/** Calls `onEnd` when npm has ended, and then every second until it is stopped. */
export const watchNpm = (onEnd: () => void): { stop(): Promise<void> } => {
  const parent = process.ppid
  const shell = readProcess(parent)
  const npm = shell !== undefined && isShell(shell.name) ? shell.parent : undefined
  const timer = setInterval(() => {
    const ended = process.ppid !== parent || (npm !== undefined && readProcess(parent)?.parent !== npm)
    if (ended) onEnd()
  }, every_ms)
  return { stop: async () => clearInterval(timer) }
}
