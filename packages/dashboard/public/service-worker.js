/**
 * Answers when a page of the dashboard is opened and the service cannot be reached. The answer is a page that says so in
 * both languages, asks the service again after 1, 2, 4 ... at most 30 seconds, and reloads when the service answers. It
 * stores nothing, and handles no other request.
 */
const pageWith = (nonce) => `<!doctype html>
<html lang="ar" dir="rtl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sanad</title>
<style nonce="${nonce}">
body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 16px; padding: 16px; box-sizing: border-box;
  text-align: center; font: 16px / 1.6 system-ui, sans-serif; color: #17202e; background: #fbfaf7 }
h1 { margin: 0; font-size: 20px }
p { margin: 0 }
@media (prefers-color-scheme: dark) { body { color: #e8eaed; background: #12151a } }
</style>
<main>
<h1>لا يوجد اتصال.</h1>
<p>تُفتح الصفحة تلقائيًا عند عودة الاتصال. المبالغ الواصلة لا تتأثر.</p>
</main>
<div lang="en" dir="ltr">
<h1>No connection.</h1>
<p>The page opens by itself when the connection is back. Money that arrives is not affected.</p>
</div>
<script nonce="${nonce}">
let tries = 0
let timer = 0
const ask = () => {
  clearTimeout(timer)
  if (document.visibilityState === 'hidden') return
  fetch('/api/v1/dashboard/session/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => (status < 500 ? location.reload() : plan()),
    plan,
  )
}
const plan = () => {
  timer = setTimeout(ask, Math.min(30000, 1000 * 2 ** Math.min(tries++, 10)))
}
addEventListener('online', ask)
document.addEventListener('visibilitychange', ask)
plan()
</script>
</html>`

const offlinePage = () => {
  const nonce = crypto.randomUUID()
  return new Response(pageWith(nonce), {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'`,
    },
  })
}

/** Paths that do not belong to the dashboard: pages of buyers, the set-up of a phone, the documentation, the APIs. */
const notTheDashboard = /^\/(api|pay|pair|agent|docs|openapi|ingest)(\/|$)/

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => {
  // The browser sends the request while this worker starts, so the worker costs no time.
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]))
})

self.addEventListener('fetch', (event) => {
  const { mode, url, method } = event.request
  if (mode !== 'navigate' || method !== 'GET' || notTheDashboard.test(new URL(url).pathname)) return
  const answer = async () => {
    try {
      return (await event.preloadResponse) ?? (await fetch(event.request))
    } catch {
      return offlinePage()
    }
  }
  event.respondWith(answer())
})

/**
 * Notifications. A message of the service has counts and sums by kind, and an id; the words are here, in the language that the page
 * has stored (src/api/push-subscription.ts). There are at most five notifications at a time, one of each set. A new one
 * replaces the earlier one of its set, and adds up with it until a touch or a swipe removes it.
 */
const texts = {
  en: {
    money: { one: 'Money arrived: {sum}', other: '{count} payments: {sum}' },
    unmatched: { one: 'Without an order: {sum}', other: '{count} payments without an order: {sum}' },
    wrong_amount: { one: 'Wrong amount: {sum}', other: '{count} wrong amounts: {sum}' },
    phone_silent: { one: 'No messages come from a phone', other: 'No messages come from {count} phones' },
    endpoint_failing: { one: 'An endpoint takes no events', other: '{count} endpoints take no events' },
    request_asked: { one: 'A request waits for you', other: '{count} requests wait for you' },
    request_decided: { one: 'Your request was answered', other: '{count} of your requests were answered' },
    notice: {
      one: 'A security notice: look at it in Sanad',
      other: '{count} security notices: look at them in Sanad',
    },
    test: { one: 'Notifications work on this device', other: 'Notifications work on this device' },
    unknown: { one: 'There is news: open Sanad', other: 'There is news: open Sanad' },
  },
  ar: {
    money: {
      one: 'وصلت دفعة: {sum}',
      two: 'وصلت دفعتان: {sum}',
      few: 'وصلت {count} دفعات: {sum}',
      other: 'وصلت {count} دفعة: {sum}',
    },
    unmatched: {
      one: 'دفعة بلا طلبية: {sum}',
      two: 'دفعتان بلا طلبية: {sum}',
      few: '{count} دفعات بلا طلبية: {sum}',
      other: '{count} دفعة بلا طلبية: {sum}',
    },
    wrong_amount: {
      one: 'مبلغ غير مطابق: {sum}',
      two: 'مبلغان غير مطابقين: {sum}',
      few: '{count} مبالغ غير مطابقة: {sum}',
      other: '{count} مبلغًا غير مطابق: {sum}',
    },
    phone_silent: {
      one: 'لا تصل رسائل من أحد الهواتف',
      two: 'لا تصل رسائل من هاتفين',
      few: 'لا تصل رسائل من {count} هواتف',
      other: 'لا تصل رسائل من {count} هاتفًا',
    },
    endpoint_failing: {
      one: 'أحد عناوين الاستقبال لا يستلم الأحداث',
      two: 'عنوانا استقبال لا يستلمان الأحداث',
      few: '{count} عناوين استقبال لا تستلم الأحداث',
      other: '{count} عنوان استقبال لا يستلم الأحداث',
    },
    request_asked: {
      one: 'طلب بانتظار موافقتك',
      two: 'طلبان بانتظار موافقتك',
      few: '{count} طلبات بانتظار موافقتك',
      other: '{count} طلبًا بانتظار موافقتك',
    },
    request_decided: {
      one: 'وصل الرد على طلبك',
      two: 'وصل الرد على طلبين لك',
      few: 'وصل الرد على {count} طلبات لك',
      other: 'وصل الرد على {count} طلبًا لك',
    },
    notice: {
      one: 'تنبيه أمان: راجعه في سند',
      two: 'تنبيها أمان: راجعهما في سند',
      few: '{count} تنبيهات أمان: راجعها في سند',
      other: '{count} تنبيه أمان: راجعها في سند',
    },
    test: { other: 'التنبيهات تعمل على هذا الجهاز' },
    unknown: { other: 'يوجد جديد: افتح سند' },
  },
}

/** The sets of kinds, each one notification, and the screen that a touch opens: the first kind of the message decides. */
const sets = [
  { tag: 'money', kinds: { wrong_amount: '/unmatched', unmatched: '/unmatched', money: '/counter' } },
  { tag: 'requests', kinds: { request_asked: '/requests', request_decided: '/requests' } },
  { tag: 'trouble', kinds: { phone_silent: '/phones', endpoint_failing: '/webhooks' } },
  { tag: 'notices', kinds: { notice: '/' } },
  { tag: 'test', kinds: { test: '/settings/you', unknown: '/' } },
]
/** The order of the lines. */
const kindOrder = [
  'notice',
  'money',
  'unmatched',
  'wrong_amount',
  'phone_silent',
  'endpoint_failing',
  'request_asked',
  'request_decided',
  'test',
  'unknown',
]

const minorOf = (amount) => BigInt(amount.replace('.', ''))
const amountOf = (minor) => {
  const digits = String(minor).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const addSums = (one, other) => {
  const sums = new Map(one.map(({ currency, amount }) => [currency, minorOf(amount)]))
  for (const { currency, amount } of other) sums.set(currency, (sums.get(currency) ?? 0n) + minorOf(amount))
  return [...sums].map(([currency, minor]) => ({ currency, amount: amountOf(minor) }))
}

const addGroups = (one, other) =>
  kindOrder.flatMap((kind) => {
    const [before, now] = [one, other].map((groups) => groups.find((group) => group.kind === kind))
    if (before === undefined || now === undefined) return before ?? now ?? []
    return { kind, count: before.count + now.count, sums: addSums(before.sums, now.sums) }
  })

/** What the page has stored: the language, the digits, and the words of currencies. */
const readLook = async () => {
  const stored = await caches.match('/notification-look').catch(() => undefined)
  const look = stored === undefined ? {} : await stored.json().catch(() => ({}))
  return {
    language: look.language === 'en' ? 'en' : 'ar',
    arabicDigits: look.arabicDigits === true,
    currencies: look.currencies ?? {},
  }
}

const withDigits = (text, { arabicDigits }) =>
  arabicDigits
    ? text
        .replaceAll(/(?<=\d),(?=\d)/g, '٬')
        .replaceAll(/(?<=\d)\.(?=\d)/g, '٫')
        .replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)])
    : text

/** `1500.00` as `1,500`: a text of its own direction, so that it stays whole in Arabic. */
const moneyText = ({ currency, amount }, look) => {
  const [whole, cents] = amount.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')
  const digits = cents === '00' ? grouped : `${grouped}.${cents}`
  return `\u2068${withDigits(digits, look)} ${look.currencies[currency] ?? currency}\u2069`
}

const lineOf = ({ kind, count, sums }, look) => {
  const forms = texts[look.language][kind]
  const form = forms[new Intl.PluralRules(look.language).select(count)] ?? forms.other
  return form
    .replace('{count}', withDigits(String(count), look))
    .replace('{sum}', sums.map((sum) => moneyText(sum, look)).join(' + '))
}

const showSet = async ({ tag, kinds }, message, look) => {
  const groups = message.groups.filter(({ kind }) => Object.hasOwn(kinds, kind))
  if (groups.length === 0) return
  const [shown] = await self.registration.getNotifications({ tag })
  const earlier = shown?.data ?? { ids: [], groups: [] }
  // A message that comes twice is shown, and counted once.
  const isRepeated = earlier.ids.includes(message.id)
  const all = isRepeated ? earlier.groups : tag === 'test' ? groups : addGroups(earlier.groups, groups)
  const [title, ...lines] = all.map((group) => lineOf(group, look))
  const [path] = Object.keys(kinds).flatMap((kind) => (all.some((group) => group.kind === kind) ? kinds[kind] : []))
  await self.registration.showNotification(title, {
    body: lines.join('\n'),
    tag,
    renotify: !isRepeated,
    lang: look.language,
    dir: look.language === 'ar' ? 'rtl' : 'ltr',
    icon: '/sanad.svg',
    badge: '/sanad.svg',
    data: { ids: [...earlier.ids, message.id].slice(-20), groups: all, path },
  })
}

/** A message of a newer service may have kinds that this worker does not know: the browser wants a notification all the same. */
const readMessage = (data) => {
  const news = { id: '', groups: [{ kind: 'unknown', count: 1, sums: [] }] }
  try {
    const { v, id, groups } = data.json()
    const known = groups.filter(({ kind }) => kindOrder.includes(kind))
    return v === 1 && known.length > 0 ? { id, groups: known } : news
  } catch {
    return news
  }
}

self.addEventListener('push', (event) => {
  const show = async () => {
    const look = await readLook()
    const message = readMessage(event.data)
    for (const set of sets) await showSet(set, message, look)
  }
  event.waitUntil(show())
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const path = event.notification.data?.path ?? '/'
  const open = async () => {
    const windows = await self.clients.matchAll({ type: 'window' })
    const page = windows.find(({ url }) => !notTheDashboard.test(new URL(url).pathname))
    if (page === undefined) return self.clients.openWindow(path)
    const focused = await page.focus().catch(() => page)
    if (new URL(page.url).pathname !== path) await focused.navigate(path).catch(() => self.clients.openWindow(path))
  }
  event.waitUntil(open())
})
