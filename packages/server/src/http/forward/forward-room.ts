/**
 * How many calls may be on their way to other cells at once. Without a bound, a cell that answers slowly would take the memory and the
 * connections of this one. An account takes half of the places at most, so that it does not keep out another one, and the calls to one cell
 * three quarters: if it hangs, calls to the others go on. Pure.
 */

export type RoomRules = {
  readonly calls: number
  /** Calls whose answer stays open: streams of events. */
  readonly streams: number
}

export const roomRules: RoomRules = { calls: 256, streams: 2_048 }

/** `of`: whose calls share a half: an account, or all calls that belong to nobody yet. `cell`: to which the call goes; left out: several
 *  are asked. */
export type ForwardRoom = { enter(kind: keyof RoomRules, of: string, cell?: string): (() => void) | undefined }

export const forwardRoom = (rules: RoomRules = roomRules): ForwardRoom => {
  const counts = { calls: new Map<string, number>(), streams: new Map<string, number>() }
  const sizes = { calls: 0, streams: 0 }
  return {
    /** Undefined: there is no place. Otherwise the returned function gives the place back; calling it again does nothing. */
    enter(kind, of, cell) {
      const own = counts[kind]
      const shares = new Map([[`of ${of}`, 1 / 2]])
      if (cell !== undefined) shares.set(`to ${cell}`, 3 / 4)
      const isFull = ([key, share]: [string, number]): boolean => (own.get(key) ?? 0) >= Math.ceil(rules[kind] * share)
      if (sizes[kind] >= rules[kind] || [...shares].some(isFull)) return undefined
      sizes[kind]++
      for (const key of shares.keys()) own.set(key, (own.get(key) ?? 0) + 1)
      let isInside = true
      return () => {
        if (!isInside) return
        isInside = false
        sizes[kind]--
        for (const key of shares.keys()) {
          const left = own.get(key)! - 1
          if (left === 0) own.delete(key)
          else own.set(key, left)
        }
      }
    },
  }
}
