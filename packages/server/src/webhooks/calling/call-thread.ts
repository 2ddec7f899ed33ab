/**
 * The code of the worker thread that calls receivers: it makes the calls that it is sent and returns the results in any order.
 * thread-caller.ts starts it; no file imports it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { type ThreadCall, type ThreadOptions, type ThreadResult, toMessage } from './call-message.ts'
import { receiverCaller } from './call-receiver.ts'
import { nameResolver } from './resolve-names.ts'

const { nameServers, ...options } = workerData as ThreadOptions
const resolve = nameResolver({ within_ms: options.timeouts.dns_ms, servers: nameServers })
const { call } = receiverCaller({ ...options, resolve })
const port = parentPort!

let results: ThreadResult[] = []
/** Results of one turn of the event loop go back in one message. */
const sendBack = (result: ThreadResult): void => {
  if (results.push(result) > 1) return
  setImmediate(() => {
    port.postMessage(results)
    results = []
  })
}

port.on('message', (calls: readonly ThreadCall[]) => {
  for (const [number, url, headers, body] of calls)
    call({ url, headers, body }).then(
      (result) => sendBack([number, toMessage(result)]),
      (fault: unknown) => sendBack([number, undefined, String(fault)]),
    )
})
