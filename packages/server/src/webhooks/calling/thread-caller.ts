/**
 * Calls receivers on a worker thread, so that requests to the service never wait for webhooks, and a second processor is used if
 * there is one. The thread is started with the first call. If it ends, its calls under way fail with an unknown outcome, and the
 * next call starts another thread.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fromMessage, type ThreadCall, type ThreadOptions, type ThreadResult } from './call-message.ts'
import type { CallRequest, CallResult, ReceiverCaller } from './call-receiver.ts'

type Waiting = { readonly resolve: (result: CallResult) => void; readonly reject: (fault: Error) => void }
type Thread = { readonly call: (request: CallRequest) => Promise<CallResult>; readonly end: () => void }

/** TypeScript in the repository, JavaScript in the package. */
const threadFile = new URL(`./call-thread${extname(import.meta.filename)}`, import.meta.url)

const startThread = (options: ThreadOptions, onEnd: () => void): Thread => {
  const worker = new Worker(threadFile, { workerData: options, name: 'receivers' })
  const waiting = new Map<number, Waiting>()
  let lastNumber = 0
  let calls: ThreadCall[] = []
  let ending = false
  // Calls under way keep the process alive; an idle thread does not.
  worker.unref()

  const releaseIfIdle = (): void => {
    if (waiting.size > 0) return
    worker.unref()
    if (ending) void worker.terminate()
  }
  const failAll = (fault: Error): void => {
    onEnd()
    for (const { reject } of waiting.values()) reject(fault)
    waiting.clear()
  }
  worker.on('message', (results: readonly ThreadResult[]) => {
    for (const [number, result, why] of results) {
      const caller = waiting.get(number)
      waiting.delete(number)
      if (result === undefined) caller?.reject(new Error(why))
      else caller?.resolve(fromMessage(result))
    }
    releaseIfIdle()
  })
  worker.on('error', (fault) => failAll(fault as Error))
  worker.on('exit', (code) => failAll(new Error(`the thread that calls receivers ended with ${code}`)))

  const send = (): void => {
    worker.postMessage(calls)
    calls = []
  }
  return {
    call: ({ url, headers, body }) =>
      new Promise((resolve, reject) => {
        if (waiting.size === 0) worker.ref()
        waiting.set(++lastNumber, { resolve, reject })
        // The calls of one claim go to the thread in one message.
        if (calls.push([lastNumber, url, headers, body]) === 1) queueMicrotask(send)
      }),
    end() {
      ending = true
      releaseIfIdle()
    },
  }
}

export const threadCaller = (options: ThreadOptions): ReceiverCaller => {
  let thread: Thread | undefined
  return {
    call(request) {
      if (thread === undefined) {
        const started = startThread(options, () => {
          if (thread === started) thread = undefined
        })
        thread = started
      }
      return thread.call(request)
    },
    close() {
      thread?.end()
      thread = undefined
    },
  }
}
