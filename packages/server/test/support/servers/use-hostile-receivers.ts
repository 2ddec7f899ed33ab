/** Hostile receivers for the tests of one file. A caller that a test passes to `opened` is closed after the test. */
import { after, afterEach } from 'node:test'
import type { ReceiverCaller } from '../../../src/webhooks/calling/call-receiver.ts'
import { type HostileReceivers, openHostileReceivers } from './hostile-receivers.ts'

export const useHostileReceivers = async (): Promise<{
  readonly receivers: HostileReceivers
  readonly opened: (caller: ReceiverCaller) => ReceiverCaller
}> => {
  const receivers = await openHostileReceivers()
  const callers: ReceiverCaller[] = []
  afterEach(() => {
    for (const caller of callers.splice(0)) caller.close()
  })
  after(() => receivers.close())
  return {
    receivers,
    opened(caller) {
      callers.push(caller)
      return caller
    },
  }
}
