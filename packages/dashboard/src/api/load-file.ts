/**
 * Loads a part of the dashboard that is in a separate file. A file that did not arrive because there was no connection is
 * requested again when the connection is back. A file that the server does not have is an error at once: the page is older
 * than the server.
 */
import { checkService, isConnected, onReconnect } from './connection.ts'

/** There was no connection when the file was first requested, and the browser does not request it again without a reload. */
export class FileNeedsReload extends Error {}

/** If the file has not arrived after this time, the dashboard checks whether it can reach the service. */
const checkAfter_ms = 8_000
/** A file that does not arrive within this time, although the connection is back, counts as lost. */
const arrivesWithin_ms = 15_000

const backOnline = (): Promise<void> =>
  new Promise((done) => {
    const unsubscribe = onReconnect(() => {
      unsubscribe()
      done()
    })
  })

export const loadFile = async <T>(load: () => Promise<T>): Promise<T> => {
  const check = setTimeout(() => void checkService(), checkAfter_ms)
  let wasLost = false
  /** Whether there was no connection since the file was requested, also if another call has noticed it and it is back by now. */
  const isLost = (): boolean => wasLost || !isConnected()
  try {
    return await Promise.race([
      load(),
      backOnline().then(() => {
        wasLost = true
        throw new Error('there was no connection while the file was on its way')
      }),
    ])
  } catch (fault) {
    if (!isLost() && (await checkService()) && !isLost()) {
      // After a short break the file may arrive now. Otherwise it no longer exists.
      return load().catch(() => {
        throw fault
      })
    }
    if (!isConnected()) await backOnline()
    return loadAgain(load)
  } finally {
    clearTimeout(check)
  }
}

/**
 * A file that is requested before it is needed, and then shown: both by this function. A browser may remember that a file did not arrive,
 * so a request that failed unnoticed would make the next one fail although the connection is back.
 */
export const keptFile = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let file: Promise<T> | undefined
  return () => {
    file ??= loadFile(load)
    return file
  }
}

const loadAgain = <T>(load: () => Promise<T>): Promise<T> =>
  new Promise((done, fail) => {
    const needsReload = (cause: unknown): void =>
      fail(new FileNeedsReload('a file did not arrive because there was no connection', { cause }))
    const timer = setTimeout(needsReload, arrivesWithin_ms)
    load().then((file) => {
      clearTimeout(timer)
      done(file)
    }, needsReload)
  })
