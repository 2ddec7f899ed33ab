/**
 * An owner with an empty account adds a wallet and its phone, in Arabic on a phone of 390 pixels, for each app. The apps
 * are simulated (phone-apps.ts) and set up only from what the pages show: a file, or values that are copied. The test counts
 * the taps, typed fields, words and copies, and computes the duration, which docs/phones.md states.
 * `SANAD_TEST_PICTURES=folder` stores a picture of each screen.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { wordingOf, writeAlert } from '../../../agent/src/wordings.ts'
import { agentFiles } from '../../../server/src/http/agent-files.ts'
import { appSteps } from '../../../server/src/http/pair/app-steps.ts'
import { pairWords } from '../../../server/src/http/pair/pair-words.ts'
import { createAccount } from '../../../server/src/wallets/entries/create-account.ts'
import { termuxPhone } from '../../../server/test/support/termux-phone.ts'
import { createMember } from '../../../server/test/support/users.ts'
import { all } from '../../src/words/all.ts'
import { eventually, expectFits, phone as narrow, openDashboard, textPattern } from '../browser.ts'
import { scanQr } from '../scan-qr.ts'
import { type PhoneApp, smsForwarder, smsGateway, urlForwarder } from './phone-apps.ts'

const { service, open, openAs } = await openDashboard({}, async (app) => {
  await app.register(agentFiles(undefined))
})
const { clock, db, origin } = service
const words = pairWords.ar
const text = (key: keyof typeof all.ar & keyof typeof all.en): RegExp => textPattern('ar', key)
const pictures = process.env.SANAD_TEST_PICTURES

const samsung =
  'Mozilla/5.0 (Linux; Android 13; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'

/** Latin words that may be on an Arabic screen: names of apps, and labels that the apps themselves show in English. */
const allowedLatin = new Set(
  [
    'Sanad English SMS Gateway SMSGate Incoming to URL Forwarder SmsForwarder Termux Termux:API Termux:Boot F-Droid GitHub',
    'Google Play Protect Android Chrome Jaib JAIB API Ping Cloud server Local Enter F',
    'Settings Backup Import Test Senders Webhook Channel Name Method POST Server Params Rules Select Sender Field Type Value Save',
    'Forward Sms Download APK universal sanad Paste Heartbeat',
  ]
    .join(' ')
    .split(' '),
)

/** The counts of one walk through the pages. */
const newWalk = () => ({
  taps: 0,
  typed: [] as string[],
  copies: 0,
  inApp: 0,
  screens: [] as string[],
  lines: new Set<string>(),
})
type Walk = ReturnType<typeof newWalk>

const wordsIn = ({ lines }: Walk): number =>
  [...lines]
    .join(' ')
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word)).length

const readScreen = async (walk: Walk, page: Page, name: string): Promise<void> => {
  walk.screens.push(name)
  const dialogs = page.getByRole('dialog')
  const screen = (await dialogs.count()) > 0 ? dialogs.last() : page.locator('main')
  const before = wordsIn(walk)
  // Values are copied and addresses tapped: they are not counted as read. A service with https shows no warning about http.
  const read = (line: string): string => line.replace(/https?:\S+/g, '').trim()
  const values = await screen.locator('code:visible, bdi.code:visible, option').allInnerTexts()
  const unread = [words.needsHttps, ...values].map(read)
  for (const line of (await screen.innerText()).split('\n').map(read))
    if (/\p{L}/u.test(line) && !unread.some((value) => value.includes(line))) walk.lines.add(line)
  if (pictures !== undefined) console.log(`${name}: ${wordsIn(walk) - before} words`)
  await expectFits(page, name)
  if (pictures !== undefined)
    await page.screenshot({ path: join(pictures, `${name.replaceAll(/\W+/g, '-')}.png`), fullPage: true })
}

const tap = async (walk: Walk, target: Locator): Promise<void> => {
  walk.taps++
  await target.click()
}
const type = async (walk: Walk, target: Locator, what: string, value: string): Promise<void> => {
  walk.typed.push(what)
  await target.fill(value)
}

/** Copies a field by its copy button, as the user does. Two taps: the second one pastes it. */
const copyField = async (walk: Walk, page: Page, field: string): Promise<string> => {
  const row = page.locator(`[data-step="3"] [data-field="${field}"]:visible`)
  walk.copies++
  walk.taps += 2
  await row.getByRole('button').click()
  await row.getByText(words.copied).waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}
/** A field that the user reads, because its value is chosen in the app. */
const fieldText = (page: Page, field: string): Promise<string> =>
  page.locator(`[data-step="3"] [data-field="${field}"]:visible code`).innerText()

/** The message of a payment. `count`: the number of payments so far, for the balance. */
const payment = (reference: string, count = 1) =>
  writeAlert(wordingOf('jaib', true)!, {
    amount: 150000n,
    reference,
    balance: BigInt(count) * 150000n,
    payer: '',
    phone: '771234567',
    currency: 'YER',
  })

type Report = { app: string; walk: Walk; read: number; seconds: number; phone_s: number }
const reports: Report[] = []

/**
 * Reading at 150 words a minute, 2.5 seconds for a tap (with finding the target), fifteen seconds for a typed field. Taps
 * in the app and in the phone's settings are counted from the listed steps.
 */
const secondsOf = (walk: Walk): number =>
  (wordsIn(walk) / 150) * 60 + (walk.taps + walk.inApp) * 2.5 + walk.typed.length * 15

/**
 * Records the counts of a walk. `before_s`: the time for the wallet, before the phone. `install_s`: the time to download and
 * install the app on a line of 8 Mbit/s (a megabyte a second).
 */
const recordWalk = (app: string, walk: Walk, before_s: number, install_s: number): void => {
  const seconds = Math.round(secondsOf(walk) + install_s)
  reports.push({ app, walk, read: wordsIn(walk), seconds, phone_s: Math.round(seconds - before_s) })
}

/** How the user sets an app up on step 3 (`set`), and tries it on step 5 (`tries`). */
type Setup = {
  readonly install_s: number
  readonly set: (walk: Walk, shop: Page) => Promise<PhoneApp>
  readonly tries: (app: PhoneApp, walk: Walk) => Promise<void>
  /** Whether its messages are signed. */
  readonly signed: boolean
}

const pressTest = async (app: PhoneApp, walk: Walk): Promise<void> => {
  walk.inApp += 2
  await app.test!(clock.now())
}

/** A Termux in an empty directory; the pasted line is run by its shell. */
const termux = await termuxPhone()
termux.program('pkg', 'exit 0')
termux.program('node', `exec '${process.execPath}' "$@"`)
const prefix = join(termux.home, 'usr')
const inTermux = (line: string): Promise<string> =>
  new Promise((done, fail) => {
    const env = { ...termux.env, PREFIX: prefix, PATH: `${prefix}/bin:${termux.env.PATH}` }
    const shell = spawn('sh', ['-c', line], { env })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr])
      stream.on('data', (part) => {
        output += part
      })
    shell.on('close', (code) => (code === 0 ? done(output) : fail(new Error(`${line}: ${code} ${output}`))))
  })
after(() => inTermux('sanad-agent unpair --discard').catch(() => {}))

const setups: Record<string, Setup> = {
  smsgate: {
    install_s: 60,
    signed: true,
    async set(walk, shop) {
      const gateway = smsGateway(await copyField(walk, shop, 'url'))
      // Settings, Cloud server, API URL, select, delete, OK; two switches; the button, Sign Up, Continue, Allow; four more.
      walk.inApp += 6 + 3 + 4 + 4
      await gateway.signUp()
      await shop.locator('[data-live="registered"].is:visible').waitFor()
      await gateway.start(clock.now())
      await gateway.start(clock.now())
      await shop.locator('[data-live="configured"].is:visible').waitFor()
      return gateway
    },
    // Any message, from another phone.
    async tries(app) {
      assert.ok(await app.receive({ from: '+967771234567', text: 'salaam', at: clock.now() }))
    },
  },
  'sms-to-url': {
    install_s: 60,
    signed: true,
    async set(walk, shop) {
      const saving = shop.waitForEvent('download')
      await tap(walk, shop.locator('[data-step="3"] [data-save]:visible'))
      walk.inApp += 6
      return urlForwarder(await readFile((await (await saving).path())!, 'utf8'))
    },
    tries: pressTest,
  },
  'sms-forwarder': {
    install_s: 60,
    signed: false,
    async set(walk, shop) {
      assert.equal(await copyField(walk, shop, 'name'), 'Sanad')
      const [url, template] = [await copyField(walk, shop, 'url'), await copyField(walk, shop, 'template')]
      const [field, kind] = [await fieldText(shop, 'field'), await fieldText(shop, 'type')]
      // On a phone in Arabic the app is in Chinese: the last tab, its list of languages, English. Then its fields.
      walk.inApp += 3 + 14
      return smsForwarder({ url, template, field, type: kind, sender: await copyField(walk, shop, 'sender') })
    },
    tries: pressTest,
  },
  agent: {
    // Termux is 100 MB. Then Node (23 MB, and unpacking it) beside the two small apps, which take half a minute each.
    install_s: 100 + 20 + Math.max(23 + 45, 2 * 30),
    signed: true,
    async set(walk, shop) {
      await tap(walk, shop.locator('[data-step="3"] nav [data-create]:visible').first())
      // The agent is not started in the background: the test decides when it runs.
      await inTermux((await copyField(walk, shop, 'setup')).replace('-s -- ', '-s -- --no-start '))
      // The two other apps, three touches each; Termux:Boot is opened; Enter; the permission and the access, three each.
      walk.inApp += 3 * (await shop.locator('[data-step="3"] li a:visible').count()) + 1 + 1 + 6
      await inTermux('sanad-agent once')
      return {
        async receive({ from, text, at }) {
          termux.receive([{ sender: from, text, at }])
          await inTermux('sanad-agent once')
          return from === 'Jaib'
        },
      }
    },
    async tries(app) {
      await app.receive({ from: 'Jaib', text: payment('70000000000001'), at: Date.now() })
    },
  },
}

for (const { app: name } of appSteps) {
  test(`an owner connects the first phone with ${name}, following only what the pages say`, async () => {
    const setup = setups[name]!
    const walk = newWalk()
    const account = await createAccount(db, 'دكان النور', null, clock.now())
    const member = await createMember(service, account, 'owner')
    const owner = await openAs(member, narrow)

    if (pictures !== undefined) owner.setDefaultTimeout(15_000)

    // The wallet, from the empty first screen.
    await owner.goto(origin)
    const add = owner.getByRole('link', { name: text('act.addWallet') })
    await add.waitFor()
    await readScreen(walk, owner, `${name} 01 today`)
    await tap(walk, add)
    const form = owner.getByRole('dialog')
    const company = form.getByRole('combobox').first()
    await company.waitFor()
    walk.taps += 2
    await eventually(async () => {
      await company.selectOption({ label: 'جيب' })
    })
    await type(walk, form.getByRole('textbox').first(), 'account number', '770000001')
    // The name and the sender are filled in.
    const [walletName, sender] = [form.getByRole('textbox').nth(1), form.getByRole('textbox').nth(2)]
    assert.equal(await sender.inputValue(), 'Jaib')
    assert.notEqual(await walletName.inputValue(), '')
    await readScreen(walk, owner, `${name} 02 wallet`)
    await tap(walk, form.getByRole('button', { name: text('wallets.saveNew') }))
    const next = owner.getByRole('link', { name: text('wallets.newPhone') })
    await next.waitFor()
    await readScreen(walk, owner, `${name} 03 its phone`)
    await tap(walk, next)
    const wallet_s = secondsOf(walk)

    // The phone: its wallet is already chosen.
    const phoneForm = owner.getByRole('dialog').filter({ has: owner.getByRole('checkbox') })
    await phoneForm.waitFor()
    assert.ok(await phoneForm.getByRole('checkbox').first().isChecked())
    const phoneName = phoneForm.getByRole('textbox')
    await eventually(async () => assert.equal(await phoneName.inputValue(), all.ar['phones.usualName']))
    await readScreen(walk, owner, `${name} 04 new phone`)
    await tap(walk, phoneForm.locator('button[type=submit]'))

    // The QR code contains the link that the page also shows as text.
    const qr = owner.getByRole('dialog').filter({ has: owner.locator('img') })
    await qr.locator('img').waitFor()
    await readScreen(walk, owner, `${name} 05 code`)
    await qr.locator('summary').click()
    const link = await qr.locator('bdi.code').first().innerText()
    const scanned = await scanQr(qr.locator('img'))
    assert.equal(scanned, link)

    // The shop's phone. Scanning the code counts as two taps: the camera, and the link.
    const shop = await open(narrow, { userAgent: samsung })
    await shop.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    walk.taps += 2
    await shop.goto(scanned)
    const section = (n: number) => shop.locator(`[data-step="${n}"]`)
    await section(1).waitFor()
    await readScreen(walk, shop, `${name} 06 which app`)
    await owner.getByText(text('phones.setup.follow')).waitFor()
    if (name !== appSteps[0]!.app) {
      await tap(walk, section(1).locator('summary'))
      await readScreen(walk, shop, `${name} 06 other apps`)
    }
    await tap(walk, section(1).locator(`[data-app="${name}"]`))
    await section(2).waitFor()
    await owner
      .getByRole('dialog')
      .getByText(all.ar[`phones.app.${name as 'smsgate'}`])
      .first()
      .waitFor()
    await readScreen(walk, shop, `${name} 07 install`)
    walk.inApp += 3 * (await section(2).locator('li a:visible').count())
    await tap(walk, section(2).locator('[data-next]'))
    await section(3).waitFor()
    if (name !== 'agent') await section(3).locator('[data-created]:visible').waitFor()
    const app = await setup.set(walk, shop)
    await readScreen(walk, shop, `${name} 08 settings`)
    assert.equal(await shop.locator('input:visible').count(), 0, 'nothing is typed on the shop’s phone')
    await tap(walk, section(3).locator('[data-next]'))

    // The maker is known from the browser's user agent.
    await section(4).locator('[data-maker="samsung"]:visible').waitFor()
    // Samsung: Settings, Battery, limits, the list, add, the app; back, a switch; Settings, Apps, the app, Battery, the choice.
    walk.inApp += 6 + 2 + 5
    // The agent's two other apps are added to the list too, and chosen among the apps.
    if (name === 'agent') walk.inApp += 2 * (1 + 4)
    await readScreen(walk, shop, `${name} 09 battery`)
    await tap(walk, section(4).locator('[data-next]'))
    await section(5).waitFor()
    await readScreen(walk, shop, `${name} 10 try it`)
    const showsContact = name === 'smsgate' || name === 'agent'
    if (showsContact) await shop.locator('[data-fact="contact_at"].is').waitFor()
    await setup.tries(app, walk)
    await shop.getByText(words.doneTitle).waitFor()
    await readScreen(walk, shop, `${name} 11 connected`)
    await owner.getByText(text('phones.setup.done')).waitFor()
    await readScreen(walk, owner, `${name} 12 connected, owner`)
    await tap(walk, owner.getByRole('dialog').getByRole('button', { name: text('part.stored') }))
    await owner.waitForURL('**/phones/*-*')
    await owner
      .getByText(text('phones.state.healthy'))
      .or(owner.getByText(text('silence.last')))
      .first()
      .waitFor()
    recordWalk(name, walk, wallet_s, setup.install_s)

    // The self-test is passed by a message that the rule lets through, by the app's test button, or by the agent.
    clock.advance(1_000)
    await owner.getByRole('button', { name: text('phones.testGo') }).click()
    await owner.getByText(text('phones.test.until')).waitFor()
    await readScreen(newWalk(), owner, `${name} 13 self-test`)
    const fromFriend = { from: '+967779999999', text: 'From a friend', at: clock.now() }
    if (name === 'agent') await inTermux('sanad-agent once')
    else if (app.test !== undefined) {
      assert.equal(await app.receive(fromFriend), false, 'the rule does not pass on a message of a friend')
      await app.test(clock.now())
    } else assert.ok(await app.receive(fromFriend))
    await owner.getByRole('button', { name: text('phones.testAgain') }).waitFor()
    await readScreen(newWalk(), owner, `${name} 14 self-test passed`)

    // The first payment.
    const wallets = (await member.ask('GET', '/wallets/')).body.results
    const wallet = wallets.find(({ is_test }: { is_test: boolean }) => !is_test).id
    const intent = await member.ask('POST', '/intents/', {
      body: { wallet, amount: '1500.00' },
      headers: { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() },
    })
    assert.equal(intent.status, 201, intent.text)
    const reference = '70000000000077'
    await owner.goto(`${origin}/intents/${intent.body.id}`)
    await owner.getByText(text('state.PENDING')).first().waitFor()
    await member.ask('POST', `/intents/${intent.body.id}/reference/`, { body: { reference } })
    const at = name === 'agent' ? Date.now() : clock.now()
    assert.ok(await app.receive({ from: 'Jaib', text: payment(reference, name === 'agent' ? 2 : 1), at }))
    if (setup.signed) await owner.getByText(text('state.VERIFIED')).first().waitFor()
    else {
      // An unsigned alert waits for review, as the page states.
      const queue = async () => (await member.ask('GET', '/unmatched/?state=review')).body.results.length
      await eventually(async () => assert.equal(await queue(), 1))
      await owner.goto(`${origin}/unmatched?state=review`)
      await owner.locator('main').getByText('1,500').first().waitFor()
    }
    await readScreen(newWalk(), owner, `${name} 15 first payment`)
    for (const page of [owner, shop]) await page.context().close()
  })
}

test('connecting a phone takes no longer than the page states, no secret is typed, and no word is in English', () => {
  const duration = (s: number): string => `${Math.floor(s / 60)} min ${s % 60} s`
  for (const { app, walk, read, seconds, phone_s } of reports) {
    const latin = [...walk.lines].flatMap((line) => line.match(/[A-Za-z][\w:.-]*/g) ?? [])
    const unknownLatin = [...new Set(latin)].filter(
      (word) => !allowedLatin.has(word) && !allowedLatin.has(word.replace(/[.:]$/, '')),
    )
    console.log(
      `${app}: ${duration(seconds)}, of that its phone ${duration(phone_s)}; ${walk.screens.length} screens, ${read} words, ${walk.taps} taps ` +
        `on our pages, ${walk.inApp} in the app and the phone's settings, ${walk.copies} copied, typed by hand: ${walk.typed.join(', ')}; ` +
        `other Latin words: ${unknownLatin.join(', ') || 'none'}`,
    )
    assert.ok(walk.typed.every((what) => what === 'account number'))
    if (pictures === undefined) assert.deepEqual(unknownLatin, [])
    // The page states the number of minutes.
    assert.ok(Math.round(phone_s / 60) <= appSteps.find((steps) => steps.app === app)!.minutes, `${app}: ${phone_s} s`)
  }
})
