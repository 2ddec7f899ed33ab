/**
 * The script of the set-up page. It takes the code after the `#` of the address and removes it from there, shows one step
 * at a time, and polls the progress of the set-up: often during the steps "Settings" and "Try it", seldom otherwise, and
 * at once when the page becomes visible again. The access that the server created for the app is kept in this tab only
 * (sessionStorage), so that the browser may reload the page while the user is in the app. A call that the network lost is
 * repeated: when the browser is online again, when the page becomes visible, and after some seconds. Every call may be
 * repeated safely.
 */
import type { Answer, AppAccess, Live, Opening, PageData, SetupState, Stored, StoredAccess } from './setup-answers.ts'

type Retry = () => void

/** An element that the page always has. */
const find = <T extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): T =>
  within.querySelector<T>(selector)!
const findAll = <T extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): T[] => [
  ...within.querySelectorAll<T>(selector),
]
const { words, names, installed, onDemand }: PageData = JSON.parse(find('#data').textContent)
const show = (element: HTMLElement, shown = true): void => {
  element.hidden = !shown
}
/** Each value keeps its own direction of writing: a name may be in the other language. */
const fill = (text: string, facts: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name) => `\u2068${facts[name]}\u2069`)
const clock = (at: string): string => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

let state: SetupState | undefined
let access: StoredAccess | undefined
let step = 1
let timer: number | undefined
/** The call that is repeated because the network lost it, the timer of its repetition, and the number of losses in a row. */
let lost: Retry | undefined
let lostTimer: number | undefined
let losses = 0
/** The code that is being opened, with its token. */
let opening: Opening | undefined

// The storage of this tab.
const storage = {
  get<K extends keyof Stored>(name: K): Stored[K] | null {
    try {
      return JSON.parse(sessionStorage.getItem(`sanad-${name}`)!)
    } catch {
      return null
    }
  },
  set<K extends keyof Stored>(name: K, value: Stored[K]): void {
    try {
      sessionStorage.setItem(`sanad-${name}`, JSON.stringify(value))
    } catch {
      // Without storage a reload begins at the first step.
    }
  },
  drop(name: keyof Stored): void {
    try {
      sessionStorage.removeItem(`sanad-${name}`)
    } catch {
      // Then nothing was stored.
    }
  },
}

const problem = (text: string, retry?: Retry): void => {
  const box = find('#problem')
  find('p', box).textContent = text
  const button = find('button', box)
  show(button, retry !== undefined)
  button.onclick = () => {
    show(box, false)
    cancelRetry()
    retry!()
  }
  show(box)
}
const noProblem = (): void => show(find('#problem'), false)

const isLost = (status: number): boolean => status === 0 || status >= 500
const cancelRetry = (): void => {
  clearTimeout(lostTimer)
  lost = undefined
}
const tryLost = (): void => {
  const retry = lost
  cancelRetry()
  if (retry === undefined) return
  noProblem()
  retry()
}
/** Shows the problem. A call that the network lost is repeated automatically. */
const failed = (text: string, status: number, retry: Retry): void => {
  problem(text, retry)
  cancelRetry()
  if (!isLost(status)) return
  lost = retry
  losses++
  lostTimer = setTimeout(tryLost, Math.min(3000 * losses, 15_000))
}
const arrived = (): void => {
  losses = 0
  cancelRetry()
}

const call = async <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer<T>> => {
  let answer: Response | undefined
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
    return { status: answer === undefined || answer.ok ? 0 : answer.status, body: undefined as T }
  } finally {
    clearTimeout(stuckTimer)
  }
}

/** The text for the status of a failed call. `open` has its own text for a code that is not valid. */
const errorText = (status: number): string =>
  isLost(status) ? words.offline : status === 401 ? words.ended : status === 429 ? words.codeLimit : words.failed

type UserAgentData = { getHighEntropyValues(hints: readonly string[]): Promise<{ readonly model?: string }> }

/** The model of this phone; empty: the browser does not say. */
const modelOf = async (): Promise<string> => {
  try {
    const { userAgentData } = navigator as Navigator & { readonly userAgentData?: UserAgentData }
    const { model } = await userAgentData!.getHighEntropyValues(['model'])
    if (model) return model
  } catch {
    // Only some browsers have this interface.
  }
  const found = /Android [^;)]*; ([^;)]+?)(?: Build|[;)])/.exec(navigator.userAgent)
  return found && found[1] !== 'K' ? found[1]!.trim() : ''
}

// Drawing.

const draw = (): void => {
  if (state === undefined) return
  find('#lead').textContent = fill(words.phoneOf, { phone: state.phone, account: state.account })
  const sendersText = state.app === 'smsgate' ? words.sendersAll : words.sendersAre
  find('#senders').textContent =
    state.senders.length > 0 ? fill(sendersText, { senders: state.senders.join(', ') }) : words.sendersNone
  for (const fact of findAll('[data-fact]')) {
    const at = state[fact.dataset.fact as 'opened_at']
    fact.className = at === null ? '' : 'is'
    find('dd', fact).textContent = at === null ? words.waiting : clock(at)
  }
  for (const live of findAll('[data-live]')) {
    const progress = live.dataset.live as Live
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
  drawAccess(state)
}

const hasAccess = (app: string): boolean => access !== undefined && access.app === app

const drawAccess = ({ app }: SetupState): void => {
  const part = document.querySelector(`[data-step="3"] [data-for="${app}"]`)
  if (part === null) return
  const ready = hasAccess(app)
  show(find('[data-created]', part), ready)
  const first = part.querySelector<HTMLElement>('nav > [data-create]')
  if (first !== null) show(first, !ready)
  if (!ready || access === undefined) return
  for (const { key, value } of access.fields) {
    const row = part.querySelector<HTMLElement>(`[data-field="${key}"]`)
    if (row === null) continue
    show(row, value !== '')
    find('code', row).textContent = value
  }
  find('[data-until]', part).textContent = access.until ? fill(words.lineUntil, { time: clock(access.until) }) : ''
  for (const share of findAll('[data-share]', part)) show(share, canShare())
}

const showStep = (next: number, focus = true): void => {
  if (state === undefined) return
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
  if (step === 3 && !hasAccess(state.app) && !onDemand.includes(state.app)) void create()
  schedulePoll()
}

// Actions of the user.

const begin = (answer: SetupState): void => {
  state = answer
  for (const id of ['#opening', '#enter']) show(find(id), false)
  noProblem()
  show(find('#steps'))
  const saved = storage.get('step')
  const guide = storage.get('access')
  access = guide && guide.until_session === state.until ? guide : undefined
  showStep(state.app !== '' && saved && saved.until === state.until ? saved.step : 1, false)
}

const choose = async (app: string): Promise<void> => {
  cancelRetry()
  const answer = await call<SetupState>('POST', 'app', { app })
  if (answer.status !== 200) return failed(errorText(answer.status), answer.status, () => void choose(app))
  arrived()
  state = answer.body
  showStep(2)
}

const create = async (): Promise<void> => {
  if (state === undefined) return
  const { app } = state
  const buttons = findAll<HTMLButtonElement>('[data-create]')
  for (const button of buttons) button.disabled = true
  const answer = await call<AppAccess>('POST', 'access', { app })
  for (const button of buttons) button.disabled = false
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

const copy = async (button: HTMLElement): Promise<void> => {
  const code = find('code', button.parentNode!)
  try {
    await navigator.clipboard.writeText(code.textContent)
  } catch {
    // Over http, and in old browsers: select the text and copy the selection.
    const range = document.createRange()
    range.selectNodeContents(code)
    const selection = getSelection()!
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

type SettingsFile = NonNullable<AppAccess['file']>
const shared = ({ name, content }: SettingsFile): ShareData => ({
  files: [new File([content], name, { type: 'application/json' })],
})
const canShare = (): boolean => {
  try {
    return Boolean(access?.file && navigator.canShare?.(shared(access.file)))
  } catch {
    return false
  }
}
const share = (): void => {
  if (access?.file) navigator.share(shared(access.file)).catch(() => {})
}
const save = (): void => {
  if (!access?.file) return
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

const poll = async (): Promise<void> => {
  clearTimeout(timer)
  const answer = await call<SetupState>('GET', 'session')
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
const schedulePoll = (): void => {
  clearTimeout(timer)
  if (document.visibilityState === 'hidden') return
  timer = setTimeout(poll, step === 3 || step === 5 ? 3000 : 15_000)
}
/** Called when the page is visible again, or the browser is online again. */
const wake = (): void => {
  if (document.visibilityState === 'hidden') return
  if (lost !== undefined) tryLost()
  if (state !== undefined) void poll()
}
document.addEventListener('visibilitychange', wake)
addEventListener('online', wake)
addEventListener('offline', () => state !== undefined && lost === undefined && problem(words.offline))

const newToken = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

const open = async (code: string): Promise<void> => {
  show(find('#opening'))
  noProblem()
  // With the same token the same page may ask again: the code is used, but the answer may have been lost.
  const before = opening ?? storage.get('opening')
  opening = before?.code === code ? before : { code, token: newToken() }
  storage.set('opening', opening)
  const answer = await call<SetupState>('POST', 'session', { ...opening, model: await modelOf() })
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
    const session = await call<SetupState>('GET', 'session')
    if (session.status === 200) return begin(session.body)
    show(find('#enter'))
    return problem(words.codeUsed)
  }
  failed(errorText(answer.status), answer.status, () => void open(code))
  show(find('#enter'), answer.status === 429)
}

const resume = async (): Promise<void> => {
  show(find('#opening'))
  const answer = await call<SetupState>('GET', 'session')
  show(find('#opening'), false)
  if (answer.status === 200) return begin(answer.body)
  if (answer.status === 401) return show(find('#enter'))
  failed(errorText(answer.status), answer.status, () => void resume())
}

for (const button of findAll('[data-app]')) button.onclick = () => void choose(button.dataset.app!)
for (const button of findAll('[data-next]')) button.onclick = () => showStep(step + 1)
for (const button of findAll('[data-create]')) button.onclick = () => void create()
for (const button of findAll('.copy button')) button.onclick = () => void copy(button)
for (const button of findAll('[data-save]')) button.onclick = save
for (const button of findAll('[data-share]')) button.onclick = share
find('#back').onclick = () => showStep(step - 1)
find('#enter').onsubmit = (event) => {
  event.preventDefault()
  show(find('#enter'), false)
  void open(find<HTMLInputElement>('#code').value)
}
const start = (): Promise<void> => {
  const code = /(?:^#|&)c=([^&]+)/.exec(location.hash)
  const before = storage.get('opening')
  if (code === null) return before ? open(before.code) : resume()
  history.replaceState(null, '', location.pathname + location.search)
  return open(code[1]!)
}
addEventListener('hashchange', () => location.hash.includes('c=') && void start())
void start()
