/**
 * Runs a program of the operator with a file as its only argument: the upload of a backup. No shell is involved, so nothing in a
 * name is read as a command. The program gets our environment without the settings of Sanad, and a limited time. Its output is
 * shown as it comes.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError } from '../../command-error.ts'
import { environmentOfPrograms } from '../../config.ts'
import { minute_ms } from '../../core/duration.ts'

/** How long a program that was told to end may take. */
const endMost_ms = 10_000

/** The absolute path of a program that can be run. A name is not looked up in PATH: cron has another one than a terminal. */
export const programAt = async (path: string): Promise<string> => {
  const program = resolve(path)
  const found = await stat(program).catch(() => undefined)
  const isProgram =
    found?.isFile() &&
    (await access(program, constants.X_OK).then(
      () => true,
      () => false,
    ))
  if (!isProgram)
    throw new CommandError(
      `${path} is no program that can be run: --then takes the path of one, without arguments. For arguments write a script and make it executable (chmod +x).`,
    )
  return program
}

/** Why the program did not end well, as the end of a sentence; undefined: it did. */
export const runProgram = async (
  program: string,
  file: string,
  limits: { readonly most_ms: number; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  const child = spawn(program, [file], {
    env: { ...environmentOfPrograms(), SANAD_BACKUP_FILE: file },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A process group of its own: what the program started ends with it.
    detached: true,
  })
  let why: string | undefined
  const killGroup = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, signal)
    } catch {
      // It has just ended, or never began.
    }
  }
  let forced: NodeJS.Timeout | undefined
  const end = (because: string): void => {
    why ??= because
    killGroup('SIGTERM')
    forced ??= setTimeout(() => killGroup('SIGKILL'), endMost_ms)
  }
  const stop = (): void => end('was stopped')
  const late = setTimeout(
    () => end(`took longer than ${Math.ceil(limits.most_ms / minute_ms)} minutes and was ended`),
    limits.most_ms,
  )
  limits.signal.addEventListener('abort', stop)
  if (limits.signal.aborted) stop()
  try {
    return await new Promise<string | undefined>((done) => {
      child.once('error', (fault) => done(`could not be started: ${fault.message}`))
      child.once('exit', (code, signal) =>
        done(why ?? (code === 0 ? undefined : `ended with ${code === null ? signal : `status ${code}`}`)),
      )
    })
  } finally {
    clearTimeout(late)
    clearTimeout(forced)
    limits.signal.removeEventListener('abort', stop)
  }
}
