/**
 * The script of the reference page. It adds to the page of the library: the viewport of phones, and the browser's preference for
 * light or dark. The examples and commands show this service's address. A token that “Try it out” gets from `POST /token` is used
 * by the next calls, also on the pages of the other APIs. The ids of the test wallet and of a new intent, checkout or link replace
 * the made-up ids. The token and the ids are in the tab's session storage, so they are gone when the tab is closed.
 */
const meta = document.createElement('meta')
meta.name = 'viewport'
meta.content = 'width=device-width, initial-scale=1'
document.head.append(meta)

const dark = matchMedia('(prefers-color-scheme: dark)')
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', setColours)
setColours()

const storageKey = 'sanad-docs'
const known = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
/** The made-up ids of the examples. */
const example = {
  WALLET: '3f2b8c1e-6d4a-4e0f-9b57-1c2d3e4f5a6b',
  [location.pathname.startsWith('/docs/checkout') ? 'CHECKOUT' : 'INTENT']: '019b7ca9-8f2e-7c3a-9d41-5b6e7f809a1b',
  LINK: '019b7cb0-1111-7c3a-9d41-5b6e7f809a1b',
}
const merchant = `${location.origin}/api/v1/merchant`
/** Values for the names in the examples (`$BASE_URL`). Replaced before stored ones, because `$CHECKOUT_URL` begins with
 *  `$CHECKOUT`. */
const values = {
  BASE_URL: merchant,
  CHECKOUT_URL: `${location.origin}/api/v1/checkout`,
  DEVELOPER_URL: `${location.origin}/api/v1/developer`,
  KEY: Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
}
/** The kind of object that a call creates, by its path. */
const createdKinds = { '/merchant/intents/': 'INTENT', '/checkout/sessions/': 'CHECKOUT', '/checkout/links/': 'LINK' }

const build = window.SwaggerUIBundle
const buildPage = (config) => {
  let original
  const rewrite = () => {
    original ??= ui.specSelectors.specStr()
    let text = original.replaceAll('https://pay.example.com', location.origin)
    for (const [name, value] of Object.entries({ ...values, ...known })) {
      text = text.replaceAll(`$${name}`, () => value)
      if (example[name] !== undefined) text = text.replaceAll(example[name], value)
    }
    ui.specActions.updateJsonSpec(JSON.parse(text))
  }
  const store = (facts) => {
    Object.assign(known, facts)
    sessionStorage.setItem(storageKey, JSON.stringify(known))
    rewrite()
  }
  const useToken = async (token) => {
    ui.preauthorizeApiKey('accessToken', token)
    const answer = await fetch(`${merchant}/wallets/?include_test=1`, { headers: { authorization: `Bearer ${token}` } })
    const wallet = answer.ok ? (await answer.json()).find((candidate) => candidate.is_test) : undefined
    store({ TOKEN: token, ...(wallet && { WALLET: wallet.id }) })
  }
  const responseInterceptor = (answer) => {
    const path = new URL(answer.url, location.href).pathname.replace('/api/v1', '')
    if (answer.ok && path === '/merchant/token') void useToken(answer.body.access_token)
    if (answer.status === 201 && createdKinds[path] !== undefined) store({ [createdKinds[path]]: answer.body.id })
    return answer
  }
  const onComplete = () => {
    if (known.TOKEN !== undefined) ui.preauthorizeApiKey('accessToken', known.TOKEN)
    rewrite()
  }
  const ui = build({ ...config, responseInterceptor, onComplete })
  return ui
}
// The library's start script, which runs when everything is loaded, uses this function.
window.SwaggerUIBundle = Object.assign(buildPage, build)
