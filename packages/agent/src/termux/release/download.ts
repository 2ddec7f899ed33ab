/** Downloads a file of the service, of bounded size and in bounded time. */
import { setTimeout as delay } from 'node:timers/promises'
import { PhoneFault, Unreachable } from '../../post.ts'

const timeout_ms = 300_000
const tries = 3

/** Undefined: the service has no such file. */
export const download = async (url: string, most: number): Promise<Buffer | undefined> => {
  for (let attempt = 1; ; attempt++)
    try {
      const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeout_ms) })
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw new PhoneFault(`${url}: the service answered ${answer.status}.`)
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of answer.body ?? []) {
        size += chunk.length
        if (size > most) throw new PhoneFault(`${url} is larger than ${most} bytes.`)
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } catch (cause) {
      if (cause instanceof PhoneFault) throw cause
      if (attempt >= tries) throw new Unreachable(`${url} could not be downloaded.`, { cause })
      await delay(1000 * attempt)
    }
}
