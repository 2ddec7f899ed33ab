/**
 * A day of 200 sales of all kinds, after a smaller day a week ago and one yesterday (day-of-sales.ts drives them): the sums are read
 * from the rendered screens, in Arabic on a phone, from the prints and from the files, and must be those of the driver.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { day_ms, hour_ms, minute_ms } from '../../../server/src/core/duration.ts'
import { zoneOf } from '../../../server/src/core/zone.ts'
import { countService, sampleService } from '../../../server/src/work/measure-service.ts'
import {
  type DrivenPayment,
  daysOfSales,
  hasArrived,
  isSpent,
  minorOf,
  sumOf,
} from '../../../server/test/support/sales/day-of-sales.ts'
import { storyPassword } from '../../../server/test/support/users.ts'
import { all } from '../../src/words/all.ts'
import { desktop, eventually, giveProof, phone as narrow, openDashboard, textPattern } from '../browser.ts'

const { service, openAs, visit, complaints } = await openDashboard()
const { clock, db, sql } = service
const shop = await daysOfSales(service, Number(process.env.SANAD_DAY_SEED ?? 7))
const { owner, operator, payments } = shop
const names = ['هدى المثال', 'سالم المثال', 'أمل المثال'] as const
for (const [n, name] of names.entries())
  await sql('update users set name = $2 where id = $1', [shop.cashiers[n]!.userId, name])

// A week ago, yesterday until the evening, and today.
await shop.goTo(1, 8)
await shop.drive(15, 20 * minute_ms)
await shop.goTo(6, 8)
await shop.drive(25, 18 * minute_ms)
await shop.goTo(1, 8)
const midnight = clock.now() - 8 * hour_ms
const shifts: string[] = []
for (const { ask } of shop.cashiers.slice(0, 2)) shifts.push((await ask('POST', '/shifts/')).body.id)
await shop.drive(200)
// The operator's figures of an hour are counted some minutes later.
clock.advance(15 * minute_ms)
await sampleService(db, clock.now())
while (await countService(db, clock.now()));

const zone = zoneOf('Asia/Aden')
const dateOf = ({ at }: { readonly at: number }): string => zone.format(new Date(at)).slice(0, 10)
const today = dateOf({ at: clock.now() })
const ofToday = payments.filter(({ at }) => at >= midnight)
const t = (key: Parameters<typeof textPattern>[1]): RegExp => textPattern('ar', key)

/** Amounts of a text, in minor units; counts in brackets. */
const moneysIn = (text: string): bigint[] =>
  [...text.matchAll(/\d[\d,]*(?:\.\d\d)?(?=[^\d]*ر\.ي)/g)].map(([amount]) =>
    minorOf(amount.includes('.') ? amount.replaceAll(',', '') : `${amount.replaceAll(',', '')}.00`),
  )
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' ')
const textOf = async (place: Locator): Promise<string> => plain(await place.innerText())
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

type Row = { readonly count: number; readonly amount: bigint }
const figureOf = (some: readonly DrivenPayment[]): Row => ({ count: some.length, amount: sumOf(some) })
/** What a group of a table of sums shows: its head, each kind with money, and what stands beside them. */
const groupOf = (some: readonly DrivenPayment[], head: 'arrived' | 'verified'): Record<string, Row> => {
  const of = (outcome: DrivenPayment['outcome']): Row => figureOf(some.filter((one) => one.outcome === outcome))
  const forgiven = some.reduce((sum, one) => sum + (one.forgiven ?? 0n), 0n)
  const rows: [string, Row][] = [
    ['head', figureOf(some.filter(head === 'arrived' ? hasArrived : isSpent))],
    ['sums.matched', of('matched')],
    ['sums.sale', of('sale')],
    ['sums.booked', of('booked')],
    ['sums.unmatched', of('unmatched')],
    ['sums.wrong_amount', of('wrong_amount')],
    ['sums.dismissed', of('dismissed')],
    ['sums.forgiven', { count: 0, amount: forgiven }],
    ['sums.notHandedOver', figureOf(some.filter((one) => isSpent(one) && one.handed !== true))],
  ]
  return Object.fromEntries(rows.filter(([, { amount }]) => amount > 0n))
}
const ofCashier = (by: number | undefined): DrivenPayment[] => ofToday.filter((one) => isSpent(one) && one.by === by)

/** The groups of a narrow table of sums, as it is seen. */
const tableOf = async (label: Locator): Promise<Record<string, Record<string, Row>>> => {
  const groups = await label.locator('tbody').evaluateAll((bodies) =>
    bodies.map((body) =>
      [...body.querySelectorAll('tr')].map((row) => ({
        name: row.querySelector('th')!.innerText,
        amount: row.querySelector('td')!.innerText,
      })),
    ),
  )
  const keys = new Map(
    Object.entries(all.ar).flatMap(([key, text]) => (key.startsWith('sums.') ? [[text as string, key] as const] : [])),
  )
  return Object.fromEntries(
    groups.map((rows) => {
      const read = rows.map(({ name, amount }, n): [string, Row] => {
        const [, about = '', count = '0'] = /^(.*?)(?: ?\((\d+)\))?$/.exec(plain(name).trim())!
        return [
          n === 0 ? about : (keys.get(about) ?? about),
          { count: Number(count), amount: moneysIn(plain(amount))[0]! },
        ]
      })
      const [[head, figure], ...kinds] = read as [[string, Row], ...[string, Row][]]
      return [head, { head: figure, ...Object.fromEntries(kinds) }]
    }),
  )
}
const linesOf = (text: string): Record<string, string>[] => {
  const [head = '', ...rows] = text.replace('\ufeff', '').trim().split('\r\n')
  const columns = head.split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, n) => [columns[n]!, cell])))
}
const fileBy = async (page: Page, click: () => Promise<void>): Promise<string> => {
  const [file] = await Promise.all([page.waitForEvent('download'), click()])
  return readFile(await file.path(), 'utf8')
}
const csvSum = (lines: readonly Record<string, string>[], column = 'amount'): bigint =>
  total(lines.map((line) => minorOf(line[column] || '0.00')))
/** Touches the button for more until all lines are there. Then the button is gone. */
const touchToEnd = async (more: Locator, lines: Locator, count: number): Promise<void> => {
  await eventually(async () => {
    // With the last lines it goes, also between two looks: then nothing is clicked.
    if ((await more.count()) > 0) await more.click({ timeout: 1_000 }).catch(() => {})
    assert.equal(await lines.count(), count)
  })
  assert.equal(await more.count(), 0)
}

test('the driven days have every kind of sale', () => {
  for (const kind of [
    'sale',
    'order',
    'unique',
    'booked',
    'accepted',
    'rest',
    'undone',
    'wrong',
    'aside',
    'nobody',
  ] as const)
    assert.ok(shop.kinds[kind]! > 2, kind)
  assert.ok(ofToday.length >= 200)
})

test('Today: what arrived, against the same time of yesterday and a week ago, and what needs the owner', async () => {
  const page = await openAs(owner, narrow)
  await visit(page, '/')
  const head = page.getByRole('region', { name: t('today.arrived') })
  await head.waitFor()
  const before = (days: number): bigint =>
    sumOf(
      payments.filter(
        (one) => hasArrived(one) && one.at >= midnight - days * day_ms && one.at < clock.now() - days * day_ms,
      ),
    )
  const text = await textOf(head)
  const of = (outcome: DrivenPayment['outcome']): Row => figureOf(ofToday.filter((one) => one.outcome === outcome))
  const [spent, open, wrong, aside] = [
    figureOf(ofToday.filter(isSpent)),
    of('unmatched'),
    of('wrong_amount'),
    of('dismissed'),
  ]
  const forgiven = ofToday.reduce((sum, one) => sum + (one.forgiven ?? 0n), 0n)
  assert.deepEqual(
    moneysIn(text),
    [
      sumOf(ofToday.filter(hasArrived)),
      before(1),
      before(7),
      spent.amount,
      open.amount,
      wrong.amount,
      forgiven,
      aside.amount,
    ],
    text,
  )
  assert.ok(before(1) > 0n && before(7) > 0n)
  const parts = await head.locator('li').allInnerTexts()
  assert.deepEqual(
    parts.map((part) => Number(/· *(\d+)/.exec(plain(part))![1])),
    [spent.count, open.count, wrong.count],
  )
  const needs = await page
    .getByRole('region', { name: t('today.attention') })
    .locator('li')
    .allInnerTexts()
  const everOpen = (outcome: DrivenPayment['outcome']): bigint =>
    sumOf(payments.filter((one) => one.outcome === outcome))
  assert.deepEqual(
    needs.flatMap((line) => moneysIn(plain(line))),
    [everOpen('wrong_amount'), everOpen('unmatched')],
    needs.join(),
  )
  await page.context().close()
})

test('the pictures: 14 days by wallet, the hours of today and the usual ones, with their tables and files', async () => {
  const page = await openAs(owner, narrow)
  await visit(page, '/')
  await page.getByRole('heading', { name: t('today.pictures') }).scrollIntoViewIfNeeded()
  const tableRows = async (title: RegExp): Promise<string[][]> => {
    const picture = page.getByRole('region', { name: title })
    await picture.getByRole('button', { name: /^جدول: / }).click()
    const rows = await picture.getByRole('table').getByRole('row').all()
    return Promise.all(rows.slice(1).map(async (row) => (await row.getByRole('cell').allInnerTexts()).map(plain)))
  }
  const days = await tableRows(t('picture.days'))
  assert.equal(days.length, 14)
  for (const [n, cells] of days.entries()) {
    const start = midnight - (13 - n) * day_ms
    const ofDay = payments.filter((one) => hasArrived(one) && one.at >= start && one.at < start + day_ms)
    for (const wallet of [0, 1])
      assert.equal(moneysIn(cells[wallet]!)[0] ?? 0n, sumOf(ofDay.filter((one) => one.wallet === wallet)), `day ${n}`)
  }
  const hours = await tableRows(t('picture.today'))
  assert.equal(hours.length, 24)
  for (const [hour, cells] of hours.entries()) {
    const within = (one: DrivenPayment, days: number): boolean => {
      const start = midnight - days * day_ms + hour * hour_ms
      return hasArrived(one) && one.at >= start && one.at < start + hour_ms
    }
    assert.equal(moneysIn(cells[0]!)[0], sumOf(payments.filter((one) => within(one, 0))), `hour ${hour}`)
    assert.equal(moneysIn(cells[1]!)[0], sumOf(payments.filter((one) => within(one, 7))), `usual of hour ${hour}`)
  }
  const picture = page.getByRole('region', { name: t('picture.days') })
  const file = linesOf(await fileBy(page, () => picture.getByRole('button', { name: /^CSV: / }).click()))
  const last = Object.values(file.at(-1)!)
  assert.equal(last[0], today)
  assert.equal(total(last.slice(1).map(minorOf)), sumOf(ofToday.filter(hasArrived)))
  await page.context().close()
})

test('the roll of the counter, to its end: every payment once, in the state that it has', async () => {
  const page = await openAs(shop.cashiers[0]!, narrow)
  await visit(page, '/counter')
  const lines = page.locator('article[data-tone]')
  await lines.first().waitFor()
  await touchToEnd(page.getByRole('button', { name: t('counter.older') }), lines, payments.length)
  const read = await lines.evaluateAll((found) =>
    found.map((line) => ({ tone: (line as HTMLElement).dataset.tone!, amount: line.querySelector('bdi')!.innerText })),
  )
  const shown = (tone: string): Row => {
    const amounts = read.filter((line) => line.tone === tone).flatMap(({ amount }) => moneysIn(plain(amount)))
    return { count: amounts.length, amount: total(amounts) }
  }
  const isDone = (one: DrivenPayment): boolean => one.outcome === 'dismissed' || (isSpent(one) && one.handed === true)
  assert.deepEqual(
    { new: shown('new'), look: shown('look'), paid: shown('paid'), done: shown('done') },
    {
      new: figureOf(payments.filter(({ outcome }) => outcome === 'unmatched')),
      look: figureOf(payments.filter(({ outcome }) => outcome === 'wrong_amount')),
      paid: figureOf(payments.filter((one) => isSpent(one) && !isDone(one))),
      done: figureOf(payments.filter(isDone)),
    },
  )
  await page.context().close()
})

test('day close on a phone, wide and on paper: wallets, the total, and who took the money; its file', async () => {
  const page = await openAs(owner, narrow)
  await visit(page, '/day-close')
  const wallets = page.getByRole('table', { name: t('day.ofWallets') }).filter({ visible: true })
  const takers = page.getByRole('table', { name: t('day.takers') }).filter({ visible: true })
  await wallets.waitFor()
  const expected = {
    'Main wallet': groupOf(
      ofToday.filter(({ wallet }) => wallet === 0),
      'arrived',
    ),
    'Second wallet': groupOf(
      ofToday.filter(({ wallet }) => wallet === 1),
      'arrived',
    ),
    [all.ar['field.total']]: groupOf(ofToday, 'arrived'),
  }
  const byTaker = [
    ...[0, 1, 2].map((by) => groupOf(ofCashier(by), 'verified')),
    groupOf(ofCashier(undefined), 'verified'),
  ]
  const expectTakers = async (): Promise<void> => {
    const shown = Object.entries(await tableOf(takers))
    assert.equal(shown.length, 4)
    for (const [n, name] of [...names, all.ar['day.nobody']].entries()) {
      const found = shown.find(([about]) => about.startsWith(name))
      assert.deepEqual(found?.[1], byTaker[n], name)
    }
  }
  assert.deepEqual(await tableOf(wallets), expected)
  await expectTakers()
  // On paper the same table is printed.
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await tableOf(wallets), expected)
  await expectTakers()
  await page.emulateMedia({ media: 'screen' })
  const lines = linesOf(await fileBy(page, () => page.getByRole('link', { name: t('act.csv') }).click()))
  assert.ok(lines.length > 3)
  // On a wide screen the kinds are columns.
  await page.setViewportSize({ width: desktop.width, height: 900 })
  const row = wallets.getByRole('row').filter({ hasText: all.ar['field.total'] })
  const heads = (await wallets.getByRole('columnheader').allInnerTexts()).map((head) => plain(head).trim())
  const cells = (await row.getByRole('cell').allInnerTexts()).map(plain)
  for (const key of [
    'sums.matched',
    'sums.sale',
    'sums.booked',
    'sums.unmatched',
    'sums.wrong_amount',
    'sums.dismissed',
    'sums.forgiven',
    'sums.notHandedOver',
  ] as const)
    assert.equal(moneysIn(cells[heads.indexOf(all.ar[key])]!)[0], expected[all.ar['field.total']]![key]!.amount, key)
  await page.context().close()
})

test('the day of each wallet, with all of its messages and its file', async () => {
  const page = await openAs(owner, desktop)
  for (const [n, wallet] of shop.wallets.entries()) {
    const own = ofToday.filter((one) => one.wallet === n)
    await visit(page, `/day-close?wallet=${wallet.id}`)
    const became = page.locator('main dl').filter({ hasText: all.en['state.VERIFIED'] }).last()
    await became.waitFor()
    const text = plain(await became.innerText())
    const figures = [...text.matchAll(/([\d,]+\.\d\d) YER/g)].map(([, amount]) => minorOf(amount!.replaceAll(',', '')))
    const of = (outcome: DrivenPayment['outcome']): bigint => sumOf(own.filter((one) => one.outcome === outcome))
    for (const expected of [sumOf(own.filter(isSpent)), of('unmatched'), of('wrong_amount'), of('dismissed')])
      assert.ok(figures.includes(expected), `${expected} in ${text}`)
    const rows = page.getByRole('table', { name: all.en['day.lines'] }).locator('tbody tr')
    await rows.first().waitFor()
    const [[messages]] = (await sql(
      "select count(*) from alerts where wallet_id = $1 and received_at >= $2 and state <> 'duplicate'",
      [wallet.id, new Date(midnight).toISOString()],
    )) as [[string]]
    await touchToEnd(page.getByRole('button', { name: textPattern('en', 'part.more') }), rows, Number(messages))
    const seen = await rows.evaluateAll((found) =>
      found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText)),
    )
    const paidWords = [all.en['unmatched.state.matched'], all.en['unmatched.state.booked']] as string[]
    const paid = seen.filter((cells) => cells.some((cell) => paidWords.includes(plain(cell).trim())))
    assert.equal(paid.length, own.filter(isSpent).length)
    const amounts = paid.map((cells) => minorOf(/[\d,]+\.\d\d/.exec(plain(cells[0]!))![0].replaceAll(',', '')))
    assert.equal(total(amounts), sumOf(own.filter(isSpent)))
    const lines = linesOf(
      await fileBy(page, () => page.getByRole('link', { name: textPattern('en', 'act.csv') }).click()),
    )
    const spentLines = lines.filter(
      ({ line, state }) => line === 'alert' && (state === 'matched' || state === 'booked'),
    )
    assert.equal(csvSum(spentLines), sumOf(own.filter(isSpent)))
  }
  await page.context().close()
})

test('the shift of each cashier, on the screen, on paper of 58 mm and in its file', async () => {
  const page = await openAs(owner, narrow)
  await visit(page, '/shifts')
  for (const [by, id] of shifts.entries()) {
    await page.getByRole('link', { name: names[by]! }).first().waitFor()
    await visit(page, `/shifts/${id}`)
    const took = page.getByRole('table', { name: t('shift.took') })
    await took.waitFor()
    const own = ofCashier(by)
    const expected = {
      'Main wallet': groupOf(
        own.filter(({ wallet }) => wallet === 0),
        'verified',
      ),
      'Second wallet': groupOf(
        own.filter(({ wallet }) => wallet === 1),
        'verified',
      ),
      [all.ar['field.total']]: groupOf(own, 'verified'),
    }
    assert.deepEqual(await tableOf(took), expected)
    await page.emulateMedia({ media: 'print' })
    assert.deepEqual(await tableOf(took), expected)
    await page.emulateMedia({ media: 'screen' })
    const file = linesOf(await fileBy(page, () => page.getByRole('link', { name: t('act.csv') }).click()))
    assert.equal(csvSum(file.filter(({ line }) => line === 'payment')), sumOf(own))
    await visit(page, '/shifts')
  }
  await page.context().close()
})

test('the queue, to its end: money without an order, wrong amounts, set aside', async () => {
  const page = await openAs(owner, narrow)
  for (const [state, outcome] of [
    ['waiting', 'unmatched'],
    ['wrong_amount', 'wrong_amount'],
    ['dismissed', 'dismissed'],
  ] as const) {
    await visit(page, `/unmatched?state=${state}`)
    const cards = page.locator('main li button[aria-expanded]')
    await cards.first().waitFor()
    const expected = figureOf(payments.filter((one) => one.outcome === outcome))
    await touchToEnd(page.getByRole('button', { name: t('part.more') }), cards, expected.count)
    const amounts = (await cards.allInnerTexts()).map((card) => moneysIn(plain(card))[0]!)
    assert.equal(total(amounts), expected.amount, state)
    if (outcome !== 'dismissed') {
      const chip = all.ar[`unmatched.state.${state}` as const]
      await page
        .getByText(new RegExp(`^${chip} \\(${expected.count}\\)$`))
        .first()
        .waitFor()
    }
  }
  await page.context().close()
})

test('the list of paid intents, page by page, and the file of all', async () => {
  const page = await openAs(owner, { ...desktop, language: 'ar' })
  const paid = payments.filter(isSpent)
  const amounts: bigint[] = []
  for (let number = 1, pages = 1; number <= pages; number++) {
    await visit(page, `/intents?status=VERIFIED&page=${number}`)
    const rows = page.getByRole('table').locator('tbody tr')
    await rows.first().waitFor()
    const found = await textOf(page.locator('main').getByText(/^\d+ طلب(?:ات)? دفع$/))
    const count = Number(/\d+/.exec(found)![0])
    assert.equal(count, paid.length, found)
    pages = Math.ceil(count / 20)
    await eventually(async () => assert.equal(await rows.count(), Math.min(20, count - (number - 1) * 20)))
    const cells = await rows.evaluateAll((all) => all.map((row) => row.querySelector('td')!.innerText))
    amounts.push(...cells.map((cell) => moneysIn(plain(cell))[0]!))
  }
  assert.equal(amounts.length, paid.length)
  assert.equal(total(amounts), sumOf(paid))
  const text = await fileBy(page, async () => {
    await page.getByRole('link', { name: t('act.csv') }).click()
    await giveProof(page, storyPassword)
  })
  const lines = linesOf(text).filter(({ status }) => status === 'VERIFIED')
  assert.equal(lines.length, paid.length)
  assert.equal(csvSum(lines, 'arrived_amount'), sumOf(paid))
  await page.context().close()
})

test('the operator’s page counts the payments and the messages of the day', async () => {
  const page = await openAs(operator, narrow)
  await visit(page, '/operator/health')
  const rowsOf = async (title: RegExp): Promise<number> => {
    const picture = page.getByRole('region', { name: title })
    await picture.scrollIntoViewIfNeeded()
    await picture.getByRole('button', { name: /^جدول: / }).click()
    const rows = await picture.getByRole('table').getByRole('row').all()
    const texts = await Promise.all(rows.slice(1).map(async (row) => plain(await row.innerText())))
    // The last 24 hours are shown; those of yesterday evening are not of the day.
    return texts
      .slice(-(new Date(clock.now() + 3 * hour_ms).getUTCHours() + 1))
      .reduce((sum, text) => sum + Number(/(\d+)$/.exec(text.trim())![1]), 0)
  }
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const messages = Number(
    (await sql('select count(*) from alerts where received_at >= $1', [new Date(midnight).toISOString()]))[0]![0],
  )
  assert.equal(await rowsOf(t('hours.payments')), ofToday.filter(isSpent).length)
  assert.equal(await rowsOf(t('hours.messages')), messages)
  await page.context().close()
})

test('no errors in the console', () => {
  assert.deepEqual(complaints, [])
})
