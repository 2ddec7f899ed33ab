/** A zoo of receivers for the stories of one file, and those who call it: each is closed after its story. */
import { after, afterEach } from 'node:test'
import type { ReceiverCaller } from '../../../src/webhooks/calling/call-receiver.ts'
import { type HostileReceivers, openHostileReceivers } from './hostile-receivers.ts'

export const useHostileReceivers = async (): Promise<{
  readonly zoo: HostileReceivers
  readonly opened: (caller: ReceiverCaller) => ReceiverCaller
}> => {
  const zoo = await openHostileReceivers()
  const callers: ReceiverCaller[] = []
  afterEach(() => {
    for (const one of callers.splice(0)) one.close()
  })
  after(() => zoo.close())
  return {
    zoo,
    opened(caller) {
      callers.push(caller)
      return caller
    },
  }
}
