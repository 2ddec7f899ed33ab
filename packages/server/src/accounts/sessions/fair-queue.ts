/**
 * A queue for work of which only a few may run at once. Known callers go first, in order. Others take turns by network
 * address: many calls from one address delay another address by one call at most. Both queues are bounded, and so is the
 * share of an address; a call that does not fit is refused at once. Pure.
 */
export type Turn = 'known' | { readonly from: string }

export type FairQueue = {
  /** Resolves when the call may run; 'busy': the queue is full. A call that ran must call `leave`. */
  enter(turn: Turn): Promise<'go' | 'busy'> | 'go' | 'busy'
  leave(): void
}

type QueueLimits = { readonly atOnce: number; readonly mostWaiting: number; readonly mostOfPlace: number }

export const fairQueue = ({ atOnce, mostWaiting, mostOfPlace }: QueueLimits): FairQueue => {
  const known: (() => void)[] = []
  /** By address; the next one to run comes first. */
  const places = new Map<string, (() => void)[]>()
  let running = 0
  let strangers = 0

  const nextStranger = (): (() => void) | undefined => {
    const [first] = places
    if (first === undefined) return undefined
    const [place, line] = first
    places.delete(place)
    const go = line.shift()
    if (line.length > 0) places.set(place, line)
    strangers--
    return go
  }

  return {
    enter(turn) {
      if (running < atOnce) {
        running++
        return 'go'
      }
      if (turn === 'known') {
        if (known.length >= mostWaiting) return 'busy'
        return new Promise((go) => known.push(() => go('go')))
      }
      const line = places.get(turn.from) ?? []
      if (strangers >= mostWaiting || line.length >= mostOfPlace) return 'busy'
      strangers++
      places.set(turn.from, line)
      return new Promise((go) => line.push(() => go('go')))
    },
    leave() {
      const next = known.shift() ?? nextStranger()
      // The next call takes over the slot.
      if (next === undefined) running--
      else next()
    },
  }
}
