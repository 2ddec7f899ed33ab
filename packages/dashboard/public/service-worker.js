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
