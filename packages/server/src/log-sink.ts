/**
 * Writes the lines of the log to standard error, many lines in one write. A reader that closes the pipe or stops reading
 * never stops the service: after EPIPE nothing more is written; while the reader is slow, lines wait up to a limit, and those
 * above it are dropped and counted; the end of the process waits for the reader for a second at most.
 */
import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs'

export type LogSink = {
  write(line: string): void
  /** Writes the waiting lines. */
  flush(done?: () => void): void
  /** The same, synchronously, at the end of the process. */
  flushSync(): void
}

/** Several processes may write to one pipe: up to this size a write is never mixed with another one (PIPE_BUF of Linux). */
export const wholeWrite_bytes = 4_096

const flushEvery_ms = 100
/** A write wakes another thread, which costs as much as a request: so few and large ones. */
const flushAt_chars = 65_536
const mostWaiting_chars = 16 * 1024 * 1024
const retry_ms = 20
const lastTries = 50

/** Opens a pipe again in non-blocking mode: a write into a full pipe then fails instead of stopping the process. */
const withoutBlocking = (fd: number): number => {
  try {
    if (fstatSync(fd).isFIFO()) return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // It cannot be opened again: the blocking one is used.
  }
  return fd
}

/** How many of the lines fit into one write; at least one. */
const linesWithin = (lines: readonly string[], most_bytes: number): number => {
  if (most_bytes === Number.POSITIVE_INFINITY) return lines.length
  let [count, bytes] = [0, 0]
  for (const line of lines) {
    bytes += Buffer.byteLength(line)
    if (count > 0 && bytes > most_bytes) break
    count++
  }
  return count
}

const isBusy = (fault: NodeJS.ErrnoException): boolean => fault.code === 'EAGAIN' || fault.code === 'EBUSY'

/** `shape`: how a line of JSON is written. `most_bytes`: no write is longer, but for a single line that is. */
export const logSink = (
  standard: number,
  shape: (line: string) => string = (line) => line,
  most_bytes = Number.POSITIVE_INFINITY,
): LogSink => {
  const fd = withoutBlocking(standard)
  let waiting: string[] = []
  let waiting_chars = 0
  let dropped = 0
  /** What is left of the bytes that are being written. */
  let current: Buffer | undefined
  let writing = false
  let gone = false
  let timer: NodeJS.Timeout | undefined
  let listeners: (() => void)[] = []

  const giveUp = (): void => {
    gone = true
    waiting = []
    current = undefined
    if (fd !== standard) closeSync(fd)
  }
  const callListeners = (): void => {
    const all = listeners
    listeners = []
    for (const call of all) call()
  }
  const take = (): Buffer | undefined => {
    if (current === undefined && waiting.length > 0) {
      if (dropped > 0) {
        const line = shape(`{"level":"warn","dropped":${dropped},"msg":"lines were dropped: nobody read them"}\n`)
        waiting.push(line)
        waiting_chars += line.length
      }
      const count = linesWithin(waiting, most_bytes)
      const lines = waiting.splice(0, count).join('')
      current = Buffer.from(lines)
      waiting_chars -= lines.length
      dropped = 0
    }
    return current
  }
  const afterWrite = (bytes: number): void => {
    current = current !== undefined && bytes < current.length ? current.subarray(bytes) : undefined
  }

  const next = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (writing) return
    const bytes = gone ? undefined : take()
    if (bytes === undefined) {
      callListeners()
      return
    }
    writing = true
    write(fd, bytes, (fault, count) => {
      writing = false
      if (gone) {
        callListeners()
        return
      }
      if (fault === null) afterWrite(count)
      else if (!isBusy(fault)) {
        giveUp()
        callListeners()
        return
      }
      if (current !== undefined || waiting_chars >= flushAt_chars || listeners.length > 0)
        plan(fault === null ? 0 : retry_ms)
      else if (waiting.length > 0) plan(flushEvery_ms)
    })
  }
  const plan = (after_ms: number): void => {
    timer ??= setTimeout(next, after_ms).unref()
  }

  return {
    write(line) {
      if (gone) return
      if (waiting_chars > mostWaiting_chars) return void dropped++
      const shaped = shape(line)
      waiting.push(shaped)
      waiting_chars += shaped.length
      if (waiting_chars >= flushAt_chars) next()
      else plan(flushEvery_ms)
    },
    flush(done) {
      if (done !== undefined) listeners.push(done)
      next()
    },
    flushSync() {
      if (gone) return
      // Another thread is writing these bytes: they must not be written twice.
      if (writing) current = undefined
      for (let tries = 0; tries < lastTries; ) {
        const bytes = take()
        if (bytes === undefined) return
        try {
          afterWrite(writeSync(fd, bytes))
        } catch (fault) {
          if (!isBusy(fault as NodeJS.ErrnoException)) {
            giveUp()
            return
          }
          tries++
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retry_ms)
        }
      }
    },
  }
}
