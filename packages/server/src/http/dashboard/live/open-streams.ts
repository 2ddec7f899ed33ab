/**
 * The open streams of this node: how many there may be, when each is checked again, and that all end when the node
 * drains. They are checked together, some hundreds at a time, with one statement for all of them.
 */
export type OpenStream = {
  readonly userId: string
  readonly accountId: string
  /** Checks that its user may still read; it ends itself if not. Never fails. */
  look(): Promise<void>
  beat(): void
  end(): void
}

export type OpenStreams = {
  /** Undefined: there are too many already. */
  enter(stream: OpenStream): (() => void) | undefined
  readonly closed: boolean
  /** Ends all open streams; new ones are refused. */
  close(): void
}

const mostOfUser = 10
const mostOfAccount = 200
const mostOfNode = 5_000
/** With the time that the check takes, a removed member gets nothing after two seconds. */
const lookEvery_ms = 1_500
const lookedAtTogether = 500
/** In looks: about 20 seconds. */
const beatEvery = 13

export const openStreams = (): OpenStreams => {
  const streams = new Set<OpenStream>()
  const counts = new Map<string, number>()
  const add = (key: string, by: number): void => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  let closed = false

  let looks = 0
  let looking = false
  const lookAtAll = async (): Promise<void> => {
    if (++looks % beatEvery === 0) for (const one of streams) one.beat()
    // While one check is still running, no second one is started.
    if (looking) return
    looking = true
    const all = [...streams]
    for (let i = 0; i < all.length; i += lookedAtTogether)
      await Promise.all(all.slice(i, i + lookedAtTogether).map((one) => one.look()))
    looking = false
  }
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    if (streams.size > 0) timer ??= setInterval(lookAtAll, lookEvery_ms).unref()
    else {
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    get closed() {
      return closed
    },
    enter(stream) {
      const [user, account] = [`user ${stream.userId}`, `account ${stream.accountId}`]
      const full =
        streams.size >= mostOfNode ||
        (counts.get(user) ?? 0) >= mostOfUser ||
        (counts.get(account) ?? 0) >= mostOfAccount
      if (full) return undefined
      streams.add(stream)
      add(user, 1)
      add(account, 1)
      wait()
      return () => {
        if (!streams.delete(stream)) return
        add(user, -1)
        add(account, -1)
        wait()
      }
    },
    close() {
      closed = true
      for (const one of [...streams]) one.end()
    },
  }
}
