/**
 * Settings, operators and the pages for people without a session, in the real browser: a second factor, sessions that
 * end, people who are invited and what they then see, and what operators do.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { makeResetLink } from '../../server/src/accounts/change-password.ts'
import { createInvitation } from '../../server/src/accounts/manage-invitations.ts'
import type { MemberRole } from '../../server/src/accounts/permission.ts'
import { accountOfWallet, somebody } from '../../server/test/people.ts'
import { desk, expectFits, expectNoFaults, openDashboard, phone } from './browser.ts'

const { house, open, signIn, complaints } = await openDashboard()
const accountId = await accountOfWallet(house, house.demo.wallets.main)
const otherId = await accountOfWallet(house, house.demo.other.wallet)
const password = 'a password of a story'

const person = async (role: MemberRole, account = accountId) => {
  const { email, userId } = await somebody(house, account, role)
  return { email, password, userId }
}
const invited = async (email: string, role: MemberRole): Promise<string> => {
  const made = await createInvitation(house.db, { accountId, email, role, by: null }, house.clock.now())
  assert.ok(!('refused' in made))
  return made.token
}
const newcomer = (): string => `newcomer-${randomUUID().slice(0, 8)}@sanad.example`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const signOut = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForSelector('input[name=email]')
}
const knock = async (page: Page, email: string, code: string): Promise<void> => {
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await page.keyboard.press('Enter')
  await page.fill('input[name=code]', code)
  await page.keyboard.press('Enter')
}

test('a second factor is set up in the browser; then a code of it signs in once, and a recovery code once', async () => {
  const who = await person('manager')
  const page = await open(desk)
  await signIn(page, who, '/settings/you')
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
  const codeNow = (): string => generateSync({ secret, epoch: Math.floor(house.clock.now() / 1000) })
  await dialog.locator('input[name=code]').fill('000000')
  await button(page, 'Switch on').click()
  await page.waitForSelector('text=This code is wrong')
  await dialog.locator('input[name=code]').fill(codeNow())
  await button(page, 'Switch on').click()
  await page.waitForSelector('text=Your recovery codes')
  const codes = await page.getByRole('dialog').locator('li bdi.code').allInnerTexts()
  assert.equal(new Set(codes).size, 10)
  await expectNoFaults(page, 'the recovery codes')
  // Escape would lose them: only the promise closes.
  await page.keyboard.press('Escape')
  await button(page, 'I have stored it').click()
  await page.waitForSelector('text=10 recovery codes left')
  assert.equal(await page.getByText(codes[0]!).count(), 0)

  await signOut(page, /A manager/)
  const used = codeNow()
  await knock(page, who.email, used)
  await page.waitForSelector('[role=alert]')
  house.clock.advance(30_000)
  await page.fill('input[name=code]', codeNow())
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=10 recovery codes left')

  await signOut(page, /A manager/)
  await knock(page, who.email, codes[3]!)
  await page.waitForSelector('text=9 recovery codes left')
  await signOut(page, /A manager/)
  await knock(page, who.email, codes[3]!)
  await page.waitForSelector('[role=alert]')

  house.clock.advance(30_000)
  await page.fill('input[name=code]', codes[4]!)
  await page.keyboard.press('Enter')
  await button(page, 'Switch off').click()
  await page.getByRole('dialog').locator('input[name=password]').fill(password)
  await page.getByRole('dialog').locator('input[name=code]').fill(codeNow())
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await button(page, 'Set up').waitFor()
  assert.deepEqual(complaints, [])
})

test('a session that is ended in one browser signs the other one out by itself', async () => {
  const who = await person('viewer')
  const here = await open(desk)
  const there = await open(phone)
  await signIn(here, who, '/settings/you')
  await signIn(there, who)
  await here.reload()
  const sessions = here.getByRole('table', { name: 'Where you are signed in' })
  await sessions.waitFor()
  // One more is the story's own hand.
  assert.equal(await sessions.getByText('This one').count(), 1)
  await button(here, 'End all others').click()
  await here.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
  await here.waitForFunction(() => document.querySelectorAll('table tbody tr').length === 1)
  // A session is looked up anew after two seconds at most.
  house.clock.advance(3000)
  await there.waitForSelector('input[name=email]')
  await there.waitForSelector('text=انتهت جلستك')
  assert.ok(await sessions.getByText('This one').isVisible())
})

test('the password is changed with the old one, and the new one signs in', async () => {
  const who = await person('cashier')
  const page = await open(desk)
  await signIn(page, who, '/settings/you')
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
  await signIn(page, { email: who.email, password: 'another password entirely' })
})

test('an owner invites a cashier, who sets a name and a password, is in, and finds no keys there', async () => {
  const page = await open(desk)
  await signIn(page, house.demo.dashboard, '/settings/members')
  await button(page, 'Invite').click()
  const email = newcomer()
  await page.fill('input[name=invited]', email)
  await page.getByRole('radio', { name: 'Viewer' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('table', { name: 'Invitations' }).getByText(email).waitFor()
  // No mail is set up here: the operator prints the link.
  await page.waitForSelector(`text=npx sanad member invite --account ${accountId} --email ${email}`)
  await expectNoFaults(page, 'the members')
  await button(page, 'Withdraw').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.waitForSelector('text=Nobody is invited.')

  const theirs = newcomer()
  const token = await invited(theirs, 'cashier')
  const guest = await open(phone)
  await guest.goto(`${house.origin}/invitation#${token}`)
  await guest.waitForSelector('input[name=new_password]')
  assert.equal(guest.url(), `${house.origin}/invitation`)
  await guest.waitForSelector('text=أمين صندوق')
  await expectNoFaults(guest, 'the invitation')
  await expectFits(guest, 'the invitation')
  // The language turns the page, and the token is not lost by it.
  await guest.click('button[lang=en]')
  await guest.fill('input[name=name]', 'Amal Saleh')
  await guest.fill('input[name=new_password]', 'a password of amal')
  await button(guest, 'Join').click()
  await guest.waitForSelector('main h1:text("Today")')
  assert.ok(!(await guest.evaluate(() => JSON.stringify([location.href, history.state]))).includes(token))

  await button(guest, 'More').click()
  await guest.getByRole('dialog').getByRole('link', { name: 'Settings' }).waitFor()
  for (const hidden of ['API keys', 'Phones', 'Webhooks', 'Operator'])
    assert.equal(await guest.getByRole('dialog').getByRole('link', { name: hidden }).count(), 0, hidden)
  await guest.goto(`${house.origin}/keys`)
  await guest.waitForSelector('text=Your role does not open this page.')
  await guest.goto(`${house.origin}/settings`)
  await guest.getByRole('link', { name: /^Account/ }).waitFor()
  assert.equal(await guest.getByRole('link', { name: /^(Members|Audit log)/ }).count(), 0)

  const members = page.getByRole('table', { name: 'Members' })
  const amal = members.getByRole('row').filter({ hasText: theirs })
  await amal.getByText('Cashier').waitFor()
  await amal.getByRole('button', { name: 'Change role' }).click()
  await page.getByRole('radio', { name: 'Manager' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await amal.getByText('Manager').waitFor()
  await page.goto(`${house.origin}/settings/audit`)
  await page.waitForSelector(`text=/Demo owner.* changed the role of .*${theirs}/`)
  await button(page, 'What changed').first().click()
  const difference = page.getByRole('table', { name: 'What changed' })
  await difference.locator('del', { hasText: 'cashier' }).waitFor()
  await difference.getByText('manager').waitFor()
  await expectNoFaults(page, 'the audit log')
  await page.goto(`${house.origin}/settings/audit?kind=template`)
  await page.waitForSelector('text=Nothing fits these filters.')

  await page.goto(`${house.origin}/settings/members`)
  await amal.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await amal.waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
})

test('the last owner cannot leave, and is told so in their language', async () => {
  const page = await open(phone)
  await signIn(page, await person('owner', otherId), '/settings/you')
  await button(page, 'غادر: Another shop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'غادر' }).click()
  await page.waitForSelector('text=لا بد للحساب من مالك')
})

test('somebody who signs in here already accepts an invitation as nobody but themselves', async () => {
  const stranger = await person('manager', otherId)
  const token = await invited(stranger.email, 'viewer')
  const page = await open(desk)
  await signIn(page, await person('cashier'))
  await page.goto(`${house.origin}/invitation#${token}`)
  await page.waitForSelector('text=/You are signed in as .*cashier-/')
  await button(page, 'Sign out, to sign in as them').click()
  await page.waitForSelector('text=Sign in to join')
  await page.fill('input[name=email]', stranger.email)
  await page.fill('input[name=password]', password)
  await page.keyboard.press('Enter')
  await button(page, 'Accept the invitation').click()
  await page.waitForSelector('header >> text=Demo shop')
  assert.equal(new URL(page.url()).pathname, '/')

  await page.goto(`${house.origin}/invitation#${token}`)
  await page.waitForSelector('text=This link no longer works')
  await page.goto(`${house.origin}/settings/you`)
  await button(page, 'Leave: Demo shop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForSelector('header >> text=Another shop')
  assert.deepEqual(complaints, [])
})

test('a forgotten password: the answer is the same for everybody, and a link sets a new one once', async () => {
  const who = await person('viewer')
  const page = await open(phone)
  const said: string[] = []
  for (const email of [who.email, newcomer()]) {
    await page.goto(house.origin)
    await page.getByRole('link', { name: 'نسيت كلمة المرور؟' }).click()
    await page.fill('input[name=email]', email)
    await page.keyboard.press('Enter')
    said.push(await page.locator('[role=status]').innerText())
  }
  assert.equal(said[0], said[1])
  await expectNoFaults(page, 'the forgotten password')
  await expectFits(page, 'the forgotten password')
  const { token } = (await makeResetLink(house.db, who.email, house.clock.now()))!
  await page.goto(`${house.origin}/password#${token}`)
  await page.fill('input[name=new_password]', 'a new one of some length')
  assert.equal(page.url(), `${house.origin}/password`)
  await expectNoFaults(page, 'the new password')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=عُيّنت كلمة المرور الجديدة')
  await page.goto(`${house.origin}/password#${token}`)
  await page.fill('input[name=new_password]', 'one more of some length')
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=هذا الرابط لم يعد يعمل')
  await signIn(page, { email: who.email, password: 'a new one of some length' })
  assert.deepEqual(complaints, [])
})

test('a manager renames the account and moves its days to another zone', async () => {
  const page = await open(desk)
  await signIn(page, await person('manager', otherId), '/settings/account')
  await page.getByLabel('Name of the account').fill('A third shop')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('riyadh')
  await page.getByRole('option', { name: 'Asia/Riyadh' }).click()
  await button(page, 'Save').click()
  await page.waitForSelector('text=Saved')
  await page.waitForSelector('header >> text=A third shop')
  const [[zone]] = (await house.sql('select time_zone from accounts where id = $1', [otherId])) as [[string]]
  assert.equal(zone, 'Asia/Riyadh')
})

test('an operator makes an account, gives it a quota, and stops it after a question that says what stops', async () => {
  const who = await person('viewer')
  await house.sql('update users set operator = true where id = $1', [who.userId])
  const page = await open(desk)
  await signIn(page, who, '/operator/accounts')
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
  await page.goto(`${house.origin}/operator/accounts`)
  await page.getByLabel('Name or id').fill('corner')
  await page.waitForFunction(() => document.querySelectorAll('table tbody tr').length === 1)
  assert.deepEqual(complaints, [])
})

test('an operator drafts a template, teaches it, and publishes it when the bench is green', async () => {
  const who = await person('viewer')
  await house.sql('update users set operator = true where id = $1', [who.userId])
  const page = await open(desk)
  await signIn(page, who, '/operator/providers')
  await button(page, 'New provider').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Key').fill('new-wallet')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('New Wallet')
  await button(page, 'Save').click()
  await page.getByRole('row').filter({ hasText: 'new-wallet' }).waitFor()
  await page.goto(`${house.origin}/operator/templates`)
  await button(page, 'New template').click()
  await dialog.getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'New Wallet' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Money received')
  await dialog.getByLabel('Senders').fill('NEWWALLET')
  await dialog
    .getByLabel('Sentence')
    .fill('You received {amount:money} YER, reference {reference:reference}. Thank you')
  await button(page, 'Save').click()
  await page.waitForSelector('text=It cannot be published yet:')
  assert.ok(await button(page, 'Publish').isDisabled())
  for (const reference of ['220712345678', '220712345679', '220712345680']) {
    await button(page, 'Add an alert').click()
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
  await page.goto(`${house.origin}/operator/audit`)
  await page.waitForSelector('text=/A viewer.* published the template .*Money received/')
  assert.deepEqual(complaints, [])
})
