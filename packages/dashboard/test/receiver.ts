/** A merchant's endpoint for browser tests: keeps the webhooks that it received, and can be set to refuse them. */
import { openMerchantServer } from '../../server/test/support/merchant-server.ts'

export const openReceiver = async () => {
  let status = 200
  const server = await openMerchantServer((_, response) => {
    response.writeHead(status).end(status === 200 ? 'thanks' : 'no')
  })
  return {
    url: server.at('/hook'),
    calls: server.calls,
    answers: (from: number): void => {
      status = from
    },
    /** Waits until so many have arrived. */
    until: server.untilCalls,
  }
}
