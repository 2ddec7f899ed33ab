/** Passkeys in a real browser with a virtual authenticator: added, used to sign in and to prove the person, removed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createMember, createMembers } from '../../../server/test/support/users.ts'
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

const { service, openAs } = await openDashboard()
const { accountId } = await createMembers(service)
// Browsers have no passkeys for an address without a name.
const origin = service.origin.replace('127.0.0.1', 'localhost')
const shot = async (page: Page, name: string): Promise<void> => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` })
}

/** An authenticator that recognises its user and keeps passkeys, as that of a phone does. */
const addAuthenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const setVerified = (isUserVerified: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { setVerified }
}

for (const language of bothLanguages) {
  const look = language === 'ar' ? { ...phone, language } : { ...desktop, language, scheme: 'dark' as const }
  test(`a passkey is added, signs in without a password, proves the person, and is removed, ${language}`, async () => {
    const member = await createMember(service, accountId, 'owner')
    const page = await openAs(member, look, { origin })
    const authenticator = await addAuthenticator(page)
    const text = (key: Parameters<typeof textPattern>[1]) => textPattern(language, key)
    await page.goto(`${origin}/settings/you`)
    await page.getByRole('button', { name: text('passkeys.add') }).click()
    const form = page.getByRole('dialog')
    await form.locator('input[name=name]').fill('My phone')
    await expectNoFaults(page, 'adding a passkey')
    await shot(page, `passkey-add-${language}`)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: text('you.codes') }).waitFor()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text('part.stored') })
      .click()
    await page.getByText('My phone').first().waitFor()
    await expectGood(page, 'passkeys')
    await page.getByText(text('passkeys.title')).scrollIntoViewIfNeeded()
    await shot(page, `passkeys-${language}`)

    // Signed out, and in again without a password.
    await page.context().clearCookies({ name: 'sanad_session' })
    await page.goto(`${origin}/keys`)
    await page.locator('input[name=email]').waitFor()
    await expectGood(page, 'sign-in with passkeys')
    await shot(page, `passkey-sign-in-${language}`)
    await authenticator.setVerified(false)
    await page.getByRole('button', { name: text('signIn.passkey') }).click()
    await page.getByRole('alert').getByText(text('signIn.passkeyNone')).waitFor()
    await authenticator.setVerified(true)
    await page.getByRole('button', { name: text('signIn.passkey') }).click()
    await page
      .getByRole('button', { name: text('keys.new') })
      .first()
      .waitFor()

    service.clock.advance(11 * 60_000)
    await page
      .getByRole('button', { name: text('keys.new') })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('textbox').fill(`By passkey ${language}`)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: text('proof.title') })
    await dialog.waitFor()
    await expectNoFaults(page, 'the proof with a passkey')
    await shot(page, `passkey-proof-${language}`)
    await dialog.getByRole('button', { name: text('proof.passkey') }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => {
      const [row] = await service.sql('select 1 from api_keys where name = $1', [`By passkey ${language}`])
      assert.ok(row)
    })

    await page.goto(`${origin}/settings/you`)
    await page.getByRole('button', { name: `${language === 'ar' ? 'حذف' : 'Remove'}: My phone` }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text('act.delete') })
      .click()
    await page.getByText(text('passkeys.none')).waitFor()
    assert.deepEqual(await service.sql('select 1 from passkeys where user_id = $1', [member.userId]), [])
  })
}
