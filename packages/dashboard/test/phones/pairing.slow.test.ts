/**
 * An owner connects a phone, in a real browser: the owner chooses its wallets, the phone scans the code and opens a page
 * with the steps, and the owner's screen shows each step.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { pairWords } from '../../../server/src/http/pair/pair-words.ts'
import { languages } from '../../../server/test/support/runs.ts'
import { createMembers, storyPassword } from '../../../server/test/support/users.ts'
import {
  desktop,
  expectFits,
  expectGood,
  expectNoFaults,
  giveProof,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'
import { scanQr } from '../scan-qr.ts'

const { service, open, openAs, visit } = await openDashboard()
const { clock, origin } = service
const staff = await createMembers(service)

for (const language of languages) {
  test(`a phone is set up by the page that its code opens, and the owner’s screen shows each step, ${language}`, async () => {
    const words = pairWords[language]
    const owner = await openAs(staff.owner, language === 'ar' ? { ...narrow, scheme: 'dark' } : desktop)
    await visit(owner, '/phones?new=1')
    const form = owner.getByRole('dialog')
    await form.getByRole('textbox').fill(`Shop ${language}`)
    await form.getByRole('checkbox').first().check()
    await expectNoFaults(owner, 'adding a phone')
    await form.locator('button[type=submit]').click()
    const dialog = owner.getByRole('dialog').filter({ has: owner.locator('img') })
    await dialog.locator('summary').click()
    const link = await dialog.locator('bdi.code').first().innerText()
    assert.match(link, /\/pair#c=[0-9A-Z]{10}$/)
    assert.equal(await scanQr(dialog.locator('img')), link)

    const shop = await open({ language, width: 320, scheme: language === 'ar' ? 'dark' : 'light' })
    await shop.goto(link)
    const section = (n: number) => shop.locator(`[data-step="${n}"]`)
    await section(1).waitFor()
    assert.equal(new URL(shop.url()).hash, '', 'the code is no longer in the address')
    await expectGood(shop, 'the first step')
    // The owner's screen shows that the code was opened.
    await owner.getByText(textPattern(language, 'phones.setup.follow')).waitFor()

    await section(1).locator('summary').click()
    await expectNoFaults(shop, 'the other apps')
    await section(1).locator('[data-app="sms-to-url"]').click()
    await section(2).waitFor()
    await section(2).locator('[data-for="sms-to-url"] a[href^="https://f-droid.org/"]').waitFor()
    await expectGood(shop, 'installing')
    await owner.getByText('Incoming SMS to URL Forwarder').first().waitFor()
    await section(2).locator('[data-next]').click()

    const saving = shop.waitForEvent('download')
    await section(3).locator('[data-save]').click()
    const [rule] = JSON.parse(await readFile((await (await saving).path())!, 'utf8'))
    assert.notEqual(rule.sender, '*', 'the senders are filled in')
    await expectGood(shop, 'the settings')
    // The browser may unload the page while the user is in the app: the page continues at the same step, with the same URL.
    await shop.reload()
    const again = shop.waitForEvent('download')
    await section(3).locator('[data-save]').click()
    const [ruleAfterReload] = JSON.parse(await readFile((await (await again).path())!, 'utf8'))
    assert.equal(ruleAfterReload.url, rule.url)
    await section(3).locator('[data-for="sms-to-url"] summary').first().click()
    const shownUrl = section(3).locator('[data-for="sms-to-url"] [data-field="url"] code')
    await shownUrl.waitFor()
    assert.equal(await shownUrl.innerText(), rule.url)
    await section(3).locator('[data-next]').click()

    await section(4).waitFor()
    await section(4).locator('select').selectOption('tecno')
    await section(4).locator('[data-maker="tecno"]').getByText('Phone Master').waitFor()
    await expectGood(shop, 'the battery')
    await section(4).locator('[data-next]').click()

    await section(5).getByText(words.surest).waitFor()
    await expectNoFaults(shop, 'the test')
    // The app's own test button.
    const body = JSON.stringify({ from: '123456789', text: 'test message', sim: 'sim1', receivedStamp: clock.now() })
    const signature = createHmac('sha256', rule.sign_hmac_sha256_secret).update(body).digest('hex')
    const sent = await fetch(rule.url, { method: 'POST', body, headers: { 'x-signature': signature } })
    assert.equal(sent.status, 200)
    await shop.getByText(words.doneTitle).waitFor()
    await owner.getByText(textPattern(language, 'phones.setup.done')).waitFor()
    await expectGood(owner, 'the connected phone')
    await owner
      .getByRole('dialog')
      .getByRole('button', { name: textPattern(language, 'part.stored') })
      .click()
    await owner.waitForURL('**/phones/*-*')
    await owner.getByText(textPattern(language, 'phones.by.app')).first().waitFor()

    // Another browser that opens the used code is told what to do; the page of this phone still works.
    const other = await open({ language, width: 390, scheme: 'light' })
    await other.goto(link)
    await other.getByText(words.codeUsed).waitFor()
    await other.locator('#code').waitFor()
    await expectNoFaults(other, 'a used code')
    await other.goto('about:blank')
    await shop.goto(`${origin}/pair?l=${language === 'ar' ? 'en' : 'ar'}`)
    await shop
      .getByText(pairWords[language === 'ar' ? 'en' : 'ar'].step5)
      .first()
      .waitFor()
    for (const page of [owner, shop, other]) await page.context().close()
  })
}

for (const look of [narrow, desktop])
  test(`a new code for a connected phone says that the present connection ends, ${look.language}`, async () => {
    const { language, width } = look
    // The page of an earlier code is not taken for the page of the new one.
    clock.advance(11 * 60_000)
    const owner = await openAs(staff.owner, look)
    await visit(owner, `/phones/${service.demo.device.id}`)
    await owner.getByRole('button', { name: textPattern(language, 'phones.pairAgain') }).click()
    await giveProof(owner, storyPassword)
    await owner.getByRole('dialog').getByText(textPattern(language, 'phones.oneWay')).waitFor()
    await expectGood(owner, 'a new code for a connected phone')
    const shop = await open({ language, width: 390, scheme: 'light' })
    await owner.getByRole('dialog').locator('summary').click()
    const shots = process.env.SANAD_SHOTS
    if (shots !== undefined) await owner.screenshot({ path: `${shots}/new-code-${language}-${width}.png` })
    await shop.goto(await owner.getByRole('dialog').locator('bdi.code').first().innerText())
    await shop.getByText(pairWords[language].oneWay).waitFor()
    await expectFits(shop, 'the first step on a connected phone')
    if (shots !== undefined) await shop.screenshot({ path: `${shots}/pair-page-${language}.png`, fullPage: true })
    await Promise.all([owner.context().close(), shop.context().close()])
  })
