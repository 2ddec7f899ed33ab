/**
 * The open streams of this node. Promises that there are never more than the limits allow, that each is checked again at
 * a fixed interval, and that all end when the node drains. Streams are checked some hundreds at a time: they share statements.
 */
export type OpenStream = {
  readonly userId: string
  readonly accountId: string
  /** Checks that the user may still read, and ends the stream if not. Never fails. */
  check(): Promise<void>
  sendHeartbeat(): void
  end(): void
}

export type OpenStreams = {
  /** Returns the function that removes the stream. Undefined: there are too many streams already. */
  add(stream: OpenStream): (() => void) | undefined
  readonly closed: boolean
  /** Ends all open streams and sets `closed`: the route then refuses new ones. */
  close(): void
}

const mostOfUser = 10
const mostOfAccount = 200
const mostOfNode = 5_000
/** This and the time of the check itself are below two seconds: after that a removed member gets nothing more. */
const checkEvery_ms = 1_500
const checkedAtOnce = 500
/** A heartbeat every so many checks: about 20 seconds. */
const heartbeatEvery = 13

export const openStreams = (): OpenStreams => {
  const streams = new Set<OpenStream>()
  const counts = new Map<string, number>()
  const addCount = (key: string, by: number): void => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  let closed = false

  let rounds = 0
  let checking = false
  const checkAll = async (): Promise<void> => {
    if (++rounds % heartbeatEvery === 0) for (const stream of streams) stream.sendHeartbeat()
    // While one check is still running, no second one is started.
    if (checking) return
    checking = true
    const all = [...streams]
    for (let i = 0; i < all.length; i += checkedAtOnce)
      await Promise.all(all.slice(i, i + checkedAtOnce).map((stream) => stream.check()))
    checking = false
  }
  let timer: NodeJS.Timeout | undefined
  /** The timer runs while there is a stream. */
  const startOrStopTimer = (): void => {
    if (streams.size > 0) timer ??= setInterval(checkAll, checkEvery_ms).unref()
    else {
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    get closed() {
      return closed
    },
    add(stream) {
      const [user, account] = [`user ${stream.userId}`, `account ${stream.accountId}`]
      const full =
        streams.size >= mostOfNode ||
        (counts.get(user) ?? 0) >= mostOfUser ||
        (counts.get(account) ?? 0) >= mostOfAccount
      if (full) return undefined
      streams.add(stream)
      addCount(user, 1)
      addCount(account, 1)
      startOrStopTimer()
      return () => {
        if (!streams.delete(stream)) return
        addCount(user, -1)
        addCount(account, -1)
        startOrStopTimer()
      }
    },
    close() {
      closed = true
      for (const stream of [...streams]) stream.end()
    },
  }
}
