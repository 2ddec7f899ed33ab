/**
 * The script of the buyer's page. The page also works without it. The script copies numbers and the receipt's link, prints,
 * counts down the last ten minutes, and loads the page again when its state has changed.
 *
 * It sends the forms and follows the links of the page itself, and puts the answer into the open page. Without a connection it
 * says so, keeps what was typed, and tries again: the browser's own error page is never shown, and *Back* never sends a form
 * again. Sending the same form twice changes nothing on the server, so a form whose answer was lost can be sent again.
 *
 * It runs in old browsers: Chrome 37, which is the WebView of Android 5.0, and Safari of iOS 9. So it is written in ES5
 * (`var`, `function`), and checks before use whether the browser has what is newer: `closest`, `navigator.clipboard`,
 * `fetch`, and the times of the navigation. Tests of the minified text refuse newer syntax and names that they do not know.
 */

/** A button that shows for a moment that it has copied: its own label, and the timer that shows it again. */
type CopyButton = HTMLElement & { label?: string | null; timer?: number }

/** A request that shows the page again. `body`: the fields of a form. `place`: where the buyer is told how it goes. */
type Job = {
  url: string
  body: string | undefined
  place: Element | undefined
  tries: number
  isSent?: boolean
  timer?: number
  line?: Element
}

/** What the page tells the script: the attributes `data-*` of `<body>`, written by page-parts.ts. */
var page: DOMStringMap
/** The texts that the script shows: the attributes `data-*` of `<head>`, written by page-beginning.ts. */
var texts: DOMStringMap
var root = document.documentElement
var job: Job | undefined
/** The button that was clicked last: a form is sent with its name and value. */
var clicked: Element | null
var stream: EventSource | undefined
var timers: number[] = []
/** The path of the page that is shown. */
var path: string

/** Without these the browser sends forms and loads pages itself. */
function canShow() {
  return 'fetch' in window && 'DOMParser' in window
}

/** Loads the page again. A form that waits for the line brings the new page itself. */
function reload() {
  if (!canShow()) location.replace(page.url!)
  else if (!job || job.body === undefined) ask(page.url!)
}

/** Shows the word "copied" in place of the label, until 1.5 seconds after the last click. */
function showCopied(button: CopyButton) {
  var label = button.label || button.textContent
  button.label = label
  button.textContent = texts.copied!
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

function onClick(event: MouseEvent) {
  var target = event.target as Element
  if (!target.closest) return
  var button = target.closest<HTMLElement>('button,a')
  var link = button && button.getAttribute('href')
  clicked = button
  if (!button) return
  if ('print' in button.dataset) window.print()
  else if ('copy' in button.dataset) copy(button)
  else if (canShow() && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    if (!link || link.slice(0, 5) !== '/pay/') return
    event.preventDefault()
    ask(link, undefined, document.querySelector('main')!)
  }
}

/** The fields of a form as a browser sends them, with the button that was clicked. */
function fieldsOf(form: HTMLFormElement) {
  var fields: string[] = []
  var i = 0
  var field: HTMLInputElement
  for (; i < form.elements.length; i++) {
    field = form.elements[i] as HTMLInputElement
    if (field.name && (field.type !== 'submit' || field === clicked))
      fields.push(encodeURIComponent(field.name) + '=' + encodeURIComponent(field.value))
  }
  return fields.join('&')
}

function onSubmit(event: Event) {
  var form = event.target as HTMLFormElement
  // A form with a target opens another page.
  if (form.target) return
  if (!canShow() && navigator.onLine !== false) return
  event.preventDefault()
  if (canShow()) ask(form.action, fieldsOf(form), form)
  else say({ url: '', body: '', tries: 0, place: form }, texts.stopped!)
}

/** Shows the text below the form, or above the page for a link. Screen readers read it out. */
function say(to: Job, text: string) {
  if (!to.place) return
  if (!to.line) {
    to.line = document.createElement('p')
    to.line.className = 'note'
    to.line.setAttribute('role', 'status')
    to.place.insertBefore(to.line, to.body === undefined ? to.place.firstChild : null)
  }
  to.line.textContent = text
}

/** Sends a form or loads a page. The same again, while it is waited for: a second touch sends nothing, or tries at once. */
function ask(url: string, body?: string, place?: Element) {
  if (job && job.url === url && job.body === body) {
    if (!job.isSent) attempt(job)
    return
  }
  if (job) {
    clearTimeout(job.timer)
    if (job.line) job.line.textContent = ''
  }
  var next: Job = { url: url, body: body, place: place, tries: 0 }
  job = next
  if (body !== undefined) say(next, texts.sending!)
  attempt(next)
}

/** After this many attempts, about an hour, only the buyer or a line that comes back tries again. */
var mostTries = 120

/** One attempt. After 20 seconds without an answer the next one follows; whichever answer comes first is shown. */
function attempt(current: Job) {
  var isDecided = false
  var isLast = current.tries + 1 >= mostTries
  function later(seconds: number, text: string) {
    if (isDecided || job !== current) return
    isDecided = true
    current.isSent = false
    clearTimeout(current.timer)
    current.tries++
    // A reload that nobody asked for says nothing while it goes well, and where it is if it does not.
    if (!current.place) current.place = document.querySelector('main')!
    say(current, isLast ? texts.stopped! : text)
    if (isLast) current.tries = 0
    else
      current.timer = setTimeout(function () {
        attempt(current)
      }, seconds * 1000)
  }
  function noLine() {
    later(Math.min(30, 2 ** current.tries), texts.wait!)
  }
  clearTimeout(current.timer)
  current.isSent = true
  current.timer = setTimeout(noLine, 20000)
  var isForm = current.body !== undefined
  var headers: Record<string, string> = { 'x-requested-with': 'fetch' }
  if (isForm) headers['content-type'] = 'application/x-www-form-urlencoded'
  var began_ms = performance.now()
  fetch(current.url, {
    method: isForm ? 'POST' : 'GET',
    body: current.body || null,
    headers: headers,
    cache: 'no-store',
  })
    .then(function (answer) {
      if (answer.status === 429 || answer.status >= 500)
        return later(Math.min(60, Number(answer.headers.get('retry-after')) || 5), texts.busy!)
      return answer.text().then(function (text) {
        var next = new DOMParser().parseFromString(text, 'text/html')
        // The page of a network that asks for a sign-in is not the answer.
        if (!next.head.dataset.copied) return noLine()
        if (job !== current) return
        clearTimeout(current.timer)
        job = undefined
        show(next, current, answer.url, began_ms)
      })
    })
    .catch(noLine)
}

/** The input fields of the page by their ids. */
function eachField(act: (field: HTMLInputElement) => void) {
  var fields = document.querySelectorAll<HTMLInputElement>('textarea,input')
  var i = 0
  for (; i < fields.length; i++) if (fields[i]!.id) act(fields[i]!)
}

/** Puts the received page into the open one. What was typed stays in the fields, unless it was just sent. */
function show(next: Document, done: Job, url: string, began_ms: number) {
  close()
  var typed: Record<string, string> = {}
  var name: string
  var address: string
  var heading: HTMLElement | null
  if (done.body === undefined)
    eachField(function (field) {
      typed[field.id] = field.value
    })
  root.lang = next.documentElement.lang
  root.dir = next.documentElement.dir
  for (name in next.head.dataset) texts[name] = next.head.dataset[name]
  document.title = next.title
  root.replaceChild(document.adoptNode(next.body), document.body)
  eachField(function (field) {
    if (!field.value && typed[field.id]) field.value = typed[field.id]!
  })
  address = document.body.dataset.url || url.replace(location.origin, '')
  // The page of a link leads to another page: *Back* returns to the link.
  if (address.split('?')[0] !== location.pathname) history.pushState(null, '', address)
  else history.replaceState(history.state, '', done.body === undefined ? done.url : address)
  open(began_ms)
  if (!done.place) return
  window.scrollTo(0, 0)
  heading = document.querySelector<HTMLElement>('.error,h1,h2')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus()
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
  timers.push(
    setTimeout(function () {
      history.replaceState(1, '')
      location.assign(url)
    }, 3000),
  )
}

/** When the browser sent the request for this page, in milliseconds of `performance.now()`; 0: it does not say. */
function requestStart() {
  var navigation = performance.getEntriesByType && performance.getEntriesByType('navigation')[0]
  return navigation ? (navigation as PerformanceNavigationTiming).requestStart : 0
}

/**
 * Counts down the last ten minutes, and reloads the page at the end, once. The time left was true when the request was sent: so
 * after a slow answer the page does not show more time than there is.
 */
function countDown(clock: HTMLElement, from_ms: number) {
  var end = from_ms + Number(clock.dataset.left)
  var timer = setInterval(function () {
    var seconds = Math.ceil((end - performance.now()) / 1000)
    if (seconds <= 0) {
      clearTimeout(timer)
      return reload()
    }
    if (seconds > 600) return
    var time = Math.floor(seconds / 60) + ':' + ('0' + (seconds % 60)).slice(-2)
    clock.textContent = clock.dataset.words!.replace('{time}', time)
  }, 1000)
  timers.push(timer)
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

/** Looks again, and tries at once what waits for the line. */
function lookAgain() {
  if (job) {
    if (!job.isSent) attempt(job)
  } else if (page.live) poll()
}

/**
 * Follows the state over server-sent events. Also polls, at once when the page becomes visible and every 20 seconds, because
 * phones drop connections in the background.
 */
function followState() {
  timers.push(setInterval(poll, 20000))
  if (!window.EventSource) return
  stream = new EventSource(page.live + '/stream/')
  stream.onmessage = function (event) {
    if (event.data !== checkoutState(page.state!)) reload()
  }
}

/** Begins what the page in the window needs. */
function open(from_ms: number) {
  page = document.body.dataset
  path = location.pathname
  if (window.parent !== window) {
    if (page.frames) tellParent(page.frames)
  } else if (page.back) returnToShop(page.back)
  var clock = document.querySelector<HTMLElement>('[data-left]')
  if (clock) countDown(clock, from_ms)
  if (page.live) followState()
}

/** Ends what `open` has begun. */
function close() {
  timers.forEach(clearTimeout)
  timers = []
  if (stream) stream.close()
  stream = undefined
}

function start() {
  texts = document.head.dataset
  document.addEventListener('click', onClick)
  document.addEventListener('submit', onSubmit)
  document.addEventListener('visibilitychange', function () {
    if (!document.hidden) lookAgain()
  })
  window.addEventListener('online', lookAgain)
  // A page that comes back from the browser's memory may be old, also one that does not follow its state.
  window.addEventListener('pageshow', function (event) {
    if (!event.persisted) return
    if (job || page.live) lookAgain()
    else if (page.state) reload()
  })
  window.addEventListener('popstate', function () {
    if (canShow() && location.pathname !== path) ask(location.href)
  })
  open(requestStart())
}

// The style shows the buttons for copying only if there is a script.
root.className = 'js'
document.addEventListener('DOMContentLoaded', start)
