/**
 * How many calls may be on their way to other cells at once. Without a bound, a cell that answers slowly would take the memory and the
 * connections of this one. An account takes half of the places at most, so that it does not keep out another one. Pure.
 */

export type RoomRules = {
  readonly calls: number
  /** Calls whose answer stays open: streams of events. */
  readonly streams: number
}

export const roomRules: RoomRules = { calls: 256, streams: 2_048 }

/** `of`: whose calls share a half: an account, or all calls that belong to nobody yet. */
export type ForwardRoom = { enter(kind: keyof RoomRules, of: string): (() => void) | undefined }

export const forwardRoom = (rules: RoomRules = roomRules): ForwardRoom => {
  const counts = { calls: new Map<string, number>(), streams: new Map<string, number>() }
  const sizes = { calls: 0, streams: 0 }
  return {
    /** Undefined: there is no place. Otherwise the returned function gives the place back; calling it again does nothing. */
    enter(kind, of) {
      const own = counts[kind].get(of) ?? 0
      if (sizes[kind] >= rules[kind] || own >= Math.ceil(rules[kind] / 2)) return undefined
      sizes[kind]++
      counts[kind].set(of, own + 1)
      let isInside = true
      return () => {
        if (!isInside) return
        isInside = false
        sizes[kind]--
        const left = counts[kind].get(of)! - 1
        if (left === 0) counts[kind].delete(of)
        else counts[kind].set(of, left)
      }
    },
  }
}
