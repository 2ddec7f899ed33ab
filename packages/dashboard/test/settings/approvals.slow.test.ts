/** Approvals in a real browser: a manager's form asks the owner, and the owner confirms or declines on the start page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { askAt } from '../../../server/test/support/story.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { all } from '../../src/words/all.ts'
import { desktop, eventually, expectGood, phone as narrow, openDashboard, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, clock } = service
const staff = await createMembers(service)

const looks = process.env.SANAD_SHOTS
const shot = async (page: Page, name: string): Promise<void> => {
  if (looks !== undefined) await page.screenshot({ path: `${looks}/${name}.png`, fullPage: true })
}
const walletOf = async () => (await staff.owner.ask('GET', `/wallets/${demo.wallets.main}/`)).body

for (const look of [narrow, desktop]) {
  const { language, width } = look
  const named = (name: string): string => `${name}-${language}-${width}`
  const words = all[language]

  test(`a manager asks for another sender, and an owner confirms it with one touch, ${language}`, async () => {
    const number = `+96777700000${width % 7}`
    const page = await openAs(staff.manager, look)
    await visit(page, '/wallets')
    const row = page.locator('tr, article, li, .card').filter({ hasText: 'Main wallet' }).last()
    await row.getByRole('button', { name: textPattern(language, 'part.change') }).click()
    const form = page.getByRole('dialog')
    const sender = form.getByLabel(textPattern(language, 'wallets.sender')).first()
    await eventually(async () => assert.notEqual(await sender.inputValue(), ''))
    await sender.fill(number)
    await form.locator('button[type=submit]').click()
    await form.getByText(words['approvals.reason.sender'], { exact: false }).waitFor()
    await expectGood(page, 'the form of a wallet that needs an owner')
    await form.getByRole('button', { name: words['approvals.ask'] }).scrollIntoViewIfNeeded()
    await shot(page, named('ask'))
    await form.getByRole('button', { name: words['approvals.ask'] }).click()
    await form.getByText(words['approvals.asked']).waitFor()
    assert.equal((await walletOf()).sender_name, 'Jawali')
    await visit(page, '/')
    await page.getByRole('button', { name: words['act.withdraw'] }).waitFor()
    assert.equal(await page.getByRole('button', { name: words['act.confirm'], exact: true }).count(), 0)
    await shot(page, named('manager-start'))

    const owners = await openAs(staff.owner, look)
    await visit(owners, '/')
    const card = owners.getByRole('article').filter({ hasText: number })
    await card.getByText(words['approvals.reason.sender'], { exact: false }).waitFor()
    await expectGood(owners, 'the start page with an approval')
    await shot(owners, named('owner-start'))
    await card.getByRole('button', { name: words['act.confirm'], exact: true }).click()
    await card.waitFor({ state: 'detached' })
    assert.equal((await walletOf()).sender_name, number)
    await visit(page, '/approvals')
    await page.getByText(words['approvals.state.confirmed'], { exact: false }).first().waitFor()
    await expectGood(page, 'the list of approvals')
    await shot(page, named('list'))
    await staff.owner.ask('PATCH', `/wallets/${demo.wallets.main}/`, { body: { sender_name: 'Jawali' } })
    await Promise.all([page.context().close(), owners.context().close()])
  })

  test(`an owner sees every sender and every app of a long list before confirming, ${language}`, async () => {
    const packages = Array.from({ length: 19 }, (_, n) => `com.example.wallet${n}.${'x'.repeat(1 + n * 6)}`)
    const provider = await staff.manager.ask('POST', '/providers/', { body: { name: `own-${width}`, packages } })
    const senders = Array.from({ length: 19 }, (_, n) => `Sender number ${n}, ${'y'.repeat(1 + n * 2)}`)
    const body = {
      provider: provider.body.id,
      name: `Long ${width}`,
      sender_names: [...senders, '+967777000099'],
      direction: 'credit',
      currency: 'YER',
      sentence: `${width} you got {amount:money} YER ref {reference:reference} thanks`,
      samples: [
        { text: `${width} you got 1,500 YER ref 123450 thanks`, expect: { amount: '1500.00', reference: '123450' } },
      ],
      counter_samples: [{ text: `${width} you paid 1,500 YER ref 123450 thanks`, why: 'debit' }],
    }
    const template = (await staff.manager.ask('POST', '/templates/', { body })).body.id
    const asked = await staff.manager.ask('POST', `/templates/${template}/ask/`)
    assert.equal(asked.status, 201, asked.text)
    const page = await openAs(staff.owner, look)
    await visit(page, '/approvals')
    const card = page.getByRole('article').filter({ hasText: `Long ${width}` })
    for (const name of [...packages, ...body.sender_names])
      await card.getByText(name, { exact: true }).first().waitFor()
    for (const count of ['19', '20'])
      await card.getByText(words['approvals.list.added'].replace('{{count}}', count), { exact: true }).waitFor()
    await card.getByText(words['approvals.value.own'], { exact: false }).waitFor()
    await expectGood(page, 'an approval with long lists')
    await shot(page, named('long-lists'))
    await visit(page, '/')
    await shot(page, named('long-lists-start'))
    await staff.owner.ask('POST', `/approvals/${asked.body.id}/decline/`)
  })

  test(`the page of a phone says that another app used its address, ${language}`, async () => {
    clock.advance(60_000)
    const url = `${service.origin}/ingest/sms-forwarder/${demo.device.ingest_token}`
    assert.equal((await askAt(url, 'POST', { body: { from: 'Jawali', text: 'x' } })).status, 401)
    const page = await openAs(staff.owner, look)
    await visit(page, `/phones/${demo.device.id}`)
    await page.getByText(words['phones.refusedApp']).waitFor()
    await expectGood(page, 'the phone with a refused app')
    await shot(page, named('phone'))
  })
}
