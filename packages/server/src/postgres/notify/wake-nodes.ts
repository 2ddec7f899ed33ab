/**
 * Wakes all other nodes: something was committed, look now. The first message is sent at once; further ones are combined, at
 * most one every `atMostEvery_ms`. A lost message is made up for by polling, and by looking when messages may have been missed.
 */
import type { Notifier } from './notifier.ts'

const message = 'look'

export type NodeWaker = {
  wake(): void
  close(): void
}

export const nodeWaker = async (options: {
  readonly notifier: Notifier
  /** A name of our own, such as `sanad_deliveries`. */
  readonly channel: string
  readonly atMostEvery_ms: number
  readonly onWoken: () => void
}): Promise<NodeWaker> => {
  const { notifier, channel, atMostEvery_ms, onWoken } = options
  let pausing: NodeJS.Timeout | undefined
  let again = false

  const send = (): void => {
    pausing = setTimeout(() => {
      pausing = undefined
      if (!again) return
      again = false
      send()
    }, atMostEvery_ms)
    pausing.unref()
    notifier.notify(channel, message)
  }

  await notifier.subscribe(channel, onWoken, onWoken)
  return {
    wake() {
      if (pausing === undefined) send()
      else again = true
    },
    close() {
      clearTimeout(pausing)
      if (again) notifier.notify(channel, message)
      again = false
    },
  }
}
