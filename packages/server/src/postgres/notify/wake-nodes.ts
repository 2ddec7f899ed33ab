/**
 * One word to all other nodes over the bell: something was committed, look now. The first goes out at once, what is said in
 * the moment after it together, at most once every so often. A word that is lost is made good by looking now and then, and
 * by looking when words may have been missed.
 */
import type { Bell } from './channel.ts'

const word = 'look'

export type NodeWaker = {
  wake(): void
  close(): void
}

export const nodeWaker = async (options: {
  readonly bell: Bell
  /** A name of our own, such as `sanad_deliveries`. */
  readonly channel: string
  readonly atMostEvery_ms: number
  readonly onWoken: () => void
}): Promise<NodeWaker> => {
  const { bell, channel, atMostEvery_ms, onWoken } = options
  let pausing: NodeJS.Timeout | undefined
  let owed = false

  const say = (): void => {
    pausing = setTimeout(() => {
      pausing = undefined
      if (!owed) return
      owed = false
      say()
    }, atMostEvery_ms)
    pausing.unref()
    bell.ring(channel, word)
  }

  await bell.hear(channel, onWoken, onWoken)
  return {
    wake() {
      if (pausing === undefined) say()
      else owed = true
    },
    close() {
      clearTimeout(pausing)
      if (owed) bell.ring(channel, word)
      owed = false
    },
  }
}
