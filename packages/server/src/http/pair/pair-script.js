/**
 * The script of the set-up page. It opens the code behind the `#` of the address and removes it from there, shows one
 * step at a time, and asks the server how far the set-up is: often while it is tried, seldom otherwise, and at once when
 * the page is looked at again. What the server created for the app is kept in this tab only (sessionStorage), so that
 * the browser may reload the page while the user is in the app. A call that the network has lost is made again by itself:
 * when the browser is online again, when the page is looked at, and after some seconds. None of them does harm twice.
 */
;(() => {
  const { words, names, installed, onDemand, makers } = JSON.parse(document.getElementById('data').textContent)
  const one = (selector, within = document) => within.querySelector(selector)
  const all = (selector, within = document) => [...within.querySelectorAll(selector)]
  const show = (element, shown = true) => {
    element.hidden = !shown
  }
  const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name])
  const clock = (at) => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

  let state
  let access
  let step = 1
  let timer
  /** What is tried again by itself, when, and how often it was. */
  let lost
  let lostTimer
  /** The code that is being opened, with its token. */
  let opening
  let losses = 0

  // Kept by the tab.
  const kept = {
    get(name) {
      try {
        return JSON.parse(sessionStorage.getItem(`sanad-${name}`))
      } catch {
        return null
      }
    },
    set(name, value) {
      try {
        sessionStorage.setItem(`sanad-${name}`, JSON.stringify(value))
      } catch {
        // Without storage a reload begins at the first step.
      }
    },
    drop(name) {
      try {
        sessionStorage.removeItem(`sanad-${name}`)
      } catch {
        // Then nothing was kept.
      }
    },
  }

  const problem = (text, retry) => {
    const box = one('#problem')
    one('p', box).textContent = text
    const button = one('button', box)
    show(button, retry !== undefined)
    button.onclick = () => {
      show(box, false)
      forget()
      retry()
    }
    show(box)
  }
  const noProblem = () => show(one('#problem'), false)

  const isLost = (status) => status === 0 || status >= 500
  const forget = () => {
    clearTimeout(lostTimer)
    lost = undefined
  }
  const tryLost = () => {
    const retry = lost
    forget()
    if (retry === undefined) return
    noProblem()
    retry()
  }
  /** Says what went wrong; what the network has lost is tried again by itself. */
  const failed = (text, status, retry) => {
    problem(text, retry)
    forget()
    if (!isLost(status)) return
    lost = retry
    losses++
    lostTimer = setTimeout(tryLost, Math.min(3000 * losses, 15_000))
  }
  const arrived = () => {
    losses = 0
    forget()
  }

  const ask = async (method, path, body) => {
    let answer
    // A line that is stuck says nothing by itself.
    const stuck = new AbortController()
    const stuckTimer = setTimeout(() => stuck.abort(), 20_000)
    try {
      answer = await fetch(`/pair/${path}`, {
        method,
        signal: stuck.signal,
        credentials: 'same-origin',
        cache: 'no-store',
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    } catch {
      // Without its body an answer is lost too, unless it is a refusal.
      return { status: answer === undefined || answer.ok ? 0 : answer.status }
    } finally {
      clearTimeout(stuckTimer)
    }
  }

  /** Words for what went wrong, except a code that is not valid. */
  const wordsFor = (status) =>
    isLost(status) ? words.offline : status === 401 ? words.ended : status === 429 ? words.codeLimit : words.failed

  const modelOf = async () => {
    try {
      const { model } = await navigator.userAgentData.getHighEntropyValues(['model'])
      if (model) return model
    } catch {
      // The browser does not say it that way.
    }
    const found = /Android [^;)]*; ([^;)]+?)(?: Build|[;)])/.exec(navigator.userAgent)
    return found && found[1] !== 'K' ? found[1].trim() : ''
  }

  // What is shown.

  const draw = () => {
    if (state === undefined) return
    one('#lead').textContent = fill(words.phoneOf, { phone: state.phone, account: state.account })
    const passed = state.app === 'smsgate' ? words.sendersAll : words.sendersAre
    one('#senders').textContent =
      state.senders.length > 0 ? fill(passed, { senders: state.senders.join(', ') }) : words.sendersNone
    for (const fact of all('[data-fact]')) {
      const at = state[fact.dataset.fact]
      fact.className = at === null ? '' : 'is'
      one('dd', fact).textContent = at === null ? words.waiting : clock(at)
    }
    for (const live of all('[data-live]')) {
      const what = live.dataset.live
      const at = state[`${what}_at`]
      live.className = at === null ? 'live' : 'live is'
      const waits = what === 'registered' ? words.waitRegistered : words.waitConfigured
      const text = at === null ? waits : fill(words[what], { time: clock(at) })
      if (live.textContent !== text) live.textContent = text
    }
    show(one('#https'), state.app === 'smsgate' && location.protocol === 'http:')
    show(one('#done'), state.message_at !== null)
    show(one('#trial'), state.message_at === null)
    for (const part of all('[data-for]')) show(part, part.dataset.for === state.app)
    for (const name of all('[data-name]')) name.textContent = names[state.app] || '…'
    for (const name of all('[data-installed]')) name.textContent = installed[state.app] || '…'
    drawAccess()
  }

  const drawAccess = () => {
    const part = one(`[data-step="3"] [data-for="${state.app}"]`)
    if (part === null) return
    const ready = access && access.app === state.app
    show(one('[data-created]', part), Boolean(ready))
    const first = one('nav > [data-create]', part)
    if (first !== null) show(first, !ready)
    if (!ready) return
    for (const { key, value } of access.fields) {
      const row = one(`[data-field="${key}"]`, part)
      if (row === null) continue
      show(row, value !== '')
      one('code', row).textContent = value
    }
    one('[data-until]', part).textContent = access.until ? fill(words.lineUntil, { time: clock(access.until) }) : ''
    for (const share of all('[data-share]', part)) show(share, canShare())
  }

  const go = (next, focus = true) => {
    step = next
    forget()
    kept.set('step', { until: state.until, step })
    for (const section of all('[data-step]')) show(section, Number(section.dataset.step) === step)
    all('.bar i').forEach((bar, at) => {
      bar.className = at < step ? 'on' : ''
    })
    show(one('#back'), step > 1)
    noProblem()
    draw()
    if (focus) {
      window.scrollTo(0, 0)
      one(`[data-step="${step}"] h2`).focus()
    }
    if (step === 3 && !(access && access.app === state.app) && !onDemand.includes(state.app)) void create()
    follow()
  }

  // What the user does.

  const begin = (answer) => {
    state = answer
    for (const id of ['#opening', '#enter']) show(one(id), false)
    noProblem()
    show(one('#steps'))
    const saved = kept.get('step')
    const guide = kept.get('access')
    access = guide && guide.until_session === state.until ? guide : undefined
    go(state.app !== '' && saved && saved.until === state.until ? saved.step : 1, false)
  }

  const choose = async (app) => {
    forget()
    const answer = await ask('POST', 'app', { app })
    if (answer.status !== 200) return failed(wordsFor(answer.status), answer.status, () => void choose(app))
    arrived()
    state = answer.body
    go(2)
  }

  const create = async () => {
    const { app } = state
    for (const button of all('[data-create]')) button.disabled = true
    const answer = await ask('POST', 'access', { app })
    for (const button of all('[data-create]')) button.disabled = false
    // The user has gone on meanwhile.
    if (state.app !== app || step !== 3) return
    if (answer.status !== 200) {
      const text = answer.status === 429 ? words.accessLimit : wordsFor(answer.status)
      return failed(text, answer.status, () => void create())
    }
    arrived()
    noProblem()
    access = { ...answer.body, until_session: state.until }
    kept.set('access', access)
    draw()
    void look()
  }

  const copy = async (button) => {
    const code = one('code', button.parentNode)
    try {
      await navigator.clipboard.writeText(code.textContent)
    } catch {
      // Over http, and in old browsers: select it and copy the selection.
      const range = document.createRange()
      range.selectNodeContents(code)
      const selection = getSelection()
      selection.removeAllRanges()
      selection.addRange(range)
      if (!document.execCommand('copy')) return
      selection.removeAllRanges()
    }
    button.textContent = words.copied
    setTimeout(() => {
      button.textContent = words.copy
    }, 2000)
  }

  const fileOf = () => new File([access.file.content], access.file.name, { type: 'application/json' })
  const canShare = () => {
    try {
      return Boolean(access.file && navigator.canShare?.({ files: [fileOf()] }))
    } catch {
      return false
    }
  }
  const save = () => {
    const address = URL.createObjectURL(new Blob([access.file.content], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = access.file.name
    document.body.append(link)
    link.click()
    link.remove()
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }

  // How far it is.

  const look = async () => {
    clearTimeout(timer)
    const answer = await ask('GET', 'session')
    if (answer.status === 200) {
      if (lost === undefined && one('#problem p').textContent === words.offline) noProblem()
      state = answer.body
      draw()
      // The network is back.
      tryLost()
    } else if (answer.status === 401) {
      forget()
      show(one('#steps'), false)
      show(one('#enter'))
      return problem(words.ended)
    } else if (isLost(answer.status) && lost === undefined) problem(words.offline)
    follow()
  }
  const follow = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') return
    timer = setTimeout(look, step === 3 || step === 5 ? 3000 : 15_000)
  }
  /** The page is looked at, or the browser is online, again. */
  const wake = () => {
    if (document.visibilityState === 'hidden') return
    if (lost !== undefined) tryLost()
    if (state !== undefined) void look()
  }
  document.addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
  addEventListener('offline', () => state !== undefined && lost === undefined && problem(words.offline))

  const newToken = () =>
    btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=/g, '')

  const open = async (code) => {
    show(one('#opening'))
    noProblem()
    // With the same token the same page may ask again: the code is used, but the answer may have been lost.
    const before = opening ?? kept.get('opening')
    opening = before?.code === code ? before : { code, token: newToken() }
    kept.set('opening', opening)
    const answer = await ask('POST', 'session', { ...opening, model: await modelOf() })
    show(one('#opening'), false)
    // After too many tries it may still be ours.
    if (!isLost(answer.status) && answer.status !== 429) {
      opening = undefined
      kept.drop('opening')
    }
    if (answer.status === 200) {
      arrived()
      return begin(answer.body)
    }
    if (answer.status === 401 || answer.status === 400) {
      // The same phone may have opened it before: then its session goes on.
      const session = await ask('GET', 'session')
      if (session.status === 200) return begin(session.body)
      show(one('#enter'))
      return problem(words.codeUsed)
    }
    failed(wordsFor(answer.status), answer.status, () => void open(code))
    show(one('#enter'), answer.status === 429)
  }

  const resume = async () => {
    show(one('#opening'))
    const answer = await ask('GET', 'session')
    show(one('#opening'), false)
    if (answer.status === 200) return begin(answer.body)
    if (answer.status === 401) return show(one('#enter'))
    failed(wordsFor(answer.status), answer.status, () => void resume())
  }

  for (const button of all('[data-app]')) button.onclick = () => void choose(button.dataset.app)
  for (const button of all('[data-next]')) button.onclick = () => go(step + 1)
  for (const button of all('[data-create]')) button.onclick = () => void create()
  for (const button of all('.copy button')) button.onclick = () => void copy(button)
  for (const button of all('[data-save]')) button.onclick = save
  for (const button of all('[data-share]'))
    button.onclick = () => navigator.share({ files: [fileOf()] }).catch(() => {})
  one('#back').onclick = () => go(step - 1)
  one('#enter').onsubmit = (event) => {
    event.preventDefault()
    show(one('#enter'), false)
    void open(one('#code').value)
  }
  const maker = one('#maker')
  maker.onchange = () => {
    for (const part of all('[data-maker]')) show(part, part.dataset.maker === maker.value)
  }
  void modelOf().then((model) => {
    const agent = `${model} ${navigator.userAgent}`.toUpperCase()
    const found = makers.find(([, models]) => new RegExp(models).test(agent))
    maker.value = found === undefined ? 'other' : found[0]
    maker.onchange()
  })

  const start = () => {
    const code = /(?:^#|&)c=([^&]+)/.exec(location.hash)
    const before = kept.get('opening')
    if (code === null) return before ? open(before.code) : resume()
    history.replaceState(null, '', location.pathname + location.search)
    return open(code[1])
  }
  addEventListener('hashchange', () => location.hash.includes('c=') && void start())
  void start()
})()
