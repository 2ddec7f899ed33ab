/**
 * The page that sets up a phone, on a bad network: the connection is lost at every step, before a call and after it, and the
 * page says so and continues by itself. Nothing is lost, and a repeated call has no second effect. Also a code that expires, a
 * reload, and a second phone with the same code.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { pairWords } from '../../../server/src/http/pair/pair-words.ts'
import { startFlakyProxy } from '../../../server/test/support/servers/flaky-proxy.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { eventually, expectNoFaults, type Look, phone as narrow, openDashboard } from '../browser.ts'

const { service, open } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const { clock, sql } = service
const { owner, manager } = await createMembers(service)
const network = await startFlakyProxy(service.origin)
service.atEnd(network.close)
const english: Look = { language: 'en', width: 390, scheme: 'dark' }

type Added = { readonly id: string; readonly code: string }
const add = async (): Promise<Added> => {
  const { body } = await owner.ask('POST', '/phones/', { body: { name: 'Counter' } })
  return { id: body.phone.id, code: body.pairing.code.replace('-', '') }
}
const linkOf = ({ code }: Added): string => `${network.origin}/pair#c=${code}`
const phoneFor = async (id: string) => (await manager.ask('GET', `/phones/${id}/`)).body
const noticesOf = async (id: string): Promise<string[]> =>
  (await sql('select kind from owner_notices where object_id = $1 order by id', [id])).map(([kind]) => kind!)

const section = (page: Page, n: number) => page.locator(`[data-step="${n}"]`)
const problem = (page: Page) => page.locator('#problem:visible')

/** `down`: no request reaches the service. `loses answers`: the service carries out the request, and its answer is lost. */
for (const trouble of ['down', 'loses answers'] as const)
  for (const look of [narrow, english])
    test(`the connection fails at every step (${trouble}): the page says so and continues, ${look.language}`, async () => {
      const words = pairWords[look.language]
      const added = await add()
      const page = await open(look)
      const loseConnection = (): void => {
        network.state = trouble
        network.cut()
      }
      const expectOfflineMessage = async (): Promise<void> => {
        await problem(page).getByText(words.offline).waitFor()
      }
      const restoreConnection = (): void => {
        network.state = 'up'
      }

      // The page is loaded, and its first call is lost. With `loses answers` the service has used the code.
      await page.route('**/pair/session', async (route) => {
        loseConnection()
        await route.continue()
      })
      await page.goto(linkOf(added))
      await expectOfflineMessage()
      await expectNoFaults(page, 'a lost connection')
      await page.unrouteAll({ behavior: 'wait' })
      restoreConnection()
      await section(page, 1).waitFor()
      await problem(page).waitFor({ state: 'hidden' })
      assert.deepEqual(await noticesOf(added.id), ['phone_paired'], 'the code was used once')

      // Choosing an app.
      await section(page, 1).locator('summary').click()
      loseConnection()
      await section(page, 1).locator('[data-app="sms-to-url"]').click()
      await expectOfflineMessage()
      restoreConnection()
      await section(page, 2).waitFor()
      await problem(page).waitFor({ state: 'hidden' })
      assert.equal((await phoneFor(added.id)).setup.app, 'sms-to-url')

      // The next step opens without a connection; the settings are created when the connection is back.
      loseConnection()
      await section(page, 2).locator('[data-next]').click()
      await section(page, 3).waitFor()
      await expectOfflineMessage()
      assert.equal(await section(page, 3).locator('[data-created]:visible').count(), 0)
      restoreConnection()
      await section(page, 3).locator('[data-created]:visible').waitFor()
      await problem(page).waitFor({ state: 'hidden' })
      const saving = page.waitForEvent('download')
      await section(page, 3).locator('[data-save]:visible').click()
      const file = await (await saving).createReadStream()
      let content = ''
      for await (const chunk of file) content += chunk
      const [rule] = JSON.parse(content)

      // The next steps open without a connection; a message that came meanwhile is shown when the connection is back.
      await section(page, 3).locator('[data-next]').click()
      loseConnection()
      await page.context().setOffline(true)
      await expectOfflineMessage()
      await section(page, 4).locator('[data-next]').click()
      await section(page, 5).waitFor()
      const direct = rule.url.replace(network.origin, service.origin)
      const body = JSON.stringify({ from: '123456789', text: 'test message', sim: 'sim1', receivedStamp: clock.now() })
      const signature = createHmac('sha256', rule.sign_hmac_sha256_secret).update(body).digest('hex')
      const sent = await fetch(direct, { method: 'POST', body, headers: { 'x-signature': signature } })
      assert.equal(sent.status, 200, 'the address in the saved file works')
      restoreConnection()
      await page.context().setOffline(false)
      await page.getByText(words.doneTitle).waitFor()
      await problem(page).waitFor({ state: 'hidden' })
      assert.equal((await noticesOf(added.id))[0], 'phone_paired')
    })

test('a reload continues the set-up; a code that expired or that another phone used is refused with a hint', async () => {
  const words = pairWords.ar
  // The answer is lost and the browser drops the page: the same tab finds its session again.
  const added = await add()
  const page = await open(narrow)
  await page.route('**/pair/session', async (route) => {
    network.state = 'loses answers'
    await route.continue()
  })
  await page.goto(linkOf(added))
  await problem(page).getByText(words.offline).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await eventually(async () => assert.deepEqual(await noticesOf(added.id), ['phone_paired']))
  network.state = 'up'
  await page.reload()
  await section(page, 1).waitFor()

  // A second phone opens the same code: its page says what to do, and the first phone continues.
  const second = await open(english)
  await second.goto(linkOf(added))
  await second.getByText(pairWords.en.codeUsed).waitFor()
  await second.locator('#code').waitFor()
  await expectNoFaults(second, 'a code that another phone has opened')
  await section(page, 1).locator('[data-app="smsgate"]').click()
  await section(page, 2).waitFor()
  assert.deepEqual(await noticesOf(added.id), ['phone_paired'])

  // Without a connection the code of another phone expires: the page says so when the connection is back.
  const late = await add()
  await second.goto('about:blank')
  await second.route('**/pair/session', async (route) => {
    network.state = 'down'
    network.cut()
    await route.continue()
  })
  await second.goto(linkOf(late))
  await problem(second).getByText(pairWords.en.offline).waitFor()
  await second.unrouteAll({ behavior: 'wait' })
  clock.advance(601_000)
  network.state = 'up'
  await second.getByText(pairWords.en.codeUsed).waitFor()
  await second.locator('#code').waitFor()

  // A new code for the first phone, opened by the second: the page of the first says that it has ended, and takes a code.
  const { body } = await owner.ask('POST', `/phones/${added.id}/pairing/`)
  await second.locator('#code').fill(body.pairing.code)
  await second.locator('#enter button').click()
  await section(second, 1).waitFor()
  await section(page, 2).locator('[data-next]').click()
  await page.getByText(words.ended).waitFor()
  await page.locator('#code').waitFor()
  await expectNoFaults(page, 'a set-up that has ended')
  for (const opened of [page, second]) await opened.context().close()
})
