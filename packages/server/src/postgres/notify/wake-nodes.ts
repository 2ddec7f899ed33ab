/**
 * Wakes all other nodes after a commit, so that they look for work now. The first message is sent at once; further ones are
 * combined, at most one every `atMostEvery_ms`. If a message is lost, the nodes find the work by polling.
 */
import type { Notifier } from './notifier.ts'

/** Background loops look for work. */
export const workChannel = 'sanad_work'
/** Senders look for deliveries. */
export const deliveriesChannel = 'sanad_deliveries'

const message = 'look'

/** What a program that is no node sends on a channel, to wake all nodes. */
export const wakingPayload = `command\n${message}`

export type NodeWaker = {
  wake(): void
  close(): void
}

export const nodeWaker = async (options: {
  readonly notifier: Notifier
  readonly channel: string
  readonly atMostEvery_ms: number
  readonly onWoken: () => void
}): Promise<NodeWaker> => {
  const { notifier, channel, atMostEvery_ms, onWoken } = options
  let pausing: NodeJS.Timeout | undefined
  let sendAgain = false

  const send = (): void => {
    pausing = setTimeout(() => {
      pausing = undefined
      if (!sendAgain) return
      sendAgain = false
      send()
    }, atMostEvery_ms)
    pausing.unref()
    notifier.notify(channel, message)
  }

  await notifier.subscribe(channel, onWoken, onWoken)
  return {
    wake() {
      if (pausing === undefined) send()
      else sendAgain = true
    },
    close() {
      clearTimeout(pausing)
      if (sendAgain) notifier.notify(channel, message)
      sendAgain = false
    },
  }
}
