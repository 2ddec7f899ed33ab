/**
 * One-time codes in a real browser: they are masked for every user, and an owner can reveal one after a confirmation.
 * Messages of unknown senders are only counted.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { bothLanguages, desktop, expectGood, phone as narrow, openDashboard, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const { demo, clock } = service
const staff = await createMembers(service)
const code = '83619427'

const sms = (client_id: string, text: string, sender: string) => ({
  client_id,
  kind: 'sms',
  sender,
  text,
  sim_slot: 'SIM1',
  received_at: new Date(clock.now()).toISOString(),
})
const reported = await phoneOf(service.origin, clock.now, demo.device).alerts([
  sms('seen-1', `رمز التحقق الخاص بك هو ${code} لا تشاركه مع أحد`, 'Jawali'),
  sms('seen-2', 'موعدنا الساعة خمسة', '+967770000123'),
  sms('seen-3', 'وصلت بالسلامة', '+967770000124'),
])
assert.equal(reported.status, 200, reported.text)

for (const language of bothLanguages) {
  const look = language === 'ar' ? narrow : desktop
  test(`an owner sees that a code has arrived, reveals it after a confirmation, and hides it again, ${language}`, async () => {
    const page = await openAs(staff.owner, look)
    await visit(page, `/phones/${demo.device.id}`)
    await page.getByText(textPattern(language, 'hidden.code')).first().waitFor()
    await page.getByText('••••••••').first().waitFor()
    await page.getByText(textPattern(language, 'hidden.othersLead')).waitFor()
    assert.equal((await page.content()).includes(code), false)
    await expectGood(page, 'the phone')
    await page.getByRole('button', { name: textPattern(language, 'hidden.reveal') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(textPattern(language, 'hidden.revealSure')).waitFor()
    assert.equal((await page.content()).includes(code), false)
    await dialog.getByRole('button', { name: textPattern(language, 'hidden.reveal') }).click()
    await dialog.getByText(code).waitFor()
    await expectGood(page, 'the revealed code')
    await dialog.getByRole('button', { name: textPattern(language, 'hidden.hide') }).click()
    await page.getByText(code).waitFor({ state: 'detached' })
    await visit(page, '/settings/audit')
    await page
      .getByText(/revealed a one-time code|أُظهر رمز تحقق/)
      .first()
      .waitFor()
  })

  test(`a manager sees the mask and cannot reveal the code, ${language}`, async () => {
    const page = await openAs(staff.manager, look)
    await visit(page, `/phones/${demo.device.id}`)
    await page.getByText('••••••••').first().waitFor()
    assert.equal(await page.getByRole('button', { name: textPattern(language, 'hidden.reveal') }).count(), 0)
    assert.equal((await page.content()).includes(code), false)
  })
}
