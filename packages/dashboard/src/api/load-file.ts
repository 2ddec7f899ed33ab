/**
 * Loads a part of the dashboard that comes in a file of its own. A file that did not come because there was no connection is
 * asked for again when the connection is back. A file that the server does not have is an error at once: the page is older than
 * the server.
 */
import { askService, isConnected, onReconnect } from './connection.ts'

/** There was no connection when the file was first asked for, and the browser does not ask for it again: a reload does. */
export class FileNeedsReload extends Error {}

/** After so long it is asked whether the service answers at all. */
const impatientAfter_ms = 8_000
/** A file that does not come in this time although the connection is back waits for an answer that was lost. */
const comesWithin_ms = 15_000

const backOnline = (): Promise<void> =>
  new Promise((done) => {
    const leave = onReconnect(() => {
      leave()
      done()
    })
  })

export const loadFile = async <T>(load: () => Promise<T>): Promise<T> => {
  const impatient = setTimeout(() => void askService(), impatientAfter_ms)
  let wasLost = false
  try {
    return await Promise.race([
      load(),
      backOnline().then(() => {
        wasLost = true
        throw new Error('there was no connection while the file was on its way')
      }),
    ])
  } catch (fault) {
    if (!wasLost && (await askService())) {
      // A short break: the file may come now. Otherwise it is gone.
      return load().catch(() => {
        throw fault
      })
    }
    if (!isConnected()) await backOnline()
    return loadAgain(load)
  } finally {
    clearTimeout(impatient)
  }
}

const loadAgain = <T>(load: () => Promise<T>): Promise<T> =>
  new Promise((done, fail) => {
    const needsReload = (cause: unknown): void =>
      fail(new FileNeedsReload('a file did not come while there was no connection', { cause }))
    const timer = setTimeout(needsReload, comesWithin_ms)
    load().then((file) => {
      clearTimeout(timer)
      done(file)
    }, needsReload)
  })
