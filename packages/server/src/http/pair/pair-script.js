/**
 * The script of the set-up page. It takes the code after the `#` of the address and removes it from there, shows one step
 * at a time, and polls the progress of the set-up: often during the steps "Settings" and "Try it", seldom otherwise, and
 * at once when the page becomes visible again. The access that the server created for the app is kept in this tab only
 * (sessionStorage), so that the browser may reload the page while the user is in the app. A call that the network lost is
 * repeated: when the browser is online again, when the page becomes visible, and after some seconds. Every call may be
 * repeated safely.
 */
;(() => {
  const { words, names, installed, onDemand, makers } = JSON.parse(document.getElementById('data').textContent)
  const find = (selector, within = document) => within.querySelector(selector)
  const findAll = (selector, within = document) => [...within.querySelectorAll(selector)]
  const show = (element, shown = true) => {
    element.hidden = !shown
  }
  const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name])
  const clock = (at) => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

  let state
  let access
  let step = 1
  let timer
  /** The call that is repeated because the network lost it, the timer of its repetition, and the number of losses in a row. */
  let lost
  let lostTimer
  let losses = 0
  /** The code that is being opened, with its token. */
  let opening

  // The storage of this tab.
  const storage = {
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
        // Then nothing was stored.
      }
    },
  }

  const problem = (text, retry) => {
    const box = find('#problem')
    find('p', box).textContent = text
    const button = find('button', box)
    show(button, retry !== undefined)
    button.onclick = () => {
      show(box, false)
      cancelRetry()
      retry()
    }
    show(box)
  }
  const noProblem = () => show(find('#problem'), false)

  const isLost = (status) => status === 0 || status >= 500
  const cancelRetry = () => {
    clearTimeout(lostTimer)
    lost = undefined
  }
  const tryLost = () => {
    const retry = lost
    cancelRetry()
    if (retry === undefined) return
    noProblem()
    retry()
  }
  /** Shows the problem. A call that the network lost is repeated automatically. */
  const failed = (text, status, retry) => {
    problem(text, retry)
    cancelRetry()
    if (!isLost(status)) return
    lost = retry
    losses++
    lostTimer = setTimeout(tryLost, Math.min(3000 * losses, 15_000))
  }
  const arrived = () => {
    losses = 0
    cancelRetry()
  }

  const call = async (method, path, body) => {
    let answer
    // A connection that hangs reports no error: the call is aborted after 20 seconds.
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
      // An answer whose body cannot be read counts as lost, unless its status is a refusal.
      return { status: answer === undefined || answer.ok ? 0 : answer.status }
    } finally {
      clearTimeout(stuckTimer)
    }
  }

  /** The text for the status of a failed call. `open` has its own text for a code that is not valid. */
  const errorText = (status) =>
    isLost(status) ? words.offline : status === 401 ? words.ended : status === 429 ? words.codeLimit : words.failed

  const modelOf = async () => {
    try {
      const { model } = await navigator.userAgentData.getHighEntropyValues(['model'])
      if (model) return model
    } catch {
      // Only some browsers have this interface.
    }
    const found = /Android [^;)]*; ([^;)]+?)(?: Build|[;)])/.exec(navigator.userAgent)
    return found && found[1] !== 'K' ? found[1].trim() : ''
  }

  // Drawing.

  const draw = () => {
    if (state === undefined) return
    find('#lead').textContent = fill(words.phoneOf, { phone: state.phone, account: state.account })
    const sendersText = state.app === 'smsgate' ? words.sendersAll : words.sendersAre
    find('#senders').textContent =
      state.senders.length > 0 ? fill(sendersText, { senders: state.senders.join(', ') }) : words.sendersNone
    for (const fact of findAll('[data-fact]')) {
      const at = state[fact.dataset.fact]
      fact.className = at === null ? '' : 'is'
      find('dd', fact).textContent = at === null ? words.waiting : clock(at)
    }
    for (const live of findAll('[data-live]')) {
      const progress = live.dataset.live
      const at = state[`${progress}_at`]
      live.className = at === null ? 'live' : 'live is'
      const waits = progress === 'registered' ? words.waitRegistered : words.waitConfigured
      const text = at === null ? waits : fill(words[progress], { time: clock(at) })
      if (live.textContent !== text) live.textContent = text
    }
    show(find('#https'), state.app === 'smsgate' && location.protocol === 'http:')
    show(find('#done'), state.message_at !== null)
    show(find('#trial'), state.message_at === null)
    for (const part of findAll('[data-for]')) show(part, part.dataset.for === state.app)
    for (const name of findAll('[data-name]')) name.textContent = names[state.app] || '…'
    for (const name of findAll('[data-installed]')) name.textContent = installed[state.app] || '…'
    drawAccess()
  }

  const drawAccess = () => {
    const part = find(`[data-step="3"] [data-for="${state.app}"]`)
    if (part === null) return
    const ready = access && access.app === state.app
    show(find('[data-created]', part), Boolean(ready))
    const first = find('nav > [data-create]', part)
    if (first !== null) show(first, !ready)
    if (!ready) return
    for (const { key, value } of access.fields) {
      const row = find(`[data-field="${key}"]`, part)
      if (row === null) continue
      show(row, value !== '')
      find('code', row).textContent = value
    }
    find('[data-until]', part).textContent = access.until ? fill(words.lineUntil, { time: clock(access.until) }) : ''
    for (const share of findAll('[data-share]', part)) show(share, canShare())
  }

  const showStep = (next, focus = true) => {
    step = next
    cancelRetry()
    storage.set('step', { until: state.until, step })
    for (const section of findAll('[data-step]')) show(section, Number(section.dataset.step) === step)
    findAll('.bar i').forEach((bar, at) => {
      bar.className = at < step ? 'on' : ''
    })
    show(find('#back'), step > 1)
    noProblem()
    draw()
    if (focus) {
      window.scrollTo(0, 0)
      find(`[data-step="${step}"] h2`).focus()
    }
    if (step === 3 && !(access && access.app === state.app) && !onDemand.includes(state.app)) void create()
    schedulePoll()
  }

  // Actions of the user.

  const begin = (answer) => {
    state = answer
    for (const id of ['#opening', '#enter']) show(find(id), false)
    noProblem()
    show(find('#steps'))
    const saved = storage.get('step')
    const guide = storage.get('access')
    access = guide && guide.until_session === state.until ? guide : undefined
    showStep(state.app !== '' && saved && saved.until === state.until ? saved.step : 1, false)
  }

  const choose = async (app) => {
    cancelRetry()
    const answer = await call('POST', 'app', { app })
    if (answer.status !== 200) return failed(errorText(answer.status), answer.status, () => void choose(app))
    arrived()
    state = answer.body
    showStep(2)
  }

  const create = async () => {
    const { app } = state
    for (const button of findAll('[data-create]')) button.disabled = true
    const answer = await call('POST', 'access', { app })
    for (const button of findAll('[data-create]')) button.disabled = false
    // The user has gone on meanwhile.
    if (state.app !== app || step !== 3) return
    if (answer.status !== 200) {
      const text = answer.status === 429 ? words.accessLimit : errorText(answer.status)
      return failed(text, answer.status, () => void create())
    }
    arrived()
    noProblem()
    access = { ...answer.body, until_session: state.until }
    storage.set('access', access)
    draw()
    void poll()
  }

  const copy = async (button) => {
    const code = find('code', button.parentNode)
    try {
      await navigator.clipboard.writeText(code.textContent)
    } catch {
      // Over http, and in old browsers: select the text and copy the selection.
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

  // Polling the progress.

  const poll = async () => {
    clearTimeout(timer)
    const answer = await call('GET', 'session')
    if (answer.status === 200) {
      if (lost === undefined && find('#problem p').textContent === words.offline) noProblem()
      state = answer.body
      draw()
      // The network is back.
      tryLost()
    } else if (answer.status === 401) {
      cancelRetry()
      show(find('#steps'), false)
      show(find('#enter'))
      return problem(words.ended)
    } else if (isLost(answer.status) && lost === undefined) problem(words.offline)
    schedulePoll()
  }
  const schedulePoll = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') return
    timer = setTimeout(poll, step === 3 || step === 5 ? 3000 : 15_000)
  }
  /** Called when the page is visible again, or the browser is online again. */
  const wake = () => {
    if (document.visibilityState === 'hidden') return
    if (lost !== undefined) tryLost()
    if (state !== undefined) void poll()
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
    show(find('#opening'))
    noProblem()
    // With the same token the same page may ask again: the code is used, but the answer may have been lost.
    const before = opening ?? storage.get('opening')
    opening = before?.code === code ? before : { code, token: newToken() }
    storage.set('opening', opening)
    const answer = await call('POST', 'session', { ...opening, model: await modelOf() })
    show(find('#opening'), false)
    // After a lost answer or a 429 the code is tried again with the same token.
    if (!isLost(answer.status) && answer.status !== 429) {
      opening = undefined
      storage.drop('opening')
    }
    if (answer.status === 200) {
      arrived()
      return begin(answer.body)
    }
    if (answer.status === 401 || answer.status === 400) {
      // This browser may have used the code before: then its session continues.
      const session = await call('GET', 'session')
      if (session.status === 200) return begin(session.body)
      show(find('#enter'))
      return problem(words.codeUsed)
    }
    failed(errorText(answer.status), answer.status, () => void open(code))
    show(find('#enter'), answer.status === 429)
  }

  const resume = async () => {
    show(find('#opening'))
    const answer = await call('GET', 'session')
    show(find('#opening'), false)
    if (answer.status === 200) return begin(answer.body)
    if (answer.status === 401) return show(find('#enter'))
    failed(errorText(answer.status), answer.status, () => void resume())
  }

  for (const button of findAll('[data-app]')) button.onclick = () => void choose(button.dataset.app)
  for (const button of findAll('[data-next]')) button.onclick = () => showStep(step + 1)
  for (const button of findAll('[data-create]')) button.onclick = () => void create()
  for (const button of findAll('.copy button')) button.onclick = () => void copy(button)
  for (const button of findAll('[data-save]')) button.onclick = save
  for (const button of findAll('[data-share]'))
    button.onclick = () => navigator.share({ files: [fileOf()] }).catch(() => {})
  find('#back').onclick = () => showStep(step - 1)
  find('#enter').onsubmit = (event) => {
    event.preventDefault()
    show(find('#enter'), false)
    void open(find('#code').value)
  }
  const maker = find('#maker')
  maker.onchange = () => {
    for (const part of findAll('[data-maker]')) show(part, part.dataset.maker === maker.value)
  }
  void modelOf().then((model) => {
    const agent = `${model} ${navigator.userAgent}`.toUpperCase()
    const found = makers.find(([, models]) => new RegExp(models).test(agent))
    maker.value = found === undefined ? 'other' : found[0]
    maker.onchange()
  })

  const start = () => {
    const code = /(?:^#|&)c=([^&]+)/.exec(location.hash)
    const before = storage.get('opening')
    if (code === null) return before ? open(before.code) : resume()
    history.replaceState(null, '', location.pathname + location.search)
    return open(code[1])
  }
  addEventListener('hashchange', () => location.hash.includes('c=') && void start())
  void start()
})()
