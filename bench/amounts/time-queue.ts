/** A queue ordered by time: a binary heap. */
export class TimeQueue<T> {
  readonly #heap: { readonly at: number; readonly item: T }[] = []

  get size(): number {
    return this.#heap.length
  }

  push(at: number, item: T): void {
    const heap = this.#heap
    let place = heap.push({ at, item }) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (heap[parent]!.at <= heap[place]!.at) return
      ;[heap[parent], heap[place]] = [heap[place]!, heap[parent]!]
      place = parent
    }
  }

  /** Removes and returns the earliest item, if it is before `until`. */
  pop(until: number): { readonly at: number; readonly item: T } | undefined {
    const heap = this.#heap
    const first = heap[0]
    if (first === undefined || first.at >= until) return undefined
    const last = heap.pop()!
    if (heap.length === 0) return first
    heap[0] = last
    for (let place = 0; ; ) {
      const left = 2 * place + 1
      if (left >= heap.length) return first
      const right = left + 1
      const child = right < heap.length && heap[right]!.at < heap[left]!.at ? right : left
      if (heap[place]!.at <= heap[child]!.at) return first
      ;[heap[child], heap[place]] = [heap[place]!, heap[child]!]
      place = child
    }
  }
}
