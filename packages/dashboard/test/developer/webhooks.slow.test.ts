/** Webhooks in a real browser: the secret that is shown once, the test request, deliveries, sending again, and API calls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '@sanad/sdk'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { askAt } from '../../../server/test/support/story.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  desktop,
  eventually,
  expectGood,
  expectNoFaults,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'
import { openReceiver } from '../receiver.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, clock } = service
const staff = await createMembers(service)
const sender = await service.startNode()
sender.service.work()
const phone = phoneOf(service.origin, clock.now, demo.device)
const pages = { ar: await openAs(staff.owner, narrow), en: await openAs(staff.owner, desktop) }

let number = 0
const verify = async (): Promise<string> => {
  const reference = String(815_000_000_000 + ++number)
  const { body } = await service.create({ amount: '1500.00', external_order_id: 'A-1001' })
  await service.ask('PATCH', `/intents/${body.id}/`, { body: { reference } })
  const text = purchaseText('1500', reference)
  await phone.alerts([{ client_id: reference, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' }])
  return body.id
}

for (const language of bothLanguages)
  test(`an endpoint is added, receives a payment event, and receives it again, ${language}`, async () => {
    const receiver = await openReceiver()
    const page = pages[language]
    await visit(page, '/webhooks')
    await page
      .getByRole('button', { name: textPattern(language, 'act.addEndpoint') })
      .first()
      .click()
    await page.locator('input[type=url]').fill(receiver.url)
    const label = (key: 'webhooks.headerName' | 'webhooks.headerValue') => page.getByLabel(textPattern(language, key))
    await page.getByRole('button', { name: textPattern(language, 'webhooks.headerAdd') }).click()
    await label('webhooks.headerName').fill('Host')
    await label('webhooks.headerValue').fill('open sesame')
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.getByText(textPattern(language, 'refused.header_reserved')).waitFor()
    await label('webhooks.headerName').fill('X-Shop-Key')
    await expectNoFaults(page, 'the form')
    await page.getByRole('dialog').locator('button[type=submit]').click()
    const stored = page.getByRole('button', { name: textPattern(language, 'part.stored') })
    await stored.waitFor()
    const secret = await page.getByRole('dialog').locator('bdi.code').innerText()
    await stored.click()
    await page.waitForURL('**/webhooks/*-*')

    await page.getByRole('button', { name: textPattern(language, 'webhooks.test') }).click()
    await page.getByText(textPattern(language, 'webhooks.testOk')).waitFor()
    assert.equal(receiver.calls.length, 1)
    assert.equal(receiver.calls[0]!.headers['x-shop-key'], 'open sesame')

    const intent = await verify()
    await receiver.until(2)
    await page.reload()
    const log = page.getByRole(language === 'en' ? 'table' : 'list', { name: textPattern(language, 'webhooks.log') })
    await log.getByText(textPattern(language, 'intent.told.delivered')).waitFor()
    await expectGood(page, 'the endpoint')

    await log.getByRole('button', { name: 'payment.verified' }).click()
    const again = page.getByRole('button', { name: textPattern(language, 'webhooks.again'), exact: true })
    await again.waitFor()
    await expectGood(page, 'the delivery')
    await again.click()
    await receiver.until(3)
    const [, first, second] = receiver.calls
    assert.equal(JSON.parse(first!.body).intent_id, intent)
    // The same bytes, so that a receiver recognises the event.
    assert.equal(second!.body, first!.body)
    assert.equal(second!.headers['x-service-event-id'], first!.headers['x-service-event-id'])
    for (const { headers, body } of [first!, second!])
      await verifyWebhook(body, String(headers['x-service-signature']), [secret], { now: clock.now() })

    // The header's name is shown, its value never again; and the header can be removed.
    await again.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: textPattern(language, 'part.change'), exact: true }).click()
    await page.getByLabel(textPattern(language, 'webhooks.headerValue')).waitFor()
    await eventually(async () => {
      assert.equal(await page.getByLabel(textPattern(language, 'webhooks.headerName')).inputValue(), 'X-Shop-Key')
      assert.equal(await page.getByLabel(textPattern(language, 'webhooks.headerValue')).inputValue(), '')
    })
    await expectGood(page, 'changing it')
    await page.getByRole('button', { name: textPattern(language, 'webhooks.headerRemove') }).click()
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: textPattern(language, 'webhooks.test') }).click()
    await receiver.until(4)
    assert.equal(receiver.calls[3]!.headers['x-shop-key'], undefined)

    await visit(page, '/webhooks')
    await page.getByText(receiver.url).waitFor()
    await expectGood(page, 'all endpoints')
    assert.ok(!(await page.content()).includes(secret))
  })

for (const language of bothLanguages)
  test(`a failing endpoint shows the address, the duration, the next attempt and when it will be disabled, ${language}`, async () => {
    const receiver = await openReceiver()
    receiver.answers(404)
    const created = await askAt(`${service.origin}/api/v1/dashboard/webhooks/`, 'POST', {
      token: demo.dashboard.user_token,
      body: { url: receiver.url, wallet: demo.wallets.main },
    })
    assert.equal(created.status, 201, created.text)
    const { id } = created.body.webhook
    await verify()
    await receiver.until(1)
    const page = pages[language]
    const shows = (text: string | RegExp) => page.getByText(text).first().waitFor()
    await visit(page, `/webhooks/${id}`)
    await shows(textPattern(language, 'webhooks.misconfigured'))
    await shows(textPattern(language, 'webhooks.failures'))
    await shows(textPattern(language, 'webhooks.oldest'))
    await page.locator('dd', { hasText: 'Main wallet' }).waitFor()
    const log = page.getByRole(language === 'en' ? 'table' : 'list', { name: textPattern(language, 'webhooks.log') })
    await log.getByRole('button', { name: 'payment.verified' }).click()
    await shows(`POST ${receiver.url}`)
    await shows(language === 'ar' ? /الإجمالي.*مللي ثانية/ : /in all.*ms/)
    await shows(textPattern(language, 'webhooks.next'))
    await expectGood(page, 'a refused delivery')
    // A failed delivery is under Failed, with its order and the note that it will be tried again.
    await visit(page, `/webhooks/${id}`)
    await page.getByText(textPattern(language, 'webhooks.log.failed')).click()
    await log.getByText(textPattern(language, 'intent.told.retrying')).waitFor()
    await log.getByText('A-1001').waitFor()
    await shows(textPattern(language, 'webhooks.lastDay'))

    // Days later.
    const since = new Date(clock.now() - 4 * 86_400_000).toISOString()
    await service.sql('update webhook_endpoints set failing_since = $2, failures = 12, warned_at = $2 where id = $1', [
      id,
      since,
    ])
    await visit(page, `/webhooks/${id}`)
    await shows(
      language === 'ar' ? 'إن استمر ذلك يتوقف عنوان الاستقبال' : 'If that goes on, this endpoint is disabled on',
    )
    await expectGood(page, 'the warning')
    await service.sql('update webhook_endpoints set enabled = false where id = $1', [id])
  })

for (const language of bothLanguages)
  test(`enabling an endpoint again offers to send the missed events, ${language}`, async () => {
    const receiver = await openReceiver()
    const created = await askAt(`${service.origin}/api/v1/dashboard/webhooks/`, 'POST', {
      token: demo.dashboard.user_token,
      body: { url: receiver.url },
    })
    const { id } = created.body.webhook
    const page = pages[language]
    const toggle = async (): Promise<void> => {
      await page.getByRole('button', { name: textPattern(language, 'part.change'), exact: true }).click()
      await page.getByRole('switch').click()
      await page.getByRole('dialog').locator('button[type=submit]').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await visit(page, `/webhooks/${id}`)
    clock.advance(1_000)
    await toggle()
    await page.getByText(textPattern(language, 'webhooks.disabled.person')).waitFor()
    clock.advance(1_000)
    const intent = await verify()
    clock.advance(1_000)
    await toggle()
    const offered = page.getByRole('status').getByRole('button', { name: textPattern(language, 'webhooks.replayGo') })
    await offered.waitFor()
    await expectGood(page, 'the missed events')
    assert.equal(receiver.calls.length, 0)
    await offered.click()
    await offered.waitFor({ state: 'detached' })
    // The events of a replay are sent at a rate per second.
    clock.advance(1_000)
    await receiver.until(1)
    assert.equal(JSON.parse(receiver.calls[0]!.body).intent_id, intent)
    await service.sql('update webhook_endpoints set enabled = false where id = $1', [id])
  })

for (const language of bothLanguages)
  test(`a failed API call is found, with its answer and as curl, without a secret, ${language}`, async () => {
    const page = pages[language]
    await service.create({ amount: 'much', notes: 'it’s a try' })
    await eventually(async () => {
      await visit(page, '/calls?failed=1')
      await page.getByText('400 invalid').first().waitFor({ timeout: 3_000 })
    })
    await expectGood(page, 'the calls')
    assert.equal(await page.getByText(/^201$/).count(), 0)
    await page.getByRole('button', { name: 'POST /api/v1/merchant/intents/' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('A valid number is required.').waitFor()
    await dialog.getByText('Authorization: Bearer $SANAD_TOKEN').waitFor()
    await expectGood(page, 'a call')
    assert.ok(!(await page.content()).includes(service.token))
  })
