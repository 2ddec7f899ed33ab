/**
 * Settings, operator pages and pages without a session in a real browser: the second factor, sessions, passwords,
 * invitations, and the tasks of operators.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { makeResetLink } from '../../../server/src/accounts/members/change-password.ts'
import { createInvitation } from '../../../server/src/accounts/members/invitations.ts'
import type { MemberRole } from '../../../server/src/accounts/people/permission.ts'
import { wholeAccount } from '../../../server/src/core/scope.ts'
import { accountOfWallet, createMember } from '../../../server/test/support/users.ts'
import { clockTime } from '../../src/words/format.ts'
import { desktop, eventually, expectGood, expectNoFaults, openDashboard, phone } from '../browser.ts'
import { scanQr } from '../scan-qr.ts'

const { service, open, openAs, visit, signIn } = await openDashboard()
const accountId = await accountOfWallet(service, service.demo.wallets.main)
const otherId = await accountOfWallet(service, service.demo.other.wallet)
const password = 'a password of a story'

const newMember = async (role: MemberRole, account = accountId) => {
  const { email, userId, session } = await createMember(service, account, role)
  return { email, password, userId, session }
}
const createInvitationToken = async (email: string, role: MemberRole): Promise<string> => {
  const created = await service.db.transaction((tx) =>
    createInvitation(
      tx,
      { scope: wholeAccount(accountId), email, role, wallets: null, by: null, mailed: false },
      service.clock.now(),
    ),
  )
  assert.ok(!('refused' in created))
  return created.token
}
const newEmail = (): string => `newcomer-${randomUUID().slice(0, 8)}@sanad.example`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const signOut = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForSelector('input[name=email]')
}
const trySignIn = async (page: Page, email: string, code: string): Promise<void> => {
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await page.keyboard.press('Enter')
  await page.fill('input[name=code]', code)
  await page.keyboard.press('Enter')
}

test('after a second factor is set up, each of its codes and each recovery code signs in only once', async () => {
  const user = await newMember('manager')
  const page = await openAs(user, desktop)
  await visit(page, '/settings/you')
  await button(page, 'Set up').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=password]').fill('not the password')
  await button(page, 'Next').click()
  await page.waitForSelector('text=This is not your password.')
  await dialog.locator('input[name=password]').fill(password)
  await button(page, 'Next').click()
  await dialog.locator('img').waitFor()
  await expectNoFaults(page, 'the second factor')
  const secret = (await dialog.locator('bdi.code').innerText()).trim()
  const codeNow = (): string => generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
  await dialog.locator('input[name=code]').fill('000000')
  await button(page, 'Switch on').click()
  await page.waitForSelector('text=This code is wrong')
  await dialog.locator('input[name=code]').fill(codeNow())
  await button(page, 'Switch on').click()
  await page.waitForSelector('text=Your recovery codes')
  await page.getByRole('dialog').locator('li bdi.code').nth(9).waitFor()
  const codes = await page.getByRole('dialog').locator('li bdi.code').allInnerTexts()
  assert.equal(new Set(codes).size, 10)
  await expectNoFaults(page, 'the recovery codes')
  // Escape does not close the dialog, because the codes would be lost.
  await page.keyboard.press('Escape')
  await button(page, 'Done').click()
  await page.waitForSelector('text=10 recovery codes left')
  assert.equal(await page.getByText(codes[0]!).count(), 0)

  await signOut(page, /A manager/)
  const used = codeNow()
  await trySignIn(page, user.email, used)
  await page.waitForSelector('[role=alert]:has-text("This code is wrong, or was used already")')
  service.clock.advance(30_000)
  await page.fill('input[name=code]', codeNow())
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=10 recovery codes left')

  await signOut(page, /A manager/)
  await trySignIn(page, user.email, codes[3]!)
  await page.waitForSelector('text=9 recovery codes left')
  await signOut(page, /A manager/)
  await trySignIn(page, user.email, codes[3]!)
  await page.waitForSelector('[role=alert]:has-text("This code is wrong, or was used already")')

  service.clock.advance(30_000)
  await page.fill('input[name=code]', codes[4]!)
  await page.keyboard.press('Enter')
  await button(page, 'Switch off').click()
  await page.getByRole('dialog').locator('input[name=password]').fill(password)
  await page.getByRole('dialog').locator('input[name=code]').fill(codeNow())
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await button(page, 'Set up').waitFor()
})

test('a browser whose session is ended from another browser is signed out without a click', async () => {
  const user = await newMember('viewer')
  const here = await open(desktop)
  const there = await open(phone)
  await signIn(here, user, '/settings/you')
  await signIn(there, user)
  await here.reload()
  const sessions = here.getByRole('table', { name: 'Open sessions' })
  // The test's own API session is listed too.
  await eventually(async () => assert.equal(await sessions.getByText('This session').count(), 1))
  await button(here, 'End all others').click()
  await here.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
  await here.waitForFunction(() => document.querySelectorAll('table tbody tr').length === 1)
  // A session is cached for two seconds at most.
  service.clock.advance(3000)
  await there.waitForSelector('input[name=email]')
  await there.waitForSelector('text=انتهت جلستك')
  await sessions.getByText('This session').waitFor()
})

test('the password is changed with the current one, and the new one signs in', async () => {
  const user = await newMember('cashier')
  const page = await openAs(user, desktop)
  await visit(page, '/settings/you')
  await button(page, 'Change password').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=password]').fill(password)
  await dialog.locator('input[name=new_password]').fill('password123')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await page.waitForSelector('text=one of the commonest')
  await dialog.locator('input[name=new_password]').fill('another password entirely')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await page.waitForSelector('text=Your password is changed.')
  await signOut(page, /A cashier/)
  await signIn(page, { email: user.email, password: 'another password entirely' })
})

test('an invited cashier sets a name and a password, is signed in, and sees no API keys', async () => {
  const page = await open(desktop)
  await signIn(page, service.demo.dashboard, '/settings/members')
  await button(page, 'Send an invitation').click()
  const email = newEmail()
  await page.fill('input[name=invited]', email)
  await page.getByRole('radio', { name: 'Viewer' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Send an invitation' }).click()
  // This service sends no mail, so the link is shown once to the owner.
  const linkDialog = page.getByRole('dialog', { name: /^Invitation for/ }).filter({ hasText: email })
  const picture = linkDialog.getByRole('img', { name: 'The link as a QR code' })
  await picture.waitFor()
  const link = (await linkDialog.locator('bdi.code').innerText()).trim()
  assert.equal(await scanQr(picture), link)
  assert.ok(link.startsWith(`${service.origin}/invitation#`), link)
  const shared = new URL((await linkDialog.getByRole('link', { name: 'WhatsApp' }).getAttribute('href'))!)
  assert.ok(shared.searchParams.get('text')!.endsWith(`\n${link}`))
  await expectNoFaults(page, 'the link of an invitation')
  await button(page, 'Done').click()
  await linkDialog.waitFor({ state: 'detached' })
  await page.getByRole('table', { name: 'Invitations' }).getByText(email).waitFor()
  assert.equal(await page.getByText(link).count(), 0)
  await expectNoFaults(page, 'the members')
  await button(page, 'New link').click()
  await linkDialog.waitFor()
  assert.notEqual((await linkDialog.locator('bdi.code').innerText()).trim(), link)
  await button(page, 'Done').click()
  await linkDialog.waitFor({ state: 'detached' })
  await button(page, 'Withdraw').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.waitForSelector('text=No invitations.')

  const guestEmail = newEmail()
  const token = await createInvitationToken(guestEmail, 'cashier')
  const guest = await open(phone)
  await guest.goto(`${service.origin}/invitation#${token}`)
  await guest.waitForSelector('input[name=new_password]')
  assert.equal(guest.url(), `${service.origin}/invitation`)
  await guest.waitForSelector('text=الكاشير')
  await expectGood(guest, 'the invitation')
  // Switching the language does not lose the token.
  await guest.click('button[lang=en]')
  await guest.fill('input[name=name]', 'Amal Saleh')
  await guest.fill('input[name=new_password]', 'a password of amal')
  await button(guest, 'Join').click()
  await guest.waitForSelector('main h1:text("Counter")')
  assert.ok(!(await guest.evaluate(() => JSON.stringify([location.href, history.state]))).includes(token))

  await button(guest, 'More').click()
  await guest.getByRole('dialog').getByRole('link', { name: 'Settings' }).waitFor()
  for (const hidden of ['API keys', 'Phones', 'Webhooks', 'Operator'])
    assert.equal(await guest.getByRole('dialog').getByRole('link', { name: hidden }).count(), 0, hidden)
  await guest.goto(`${service.origin}/keys`)
  await guest.waitForSelector('text=Your role may not open this page.')
  await guest.goto(`${service.origin}/settings`)
  await guest.getByRole('link', { name: /^Account/ }).waitFor()
  assert.equal(await guest.getByRole('link', { name: /^(Members|Audit log)/ }).count(), 0)

  const members = page.getByRole('table', { name: 'Members' })
  const amal = members.getByRole('row').filter({ hasText: guestEmail })
  await amal.getByText('Cashier').waitFor()
  await amal.getByRole('button', { name: 'Change rights' }).click()
  await page.getByRole('radio', { name: 'Manager' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Change rights' }).click()
  await amal.getByText('Manager').waitFor()
  await page.goto(`${service.origin}/settings/audit`)
  await page.waitForSelector(`text=/Demo owner.* changed the role of .*${guestEmail}/`)
  await button(page, 'What changed').first().click()
  const difference = page.getByRole('table', { name: 'What changed' })
  await difference.locator('del', { hasText: 'cashier' }).waitFor()
  await difference.getByText('manager').waitFor()
  await expectNoFaults(page, 'the audit log')
  await page.goto(`${service.origin}/settings/audit?kind=template`)
  await page.waitForSelector('text=Nothing fits these filters.')

  await page.goto(`${service.origin}/settings/members`)
  await amal.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await amal.waitFor({ state: 'detached' })
})

test('the last owner of an account cannot leave it, and the reason is shown in the user’s language', async () => {
  const page = await openAs(await newMember('owner', otherId), phone)
  await visit(page, '/settings/you')
  await button(page, 'مغادرة: Another shop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'مغادرة' }).click()
  await page.waitForSelector('text=لا بد للحساب من مالك')
})

test('a registered user accepts an invitation only as the invited user', async () => {
  const stranger = await newMember('manager', otherId)
  const token = await createInvitationToken(stranger.email, 'viewer')
  const page = await openAs(await newMember('cashier'), desktop)
  await page.goto(`${service.origin}/invitation#${token}`)
  await page.waitForSelector('text=/You are signed in as .*cashier-/')
  await button(page, 'Sign out, to sign in with that address').click()
  await page.waitForSelector('text=Sign in to join')
  await page.fill('input[name=email]', stranger.email)
  await page.fill('input[name=password]', password)
  await page.keyboard.press('Enter')
  await button(page, 'Accept the invitation').click()
  await page.waitForSelector('header >> text=Demo shop')
  await page.waitForURL((url) => url.pathname === '/')

  await page.goto(`${service.origin}/invitation#${token}`)
  await page.waitForSelector('text=This link no longer works')
  await page.goto(`${service.origin}/settings/you`)
  await button(page, 'Leave: Demo shop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForSelector('header >> text=Another shop')
})

test('for a forgotten password the answer is the same for every address, and a reset link works once', async () => {
  const user = await newMember('viewer')
  const page = await open(phone)
  const answers: string[] = []
  for (const email of [user.email, newEmail()]) {
    await page.goto(service.origin)
    await page.getByRole('link', { name: 'نسيت كلمة المرور؟' }).click()
    await page.fill('input[name=email]', email)
    await page.keyboard.press('Enter')
    answers.push(await page.locator('[role=status]').innerText())
  }
  assert.equal(answers[0], answers[1])
  await expectGood(page, 'the forgotten password')
  const { token } = (await makeResetLink(service.db, user.email, service.clock.now()))!
  await page.goto(`${service.origin}/password#${token}`)
  await page.fill('input[name=new_password]', 'a new one of some length')
  assert.equal(page.url(), `${service.origin}/password`)
  await expectNoFaults(page, 'the new password')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=تم حفظ كلمة المرور الجديدة')
  await page.goto(`${service.origin}/password#${token}`)
  await page.fill('input[name=new_password]', 'one more of some length')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=هذا الرابط لم يعد يعمل')
  await signIn(page, { email: user.email, password: 'a new one of some length' })
})

test('a manager changes the name and the time zone of the account', async () => {
  const page = await openAs(await newMember('manager', otherId), desktop)
  await visit(page, '/settings/account')
  await page.getByLabel('Name of the account').fill('A third shop')
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Riyadh')
  await button(page, 'Save').click()
  await page.waitForSelector('text=Saved')
  await page.waitForSelector('header >> text=A third shop')
  const [[zone]] = (await service.sql('select time_zone from accounts where id = $1', [otherId])) as [[string]]
  assert.equal(zone, 'Asia/Riyadh')
  const timeIn = (name: string): string => clockTime(new Date(service.clock.now()).toISOString(), 'en', name)
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('America/New_York')
  await page.getByText(timeIn('America/New_York')).waitFor()
  await button(page, 'Save').click()
  await page.waitForSelector('text=Saved')
  // The account has another zone than the service: the choice shows the time of the service, not of the account.
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('service')
  await page.getByText(timeIn('Asia/Aden')).waitFor()
})

test('an operator creates an account, sets its quota, and suspends it after a confirmation that says what stops', async () => {
  const user = await newMember('viewer')
  await service.sql('update users set operator = true where id = $1', [user.userId])
  const page = await openAs(user, desktop)
  await visit(page, '/operator/accounts')
  await button(page, 'New account').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Corner shop')
  await page.getByRole('dialog').getByRole('button', { name: 'New account' }).click()
  await page.waitForSelector('main h1:text("Corner shop")')
  await button(page, 'Set quota').click()
  await page.fill('input[name=quota]', '5000')
  await page.getByRole('dialog').getByRole('button', { name: 'Set quota' }).click()
  await page.waitForSelector('dd:has-text("5,000")')
  await button(page, 'Suspend').click()
  await page.getByRole('dialog').getByText('its API keys, sessions and tokens stop').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.waitForSelector('dd:has-text("Suspended")')
  await button(page, 'Resume').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.waitForSelector('dd:has-text("Active")')
  await page.goto(`${service.origin}/operator/accounts`)
  await page.getByLabel('Name or id').fill('corner')
  await page.waitForFunction(() => document.querySelectorAll('table tbody tr').length === 1)
})

test('an operator drafts a template, adds samples, and publishes it when its check passes', async () => {
  const user = await newMember('viewer')
  await service.sql('update users set operator = true where id = $1', [user.userId])
  const page = await openAs(user, desktop)
  await visit(page, '/operator/providers')
  await button(page, 'New provider').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Key').fill('new-wallet')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('New Wallet')
  await button(page, 'Save').click()
  await page.getByRole('row').filter({ hasText: 'new-wallet' }).waitFor()
  await page.goto(`${service.origin}/operator/templates`)
  await button(page, 'New template').click()
  await dialog.getByRole('combobox', { name: 'Provider' }).selectOption('New Wallet')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Money received')
  await dialog.getByLabel('Senders').fill('NEWWALLET')
  await dialog
    .getByLabel('Sentence')
    .fill('You received {amount:money} YER, reference {reference:reference}. Thank you')
  await button(page, 'Save').click()
  await page.waitForSelector('text=It cannot be published yet:')
  await eventually(async () => assert.ok(await button(page, 'Publish').isDisabled()))
  for (const reference of ['220712345678', '220712345679', '220712345680']) {
    await button(page, 'Add a message').click()
    await dialog
      .getByLabel('Text, as the phone shows it')
      .fill(`You received 1,500.00 YER, reference ${reference}. Thank you`)
    await dialog.getByLabel('Amount').fill('1500.00')
    await dialog.getByLabel('Reference').fill(reference)
    await button(page, 'Save').click()
    await dialog.waitFor({ state: 'detached' })
  }
  await button(page, 'Add a text').click()
  await dialog.getByLabel('Text, as the phone shows it').fill('You sent 1,500.00 YER to Amal. Thank you')
  await dialog.getByLabel('What it is').fill('money that was sent')
  await button(page, 'Save').click()
  await page.waitForSelector('text=All samples are read as they should be.')
  await button(page, 'Publish').click()
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await button(page, 'Retire').waitFor()
  await expectNoFaults(page, 'a template')
  await page.goto(`${service.origin}/operator/audit`)
  await page.waitForSelector('text=/A viewer.* published the template .*Money received/')
})
