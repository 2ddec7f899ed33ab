/**
 * What a developer probably meant by a path that does not exist, or by an id that is none. Answers contain paths of this
 * service only, never what was sent. Pure.
 */
import { checkoutOperations } from '@sanad/contract/checkout/operations'
import { developerOperations } from '@sanad/contract/developer/operations'
import { merchantOperations } from '@sanad/contract/merchant/operations'
import { uuidOfText } from '../uuid.ts'
import { distance, isNear } from './similar-name.ts'

const apis = { merchant: merchantOperations, checkout: checkoutOperations, developer: developerOperations }
type Api = keyof typeof apis
const apiNames = Object.keys(apis) as Api[]

type KnownPath = { readonly path: string; readonly api: Api; readonly parts: readonly string[] }
/** Every path of the three APIs, each once. */
const knownPaths: readonly KnownPath[] = apiNames.flatMap((api) =>
  [...new Set(apis[api].map(({ path }) => path))].map((path) => ({
    path: `/api/v1/${api}${path}`,
    api,
    parts: path.split('/').filter((part) => part !== ''),
  })),
)

/** Words of other APIs for the parts of these paths. */
const otherWords: Readonly<Record<string, string>> = {
  payment: 'intents',
  payments: 'intents',
  'payment-intent': 'intents',
  'payment-intents': 'intents',
  payment_intents: 'intents',
  paymentintents: 'intents',
  order: 'intents',
  orders: 'intents',
  transactions: 'intents',
  accounts: 'wallets',
  providers: 'wallets',
  auth: 'token',
  oauth: 'token',
  login: 'token',
  authenticate: 'token',
  access_token: 'token',
  'access-token': 'token',
  checkouts: 'sessions',
  'checkout-session': 'sessions',
  'checkout-sessions': 'sessions',
  pages: 'sessions',
  'payment-link': 'links',
  'payment-links': 'links',
  payment_links: 'links',
  logs: 'calls',
  webhooks: 'events',
}

/** The beginnings of paths that have nothing to do with these APIs. */
const otherPaths = ['dashboard', 'device', 'ingest', 'pay', 'pair', 'docs', 'openapi', 'assets']

const mostParts = 12
const longestPart = 60

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** How far a part is from a literal part of a known path; undefined: too far. */
const farFrom = (sent: string, known: string): number | undefined => {
  if (sent === known) return 0
  if (otherWords[sent] === known || `${sent}s` === known) return 1
  return isNear(sent, known) ? distance(sent, known) : undefined
}

/** How far the parts are from a known path; undefined: it was not meant. */
const pathDistance = (sent: readonly string[], { parts }: KnownPath): number | undefined => {
  let far = 0
  for (const [n, known] of parts.entries()) {
    const part = sent[n]
    if (part === undefined) return undefined
    if (known === '{id}') continue
    const partFar = farFrom(part, known)
    if (partFar === undefined) return undefined
    far += partFar
  }
  // Further parts, which no path has.
  return far + 3 * (sent.length - parts.length)
}

/** The known path that is nearest; undefined: nothing of these APIs was meant. */
export const nearestPath = (url: string): string | undefined => {
  const parts = (url.split(/[?#]/)[0] ?? '')
    .split('/')
    .filter((part) => part !== '')
    .slice(0, mostParts)
    .map((part) => decoded(part).slice(0, longestPart).toLowerCase())
  let api: Api | undefined
  const rest = [...parts]
  while (rest.length > 0) {
    const first = rest[0]!
    const named = apiNames.find((name) => isNear(first, name) || `${name}s` === first)
    // `/checkout/` may also stand for the checkouts themselves.
    if (named !== undefined && api === undefined) api = named
    else if (first !== 'api' && !/^v\d+$/.test(first)) break
    rest.shift()
  }
  if (otherPaths.includes(rest[0] ?? '')) return undefined
  const candidates = knownPaths
    .map((known) => ({ known, far: nearestTail(rest, known) }))
    .filter((candidate): candidate is { known: KnownPath; far: number } => candidate.far !== undefined)
    .map(({ known, far }) => ({ known, far: api === undefined || known.api === api ? far : far + 1 }))
    .sort((a, b) => a.far - b.far || b.known.parts.length - a.known.parts.length)
  return candidates[0]?.known.path
}

/** As `pathDistance`; a part before the meant one, such as `oauth` in `/oauth/token`, is skipped. */
const nearestTail = (rest: readonly string[], known: KnownPath): number | undefined => {
  const whole = pathDistance(rest, known)
  if (whole !== undefined || rest.length < 2) return whole
  const later = pathDistance(rest.slice(1), known)
  return later === undefined ? undefined : later + 2
}

const isOfApi = (url: string): Api | undefined => apiNames.find((api) => url.startsWith(`/api/v1/${api}`))

/** The hint for a path that does not exist; undefined: it has nothing to do with these APIs. */
export const unknownPathHint = (url: string): string | undefined => {
  const nearest = nearestPath(url)
  if (nearest !== undefined) return `There is no such path: did you mean ${nearest}?`
  const api = isOfApi(url)
  if (api === undefined) return undefined
  const paths = knownPaths.filter((known) => known.api === api).map(({ path }) => path)
  return `There is no such path: this API has ${paths.join(', ')}.`
}

/** The hint for a path that cannot be decoded. */
export const brokenPathHint = 'The path contains a % that is not followed by two hexadecimal digits of UTF-8.'

/** What the id of a path stands for, by its route. */
const objects: Readonly<Record<string, { readonly name: string; readonly list: string; readonly filters: string }>> = {
  '/api/v1/merchant/intents/:id/': {
    name: 'intent',
    list: '/api/v1/merchant/intents/',
    filters: '?code=, ?external_order_id= or ?reference=',
  },
  '/api/v1/checkout/sessions/:id/': {
    name: 'checkout',
    list: '/api/v1/checkout/sessions/',
    filters: '?external_order_id= or ?reference=',
  },
  '/api/v1/checkout/sessions/:id/cancel/': {
    name: 'checkout',
    list: '/api/v1/checkout/sessions/',
    filters: '?external_order_id= or ?reference=',
  },
  '/api/v1/checkout/links/:id/': { name: 'payment link', list: '/api/v1/checkout/links/', filters: '' },
}

/** The alphabet of payment codes, in either case. */
const paymentCode = /^[0-9A-HJKMNP-TV-Z]{10}$/i
const emptyVariable = /^(undefined|null|none|nil|nan|\[object object\])$/i
const placeholder = /^(\{.*\}|:\w+|<.*>|\$.*|%7b.*)$/i

/** The hint for an object that was not found by the id in the path. */
export const unknownIdHint = (route: string, id: string): string | undefined => {
  const object = objects[route]
  if (object === undefined) return undefined
  const { name, list, filters } = object
  if (uuidOfText(id) !== undefined)
    return `No ${name} of this account has this id: check that it is the id of ${name === 'intent' ? 'an' : 'a'} ${name}, and that the key belongs to the same account.`
  if (emptyVariable.test(id))
    return `There is no id in the path: the variable that should hold the id of the ${name} is empty.`
  if (placeholder.test(id)) return `The path contains a placeholder: put the id of the ${name} in its place.`
  if (name === 'intent' && paymentCode.test(id)) return `That looks like a payment code: use GET ${list}?code= with it.`
  const search =
    filters === '' ? `GET ${list} lists them` : `to find it by something else use GET ${list} with ${filters}`
  return `The id in the path is no UUID: send the id of the ${name}; ${search}.`
}

/** The hint for a page that does not exist. `requested`: the parameter `page`. */
export const pageHint = (requested: string): string =>
  /^\s*\d+\s*$/.test(requested)
    ? 'The list has fewer pages: page begins at 1, and next of each answer is the address of the following page, or null.'
    : 'page is a whole number from 1, or the word last.'
