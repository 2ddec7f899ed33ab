/** A merchant's endpoint for browser tests: it records the webhooks that it receives, and can be set to refuse them. */
import { openMerchantServer } from '../../server/test/support/merchant-server.ts'

export const openReceiver = async () => {
  let status = 200
  const server = await openMerchantServer((_, response) => {
    response.writeHead(status).end(status === 200 ? 'thanks' : 'no')
  })
  return {
    url: server.at('/hook'),
    calls: server.calls,
    answers: (newStatus: number): void => {
      status = newStatus
    },
    /** Waits until the given number of webhooks has arrived. */
    until: server.untilCalls,
  }
}
