/**
 * The script of the buyer's page. The page also works without it. The script copies numbers and the receipt's link, prints,
 * counts down the last ten minutes, and reloads the page when its state has changed.
 *
 * It runs in old browsers: Chrome 37, which is the WebView of Android 5.0, and Safari of iOS 9. So it is written in ES5
 * (`var`, `function`), and checks before use whether the browser has what is newer: `closest`, `navigator.clipboard`,
 * `fetch`, and the times of the navigation. Tests of the minified text refuse newer syntax and names that they do not know.
 */

/** A button that shows for a moment that it has copied: its own label, and the timer that shows it again. */
type CopyButton = HTMLElement & { label?: string | null; timer?: number }

/** What the page tells the script: the attributes `data-*` of `<body>`, written by page-parts.ts. */
var page: DOMStringMap

function reload() {
  location.replace(page.url!)
}

/** Shows the word "copied" in place of the label, until 1.5 seconds after the last click. */
function showCopied(button: CopyButton) {
  var label = button.label || button.textContent
  button.label = label
  button.textContent = page.copied!
  clearTimeout(button.timer)
  button.timer = setTimeout(function () {
    button.textContent = label
  }, 1500)
}

/** A button without a text of its own copies the address of the page. */
function copy(button: CopyButton) {
  if (!navigator.clipboard) return
  navigator.clipboard.writeText(button.dataset.copy || location.origin + location.pathname).then(function () {
    showCopied(button)
  })
}

function onClick(event: Event) {
  var target = event.target as Element
  var button = target.closest && target.closest<HTMLElement>('[data-copy],[data-print]')
  if (!button) return
  if ('print' in button.dataset) window.print()
  else copy(button)
}

/** In a frame: sends the checkout's state to the sites that may show the page. */
function tellParent(origins: string) {
  origins.split(' ').forEach(function (origin) {
    window.parent.postMessage({ type: 'sanad.checkout', status: page.state!.split('.')[0] }, origin)
  })
}

/** Redirects to the shop after three seconds, once: a buyer who comes back to the receipt stays there. */
function returnToShop(url: string) {
  if (history.state) return
  setTimeout(function () {
    history.replaceState(1, '')
    location.assign(url)
  }, 3000)
}

/** When the browser sent the request for this page, in milliseconds of `performance.now()`; 0: it does not say. */
function requestStart() {
  var navigation = performance.getEntriesByType && performance.getEntriesByType('navigation')[0]
  return navigation ? (navigation as PerformanceNavigationTiming).requestStart : 0
}

/**
 * Counts down the last ten minutes, and reloads the page at the end. The time left was true when the request was sent: so
 * after a slow answer the page does not show more time than there is.
 */
function countDown(clock: HTMLElement) {
  var end = requestStart() + Number(clock.dataset.left)
  setInterval(function () {
    var seconds = Math.ceil((end - performance.now()) / 1000)
    if (seconds <= 0) return reload()
    if (seconds > 600) return
    var time = Math.floor(seconds / 60) + ':' + ('0' + (seconds % 60)).slice(-2)
    clock.textContent = clock.dataset.words!.replace('{time}', time)
  }, 1000)
}

/** The state of the checkout alone: what follows `~` is about the wallet. */
function checkoutState(state: string) {
  return state.split('~')[0]
}

/** Reloads a page that shows an old state. A change of the wallet alone does not disturb a buyer who is typing. */
function compare(state: string) {
  var field = document.querySelector('textarea')
  var isTyping = field && field.value
  var isOld = checkoutState(state) !== checkoutState(page.state!)
  if (isOld || (state !== page.state && !isTyping)) reload()
}

function poll() {
  if (!window.fetch) return
  fetch(page.live + '/state/', { cache: 'no-store' })
    .then(function (answer) {
      return answer.ok ? answer.text() : page.state!
    })
    .then(compare)
    .catch(function () {})
}

/**
 * Follows the state over server-sent events. Also polls, at once when the page becomes visible and every 20 seconds, because
 * phones drop connections in the background.
 */
function followState() {
  document.addEventListener('visibilitychange', function () {
    if (!document.hidden) poll()
  })
  window.addEventListener('pageshow', function (event) {
    if (event.persisted) poll()
  })
  setInterval(poll, 20000)
  if (!window.EventSource) return
  new EventSource(page.live + '/stream/').onmessage = function (event) {
    if (event.data !== checkoutState(page.state!)) reload()
  }
}

function start() {
  page = document.body.dataset
  document.addEventListener('click', onClick)
  if (window.parent !== window) {
    if (page.frames) tellParent(page.frames)
  } else if (page.back) returnToShop(page.back)
  var clock = document.querySelector<HTMLElement>('[data-left]')
  if (clock) countDown(clock)
  if (page.live) followState()
}

// The style shows the buttons for copying only if there is a script.
document.documentElement.className = 'js'
document.addEventListener('DOMContentLoaded', start)
