/**
 * Loads a part of the dashboard that comes in a file of its own. A file that did not come because the line was down is
 * asked for again when the line is back. A file that the server does not have is an error at once: the page is older than
 * the server.
 */
import { askService, onReconnect } from './connection.ts'

/** The line was down when the file was first asked for, and the browser does not ask for it again: a reload does. */
export class FileNeedsReload extends Error {}

const backOnline = (): Promise<void> =>
  new Promise((done) => {
    const leave = onReconnect(() => {
      leave()
      done()
    })
  })

export const loadFile = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (fault) {
    if (await askService()) {
      // A short break: the file may come now. Otherwise it is gone.
      return load().catch(() => {
        throw fault
      })
    }
    await backOnline()
    return load().catch((cause: unknown) => {
      throw new FileNeedsReload('a file did not come while the line was down', { cause })
    })
  }
}
