/** A required second factor on the screen: the owner's setting, the countdown, and the page that shows the set-up alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { createMember, createMembers, storyPassword } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  desktop,
  eventually,
  expectGood,
  expectNoFaults,
  openDashboard,
  phone,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { accountId } = await createMembers(service)
const setRule = (since: number | null, days = 7) =>
  service.sql('update accounts set factor_rule_since = $2, factor_grace_days = $3 where id = $1', [
    accountId,
    since === null ? null : new Date(since).toISOString(),
    days,
  ])
const picture = async (page: Awaited<ReturnType<typeof openAs>>, name: string): Promise<void> => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
}

for (const language of bothLanguages) {
  const look = language === 'ar' ? { ...phone, language } : { ...desktop, language, scheme: 'dark' as const }

  test(`an owner without a factor is told to set one up first; with one they require it, ${language}`, async () => {
    await setRule(null)
    const owner = await createMember(service, accountId, 'owner')
    const page = await openAs(owner, look)
    await visit(page, '/settings/members')
    const box = page.getByRole('checkbox', { name: textPattern(language, 'rule.required') })
    await box.waitFor()
    assert.equal(await box.isDisabled(), true)
    await page.getByText(textPattern(language, 'rule.ownFirst')).waitFor()
    await service.sql('update users set totp_since = created_at where id = $1', [owner.userId])
    await page.reload()
    await box.check()
    await expectGood(page, `the rule, ${language}`)
    await picture(page, `rule-${language}`)
    await page
      .locator('form', { has: box })
      .getByRole('button', { name: textPattern(language, 'part.save') })
      .click()
    await eventually(async () => {
      const [row] = await service.sql(
        'select factor_rule_since is not null, factor_grace_days from accounts where id = $1',
        [accountId],
      )
      assert.deepEqual(row?.map(String), ['t', '7'])
    })
  })

  test(`a member sees the countdown, then the set-up alone, and goes on after the recovery codes, ${language}`, async () => {
    const cashier = await createMember(service, accountId, 'cashier')
    await setRule(service.clock.now(), 2)
    const page = await openAs(cashier, look)
    await visit(page, '/counter')
    await page.getByRole('note').getByText(textPattern(language, 'frame.factorSetUp')).waitFor()
    await expectNoFaults(page, `the countdown, ${language}`)
    await picture(page, `countdown-${language}`)
    await setRule(service.clock.now() - 30 * 86_400_000, 1)
    await service.sql('update members set created_at = $2 where user_id = $1', [
      cashier.userId,
      new Date(service.clock.now() - 30 * 86_400_000).toISOString(),
    ])
    service.clock.advance(2_000)
    await visit(page, '/counter')
    await page.getByRole('heading', { level: 1, name: textPattern(language, 'frame.factorSetUp') }).waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    await page.getByRole('button', { name: textPattern(language, 'frame.signOut') }).waitFor()
    await expectGood(page, `the set-up, ${language}`)
    await picture(page, `gate-${language}`)

    await page.getByRole('button', { name: textPattern(language, 'you.factorSetUp'), exact: true }).click()
    await page.getByRole('dialog').locator('input[type=password]').fill(storyPassword)
    await page.keyboard.press('Enter')
    const code = page.locator('input[name=code]')
    await code.waitFor()
    const secret = await page
      .getByRole('dialog')
      .evaluate((dialog) => /[A-Z2-7]{32}/.exec(dialog.textContent ?? '')?.[0] ?? '')
    await code.fill(generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) }))
    await page.keyboard.press('Enter')
    // The codes are shown once: the page waits for the user.
    await page.getByRole('dialog', { name: textPattern(language, 'you.codes') }).waitFor()
    await picture(page, `gate-codes-${language}`)
    await page.getByRole('button', { name: textPattern(language, 'part.stored') }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: textPattern(language, 'gate.goOn') }).click()
    await page.getByRole('navigation').first().waitFor()
    assert.equal(await page.getByText(textPattern(language, 'gate.done')).count(), 0)
  })
}
