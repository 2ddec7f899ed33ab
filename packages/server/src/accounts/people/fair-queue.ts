/**
 * A queue for work of which only a few calls may run at once. Known callers go first, in order. Others take turns by network
 * address: many calls from one address delay another address by one call at most. Both queues are bounded, and so are the
 * waiting calls of one address; a call above a limit is refused at once. Pure.
 */
export type Turn = 'known' | { readonly from: string }

export type FairQueue = {
  /** Resolves when the call may run; 'busy': the queue is full. A call that ran must call `leave`. */
  enter(turn: Turn): Promise<'go' | 'busy'> | 'go' | 'busy'
  leave(): void
}

type QueueLimits = { readonly atOnce: number; readonly mostWaiting: number; readonly mostOfAddress: number }

export const fairQueue = ({ atOnce, mostWaiting, mostOfAddress }: QueueLimits): FairQueue => {
  const known: (() => void)[] = []
  /** The waiting calls of each address; the address whose turn is next comes first. */
  const byAddress = new Map<string, (() => void)[]>()
  let running = 0
  let waitingUnknown = 0

  const nextUnknown = (): (() => void) | undefined => {
    const [first] = byAddress
    if (first === undefined) return undefined
    const [address, calls] = first
    byAddress.delete(address)
    const start = calls.shift()
    if (calls.length > 0) byAddress.set(address, calls)
    waitingUnknown--
    return start
  }

  return {
    enter(turn) {
      if (running < atOnce) {
        running++
        return 'go'
      }
      if (turn === 'known') {
        if (known.length >= mostWaiting) return 'busy'
        return new Promise((start) => known.push(() => start('go')))
      }
      const calls = byAddress.get(turn.from) ?? []
      if (waitingUnknown >= mostWaiting || calls.length >= mostOfAddress) return 'busy'
      waitingUnknown++
      byAddress.set(turn.from, calls)
      return new Promise((start) => calls.push(() => start('go')))
    },
    leave() {
      const next = known.shift() ?? nextUnknown()
      // The next call takes over the slot.
      if (next === undefined) running--
      else next()
    },
  }
}
