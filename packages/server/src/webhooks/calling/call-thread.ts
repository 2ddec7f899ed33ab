/**
 * The thread that calls receivers: what it is sent it calls, and answers in any order. Nobody imports this file; whoever
 * wants it (thread-caller.ts) starts it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { type Asked, flat, type ThreadOptions, type Told } from './call-message.ts'
import { receiverCaller } from './call-receiver.ts'
import { nameResolver } from './resolve-names.ts'

const { nameServers, ...options } = workerData as ThreadOptions
const resolve = nameResolver({ within_ms: options.timeouts.dns_ms, servers: nameServers })
const { call } = receiverCaller({ ...options, resolve })
const port = parentPort!

let told: Told[] = []
/** What ends in one turn of the loop is told in one message. */
const tell = (one: Told): void => {
  if (told.push(one) > 1) return
  setImmediate(() => {
    port.postMessage(told)
    told = []
  })
}

port.on('message', (asked: readonly Asked[]) => {
  for (const [number, url, headers, body] of asked)
    call({ url, headers, body }).then(
      (result) => tell([number, flat(result)]),
      (fault: unknown) => tell([number, undefined, String(fault)]),
    )
})
