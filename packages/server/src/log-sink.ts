/**
 * Where the log's lines go: standard error, many lines in one write. Promises that a reader who goes away or stops to read
 * never stops the service: after EPIPE nothing more is written; while the reader is slow lines wait, up to a limit, and
 * what is above it is dropped and counted; the end of the process waits for the reader for a second at most.
 */
import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs'

export type LogSink = {
  write(line: string): void
  /** Writes what waits. */
  flush(done?: () => void): void
  /** The same at the end of the process. */
  flushSync(): void
}

const flushEvery_ms = 100
const flushAt_chars = 8_192
const mostWaiting_chars = 16 * 1024 * 1024
const retry_ms = 20
const lastTries = 50

/** A pipe is opened once more without blocking: a write into a full one then fails instead of stopping the process. */
const withoutBlocking = (fd: number): number => {
  try {
    if (fstatSync(fd).isFIFO()) return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // Not to be opened: as it is, then.
  }
  return fd
}

const isBusy = (fault: NodeJS.ErrnoException): boolean => fault.code === 'EAGAIN' || fault.code === 'EBUSY'

export const logSink = (standard: number): LogSink => {
  const fd = withoutBlocking(standard)
  let waiting: string[] = []
  let waiting_chars = 0
  let dropped = 0
  /** What is being written, and what of it is left. */
  let current: Buffer | undefined
  let writing = false
  let gone = false
  let timer: NodeJS.Timeout | undefined
  let listeners: (() => void)[] = []

  const give = (): void => {
    gone = true
    waiting = []
    current = undefined
    if (fd !== standard) closeSync(fd)
  }
  const told = (): void => {
    const all = listeners
    listeners = []
    for (const one of all) one()
  }
  const take = (): Buffer | undefined => {
    if (current === undefined && waiting.length > 0) {
      if (dropped > 0)
        waiting.push(`{"level":"warn","dropped":${dropped},"msg":"lines were dropped: nobody read them"}\n`)
      current = Buffer.from(waiting.join(''))
      waiting = []
      waiting_chars = 0
      dropped = 0
    }
    return current
  }
  const wrote = (bytes: number): void => {
    current = current !== undefined && bytes < current.length ? current.subarray(bytes) : undefined
  }

  const next = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (writing) return
    const bytes = gone ? undefined : take()
    if (bytes === undefined) {
      told()
      return
    }
    writing = true
    write(fd, bytes, (fault, count) => {
      writing = false
      if (gone) {
        told()
        return
      }
      if (fault === null) wrote(count)
      else if (!isBusy(fault)) {
        give()
        told()
        return
      }
      if (current !== undefined || listeners.length > 0) plan(fault === null ? 0 : retry_ms)
    })
  }
  const plan = (after_ms: number): void => {
    timer ??= setTimeout(next, after_ms).unref()
  }

  return {
    write(line) {
      if (gone) return
      if (waiting_chars > mostWaiting_chars) return void dropped++
      waiting.push(line)
      waiting_chars += line.length
      if (waiting_chars >= flushAt_chars) next()
      else plan(flushEvery_ms)
    },
    flush(done) {
      if (done !== undefined) listeners.push(done)
      next()
    },
    flushSync() {
      if (gone) return
      // What another thread writes just now is not written twice.
      if (writing) current = undefined
      for (let tries = 0; tries < lastTries; ) {
        const bytes = take()
        if (bytes === undefined) return
        try {
          wrote(writeSync(fd, bytes))
        } catch (fault) {
          if (!isBusy(fault as NodeJS.ErrnoException)) {
            give()
            return
          }
          tries++
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retry_ms)
        }
      }
    },
  }
}
