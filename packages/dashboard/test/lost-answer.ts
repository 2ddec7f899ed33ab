/** A call of a page that arrives at the service, whose answer is lost as the line breaks. */
import type { Page } from 'playwright-core'
import type { FlakyProxy } from '../../server/test/support/servers/flaky-proxy.ts'

/**
 * From now on, calls to the URL are lost in this way. `network`: what the page is connected through. The returned function ends it and
 * brings the line back. It waits for a call that is being lost: otherwise the browser would send it once more.
 */
export const loseAnswers = async (page: Page, url: string, network: FlakyProxy): Promise<() => Promise<void>> => {
  await page.route(url, async (route) => {
    await route.fetch()
    network.state = 'down'
    await route.abort('connectionfailed')
  })
  return async () => {
    await page.unrouteAll({ behavior: 'wait' })
    network.state = 'up'
  }
}
