/**
 * Who is next where only few can be served at once. Those we know go first, in the order in which they came. Strangers go by
 * turns, one of each place they come from: a crowd from one place makes nobody else wait for more than one of it. Both lines
 * are bounded, and so is the part of a place; who finds no room is told at once. Pure.
 */
export type Turn = 'known' | { readonly from: string }

export type WaitingLine = {
  /** Answers when it is their turn; 'busy': there is no room to wait. Whoever got their turn must leave. */
  enter(turn: Turn): Promise<'go' | 'busy'> | 'go' | 'busy'
  leave(): void
}

type Room = { readonly atOnce: number; readonly mostWaiting: number; readonly mostOfPlace: number }

export const waitingLine = ({ atOnce, mostWaiting, mostOfPlace }: Room): WaitingLine => {
  const known: (() => void)[] = []
  /** The place whose turn is next comes first. */
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
      // Whoever is next takes the place that is left.
      if (next === undefined) running--
      else next()
    },
  }
}
