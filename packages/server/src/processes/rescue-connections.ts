/**
 * Gives connections that a process was handed, and did not take before it was killed, to another process. `node:cluster` waits for the
 * word of the process that it has the connection, and does not notice that the word cannot come: the client would wait in vain, and the
 * process would never count as gone. Nothing was read from such a connection, so its request loses nothing.
 *
 * This relies on two messages that Node's own documents do not describe (`newconn`, and its answer `accepted`). If they change, killed
 * processes leave such connections open again; processes.slow.test.ts notices.
 */
import type { Worker } from 'node:cluster'

type ClusterMessage = {
  readonly cmd?: unknown
  readonly act?: unknown
  readonly seq?: unknown
  readonly ack?: unknown
}

/** How often it is looked whether the last message of a process that has ended was read, and how often at most. */
const look_ms = 10
const mostLooks = 100

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Called right after the process was started. */
export const rescueConnections = ({ process: child }: Worker): void => {
  const handed = new Set<number>()
  let isGone = false
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  const sendAndNote = (...args: unknown[]): boolean => {
    const message: ClusterMessage = isObject(args[0]) ? args[0] : {}
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && typeof message.seq === 'number')
      handed.add(message.seq)
    return send(...args)
  }
  child.send = sendAndNote as typeof child.send
  child.on('internalMessage', (message: ClusterMessage) => {
    if (typeof message.ack === 'number') handed.delete(message.ack)
  })
  child.once('disconnect', () => {
    isGone = true
  })
  const rescue = (looks: number): void => {
    if (child.connected && looks < mostLooks) {
      setTimeout(rescue, look_ms, looks + 1)
      return
    }
    // The channel has ended, but while the word on a connection is missing Node does not say so.
    if (!isGone) child.emit('disconnect')
    for (const seq of [...handed]) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false })
    handed.clear()
  }
  child.once('exit', () => setTimeout(rescue, look_ms, 0))
}
