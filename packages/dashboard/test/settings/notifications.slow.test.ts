/**
 * Notifications in the real Chromium. A browser subscribes only at the push service of its maker, which tests do not call: here
 * `pushManager.subscribe` answers with a subscription at our own push service. Everything else is real: the settings,
 * what the service sends, and the service worker, which gets the decrypted message by the browser's own protocol. The headless browser
 * shows no notifications: a list takes their place.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { pushStoryOf } from '../../../server/test/push/push-story.ts'
import type { TestMember } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  desktop,
  eventually,
  expectGood,
  type Look,
  openDashboard,
  phone,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const story = await pushStoryOf(service)
const { node, walkIn, push } = story

/** The subscription that the page gets; it stays over reloads, as a browser's does. */
const subscribeAt = async (page: Page, subscription: { endpoint: string; keys: object }): Promise<void> => {
  await page.addInitScript((body) => {
    const make = (key: ArrayBuffer) => ({
      endpoint: body.endpoint,
      options: { applicationServerKey: key, userVisibleOnly: true },
      toJSON: () => body,
      unsubscribe: async () => {
        localStorage.removeItem('test-key')
        return true
      },
    })
    const stored = (): ReturnType<typeof make> | null => {
      const key = localStorage.getItem('test-key')
      return key === null ? null : make(Uint8Array.from(JSON.parse(key) as number[]).buffer as ArrayBuffer)
    }
    Object.assign(PushManager.prototype, {
      getSubscription: async () => stored(),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
        localStorage.setItem('test-key', JSON.stringify([...applicationServerKey]))
        return stored()
      },
    })
  }, subscription)
}

/** The headless browser of the tests refuses every notification: the page is told that the user allowed them. */
const allow = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted', configurable: true })
    Notification.requestPermission = async () => 'granted'
  })

type Shown = { title: string; body: string; tag: string; dir: string; data: { path: string } }

/**
 * A page with its service worker. Messages are delivered by the browser. It shows no notifications, so the worker's
 * `showNotification` and `getNotifications` keep a list instead.
 */
const openNotified = async (member: TestMember, look: Look) => {
  const page = await openAs(member, look, { serviceWorker: true })
  await allow(page)
  const browser = await page.context().newCDPSession(page)
  let registrationId = ''
  browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.at(-1)?.registrationId ?? registrationId
  })
  await browser.send('ServiceWorker.enable')
  const worker = async () => {
    await eventually(async () => assert.equal(page.context().serviceWorkers().length, 1))
    return page.context().serviceWorkers()[0]!
  }
  return {
    page,
    worker,
    /** The service worker is there, and keeps its list. */
    start: async (): Promise<void> => {
      await page.evaluate(async () => {
        await navigator.serviceWorker.register('/service-worker.js')
        await navigator.serviceWorker.ready
      })
      await (await worker()).evaluate(() => {
        // biome-ignore lint/suspicious/noExplicitAny: the scope of a service worker, inside the browser
        const scope = globalThis as any
        scope.shown = []
        scope.registration.showNotification = async (title: string, options: { tag: string }) => {
          const one = {
            title,
            ...options,
            close: () => {
              scope.shown = scope.shown.filter((other: unknown) => other !== one)
            },
          }
          scope.shown = [...scope.shown.filter(({ tag }: { tag: string }) => tag !== options.tag), one]
        }
        scope.registration.getNotifications = async ({ tag }: { tag: string }) =>
          scope.shown.filter((one: { tag: string }) => one.tag === tag)
      })
    },
    clear: async (): Promise<void> => void (await (await worker()).evaluate('shown = []')),
    deliver: async (message: unknown): Promise<void> => {
      await eventually(async () => assert.notEqual(registrationId, ''))
      const data = typeof message === 'string' ? message : JSON.stringify(message)
      await browser.send('ServiceWorker.deliverPushMessage', { origin: service.origin, registrationId, data })
    },
    shown: async (): Promise<(Omit<Shown, 'data'> & { path: string })[]> => {
      const all = (await (await worker()).evaluate('JSON.parse(JSON.stringify(shown))')) as Shown[]
      return all.map(({ title, body, tag, dir, data }) => ({ title, body, tag, dir, path: data.path }))
    },
  }
}

const button = (page: Page, look: Look, key: Parameters<typeof textPattern>[1]) =>
  page.getByRole('button', { name: textPattern(look.language, key) })

/** Numbers in Arabic texts are isolated; a test reads the text without the marks. */
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')

for (const look of [phone, { ...desktop, scheme: 'dark' as const }])
  test(`one touch switches notifications on; money shows in the language of the page, ${look.language} at ${look.width}`, async () => {
    const member = await story.newMember('owner')
    const subscription = push.newSubscription()
    const { page, start, deliver, shown } = await openNotified(member, look)
    await subscribeAt(page, subscription.body)
    await visit(page, '/settings/you')
    await button(page, look, 'push.on').click()
    await page.getByText(textPattern(look.language, 'push.isOn')).waitFor()
    await page.getByText(textPattern(look.language, 'push.deviceThis')).first().waitFor()
    await expectGood(page, 'notifications')
    assert.equal((await member.ask('GET', '/notifications/')).body.devices.length, 1)

    await start()
    await button(page, look, 'push.test').click()
    await eventually(async () => {
      await node.run()
      assert.equal(subscription.messages().length, 1)
    })
    await deliver(subscription.messages()[0])
    const test = look.language === 'ar' ? 'التنبيهات تعمل على هذا الجهاز' : 'Notifications work on this device'
    await eventually(async () =>
      assert.deepEqual(
        (await shown()).map(({ title }) => title),
        [test],
      ),
    )

    service.clock.advance(30_000)
    for (const amount of ['1500.00', '800.50']) await walkIn(amount)
    await node.run()
    await deliver(subscription.messages()[1])
    await eventually(async () => {
      const money = (await shown()).find(({ tag }) => tag === 'money')
      assert.ok(money)
      assert.deepEqual(
        [plain(money.title), plain(money.body), money.dir, money.path],
        look.language === 'ar'
          ? ['وصلت دفعتان: 2,300.50 ر.ي', 'دفعتان بلا طلبية: 2,300.50 ر.ي', 'rtl', '/unmatched']
          : ['2 payments: 2,300.50 YER', '2 payments without an order: 2,300.50 YER', 'ltr', '/unmatched'],
      )
    })
    await button(page, look, 'push.off').click()
    await page.getByText(textPattern(look.language, 'push.isOff')).waitFor()
    assert.deepEqual((await member.ask('GET', '/notifications/')).body.devices, [])
    assert.equal(await page.evaluate(() => localStorage.getItem('sanad-push')), null)
  })

test('messages add up until they are removed; one that comes twice is counted once; an unknown one is shown', async () => {
  const member = await story.newMember('owner')
  const { page, start, clear, deliver, shown } = await openNotified(member, desktop)
  await visit(page, '/settings/you')
  await start()
  await page.evaluate(async () => {
    const cache = await caches.open('sanad-notifications')
    await cache.put('/notification-look', new Response(JSON.stringify({ language: 'en', currencies: { YER: 'YER' } })))
  })
  const message = (id: string, ...groups: object[]) => ({ v: 1, id, groups })
  const money = (count: number, amount: string) => ({ kind: 'money', count, sums: [{ currency: 'YER', amount }] })
  const titles = async () => (await shown()).map(({ tag, title, body, path }) => [tag, plain(title), plain(body), path])
  await deliver(message('a', money(1, '1500.00')))
  await eventually(async () =>
    assert.deepEqual(await titles(), [['money', 'Money arrived: 1,500 YER', '', '/counter']]),
  )
  await deliver(message('b', money(4, '10800.00')))
  await deliver(message('b', money(4, '10800.00')))
  await eventually(async () => assert.deepEqual(await titles(), [['money', '5 payments: 12,300 YER', '', '/counter']]))
  await deliver(
    message('c', { kind: 'phone_silent', count: 1, sums: [] }, { kind: 'endpoint_failing', count: 2, sums: [] }),
  )
  await eventually(async () =>
    assert.deepEqual(
      (await titles()).find(([tag]) => tag === 'trouble'),
      ['trouble', 'No messages come from a phone', '2 endpoints take no events', '/phones'],
    ),
  )
  for (const unknown of ['not json', message('d', { kind: 'of a newer service', count: 1, sums: [] })]) {
    await clear()
    await deliver(unknown)
    await eventually(async () => assert.deepEqual(await titles(), [['test', 'There is news: open Sanad', '', '/']]))
  }
})

test('Arabic counts have their plural forms, and the digits that were chosen', async () => {
  const member = await story.newMember('owner')
  const { page, start, clear, deliver, shown } = await openNotified(member, phone)
  await visit(page, '/settings/you')
  await start()
  const setLook = async (arabicDigits: boolean): Promise<void> => {
    await clear()
    await page.evaluate(
      async (look) => {
        const cache = await caches.open('sanad-notifications')
        await cache.put('/notification-look', new Response(JSON.stringify(look)))
      },
      { language: 'ar', arabicDigits, currencies: { YER: 'ر.ي' } },
    )
  }
  const expected: [number, string][] = [
    [1, 'وصلت دفعة: 12,300 ر.ي'],
    [2, 'وصلت دفعتان: 12,300 ر.ي'],
    [5, 'وصلت 5 دفعات: 12,300 ر.ي'],
    [11, 'وصلت 11 دفعة: 12,300 ر.ي'],
    [100, 'وصلت 100 دفعة: 12,300 ر.ي'],
  ]
  const one = async (count: number): Promise<string> => {
    await deliver({
      v: 1,
      id: `n${count}`,
      groups: [{ kind: 'money', count, sums: [{ currency: 'YER', amount: '12300.00' }] }],
    })
    let title = ''
    await eventually(async () => {
      title = plain((await shown())[0]!.title)
    })
    return title
  }
  for (const [count, title] of expected) {
    await setLook(false)
    assert.equal(await one(count), title)
  }
  await setLook(true)
  assert.equal(await one(5), 'وصلت ٥ دفعات: ١٢٬٣٠٠ ر.ي')
})

test('a touch on a notification leads an open page to its screen', async () => {
  const member = await story.newMember('owner')
  const { page, start, worker, deliver, shown } = await openNotified(member, desktop)
  await visit(page, '/settings/you')
  await start()
  await deliver({ v: 1, id: 'x', groups: [{ kind: 'phone_silent', count: 1, sums: [] }] })
  await eventually(async () => assert.equal((await shown()).length, 1))
  await (await worker()).evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the scope of a service worker, inside the browser
    const scope = globalThis as any
    const touch = Object.assign(new Event('notificationclick'), { notification: scope.shown[0], waitUntil: () => {} })
    scope.dispatchEvent(touch)
  })
  await page.waitForURL(`${service.origin}/phones`)
  assert.deepEqual(await shown(), [], 'it is gone')
})

for (const language of bothLanguages)
  test(`a refused permission, an iPhone, and an old browser are told plainly, ${language}`, async () => {
    const member = await story.newMember('cashier')
    const look: Look = { ...(language === 'ar' ? phone : desktop), language }
    for (const [state, script] of [
      ['push.refused', () => Object.defineProperty(Notification, 'permission', { get: () => 'denied' })],
      ['push.unsupported', () => Reflect.deleteProperty(globalThis, 'PushManager')],
      [
        'push.install',
        () => {
          Reflect.deleteProperty(globalThis, 'PushManager')
          Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)' })
        },
      ],
    ] as const) {
      const page = await openAs(member, look)
      await page.addInitScript(script as () => void)
      await visit(page, '/settings/you')
      await page.getByText(textPattern(language, state)).waitFor()
      assert.equal(await button(page, look, 'push.on').count(), 0)
      await expectGood(page, state)
      await page.context().close()
    }
  })

test('kinds and quiet hours are saved; a cashier is offered money and the ends of their own requests', async () => {
  const member = await story.newMember('cashier')
  const page = await openAs(member, desktop)
  await visit(page, '/settings/you')
  await page.getByText(textPattern('en', 'push.kind.money')).waitFor()
  assert.equal(await page.getByText(textPattern('en', 'push.kind.phone_silent')).count(), 0)
  await page.getByLabel(textPattern('en', 'push.kind.money')).uncheck()
  await eventually(async () =>
    assert.deepEqual((await member.ask('GET', '/notifications/')).body.kinds, [
      'unmatched',
      'wrong_amount',
      'request_decided',
    ]),
  )
  await page.getByLabel(textPattern('en', 'field.from')).fill('22:00')
  await page.getByLabel(textPattern('en', 'field.until')).fill('06:30')
  const form = page.locator('form', { has: page.getByLabel(textPattern('en', 'field.from')) })
  await form.getByRole('button').click()
  await eventually(async () => {
    const { quiet_from, quiet_until } = (await member.ask('GET', '/notifications/')).body
    assert.deepEqual([quiet_from, quiet_until], ['22:00', '06:30'])
  })
})

test('the browser of another user forgets the subscription of the earlier one; a permission taken back removes the device', async () => {
  const [first, second] = [await story.newMember('owner'), await story.newMember('cashier')]
  for (const takesBack of [false, true]) {
    const { page } = await openNotified(first, desktop)
    await subscribeAt(page, push.newSubscription().body)
    await visit(page, '/settings/you')
    await button(page, desktop, 'push.on').click()
    await page.getByText(textPattern('en', 'push.isOn')).waitFor()
    if (takesBack)
      await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
    else await page.context().addCookies([{ name: 'sanad_session', value: second.session.token, url: service.origin }])
    await page.reload()
    await eventually(async () => {
      assert.equal(await page.evaluate(() => localStorage.getItem('sanad-push')), null)
      assert.equal(await page.evaluate(() => localStorage.getItem('test-key')), null)
    })
    const left = (await first.ask('GET', '/notifications/')).body.devices.length
    if (takesBack)
      await eventually(async () => assert.equal((await first.ask('GET', '/notifications/')).body.devices.length, 1))
    else assert.equal(left, 1, 'the push service will say that it is gone')
    await page.context().close()
  }
})

test('the counter screen in view tells the service; the page that leaves it too', async () => {
  const member = await story.newMember('cashier')
  const subscription = await story.subscribe(member)
  const page = await openAs(member, phone)
  const openUntil = async () =>
    (
      await service.sql('select counter_until is not null from push_settings where user_id = $1', [member.userId])
    )[0]![0]
  await visit(page, '/counter')
  await eventually(async () => assert.equal(await openUntil(), 't'))
  await page.locator('a[href="/unmatched"]').first().click()
  await eventually(async () => assert.equal(await openUntil(), 'f'))
  assert.deepEqual(subscription.messages(), [])
})
