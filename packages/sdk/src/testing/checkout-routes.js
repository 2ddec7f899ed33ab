/** The checkout API of the fake: `/sessions/` and `/links/`. testing.js reads the token and parses the body before. */
import { answer, invalid, Keys, keyHeader, keyReused, notAllowed, notFound } from './answers.js'
import { outermostFirst } from './bodies.js'
import { readChangeLink, readCreateCheckout, readCreateLink } from './checkout-bodies.js'
import { checkoutPage, pageOf } from './list.js'

/** @import { FakeWallet } from '../../types/testing.d.ts' */
/** @import { Entry } from './bodies.js' */
/** @import { Checkouts } from './checkouts.js' */
/** @typedef {{ url: URL, headers: Record<string, string>, body: unknown }} FakeRequest */

export const checkoutPath = '/api/v1/checkout'

const routePattern = /^\/(sessions|links)\/(?:([^/]+)\/)?(?:(cancel)\/)?$/

/** @param {{ checkouts: Checkouts, wallets: readonly FakeWallet[], origin: string, now: () => number }} fake */
export const checkoutRoutes = ({ checkouts, wallets, origin, now }) => {
  const keys = new Keys()

  /**
   * @param {readonly string[]} ids
   * @returns {Entry[]}
   */
  const walletErrors = (ids) => {
    if (ids.length === 0) {
      if (wallets.some(({ state, is_test }) => state === undefined && !is_test)) return []
      const detail = 'No wallet is set up for payment monitoring with its device on.'
      return [{ attr: 'wallets', code: 'wallet_not_monitored', detail }]
    }
    return ids.flatMap((id, n) => {
      const wallet = wallets.find((candidate) => candidate.id === id)
      const attr = `wallets.${n}`
      if (wallet === undefined || wallet.state === 'closed')
        return [{ attr, code: 'does_not_exist', detail: `Invalid pk "${id}" - object does not exist.` }]
      const detail = 'This wallet is not set up for payment monitoring, or its device is off.'
      return wallet.state === 'off' ? [{ attr, code: 'wallet_not_monitored', detail }] : []
    })
  }

  /** @param {FakeRequest} request */
  const create = ({ headers, body }) => {
    const key = headers[keyHeader.toLowerCase()] ?? ''
    const replay = keys.replay(key, body, now())
    if (replay instanceof Response) return replay
    const reading = readCreateCheckout(body)
    const [wrongKey, wrongWallets] = [keys.errors(key), walletErrors(reading.wallets)]
    // A rule over several fields is checked only when every field is right.
    const areRulesChecked = !reading.isWholeOrder || (wrongWallets.length === 0 && wrongKey.length === 0)
    const errors = [...outermostFirst([...(areRulesChecked ? reading.errors : []), ...wrongWallets]), ...wrongKey]
    if (errors.length > 0 || reading.draft === undefined) return invalid(errors)
    if (replay !== undefined) return keyReused()
    const row = checkouts.create(reading.draft)
    const location = `${origin}${checkoutPath}/sessions/${row.id}/`
    const text = JSON.stringify(checkouts.show(row))
    keys.store(key, body, { text, location }, now())
    return answer(201, text, { location })
  }

  /** @param {FakeRequest} request */
  const createLink = ({ body }) => {
    const reading = readCreateLink(body)
    const errors = outermostFirst([...reading.errors, ...walletErrors(reading.wallets)])
    if (errors.length > 0 || reading.draft === undefined) return invalid(errors)
    const row = checkouts.createLink(reading.draft)
    if (row !== undefined) return answer(201, checkouts.showLink(row))
    const detail = 'An account has at most 1000 payment links.'
    return invalid([{ code: 'link_limit', detail, attr: 'non_field_errors' }])
  }

  /** @param {FakeRequest} request */
  const list = ({ url }) => {
    const rows = [...checkouts.rows.values()].map((row) => ({ at: row.at, checkout: checkouts.show(row) }))
    const found = checkoutPage(rows, url.searchParams, `${origin}${checkoutPath}/sessions/`)
    if (found === undefined) return notFound('Invalid page.')
    return 'errors' in found ? invalid(found.errors) : answer(200, found.page)
  }

  /** @param {FakeRequest} request */
  const listLinks = ({ url }) => {
    const links = [...checkouts.links.values()].reverse().map((row) => checkouts.showLink(row))
    const found = pageOf(links, url.searchParams, `${origin}${checkoutPath}/links/`)
    return found === undefined ? notFound('Invalid page.') : answer(200, found.page)
  }

  /** @type {(id: string, isCancel: boolean) => Response} */
  const showOrCancel = (id, isCancel) => {
    const row = checkouts.rows.get(id)
    if (row === undefined) return notFound()
    if (isCancel && !checkouts.cancel(row)) {
      const detail = `Only an OPEN checkout can be cancelled; this one is ${row.status}.`
      return invalid([{ code: 'checkout_not_open', detail, attr: 'non_field_errors' }])
    }
    return answer(200, checkouts.show(row))
  }

  /** @type {(id: string, change?: { body: unknown }) => Response} */
  const showOrChangeLink = (id, change) => {
    const row = checkouts.links.get(id)
    if (row === undefined) return notFound()
    if (change !== undefined) {
      const { active, errors } = readChangeLink(change.body)
      if (active === undefined) return invalid(errors)
      row.active = active
    }
    return answer(200, checkouts.showLink(row))
  }

  return {
    /** @param {string} path */
    knows(path) {
      const found = routePattern.exec(path)
      return found !== null && (found[3] === undefined || (found[1] === 'sessions' && found[2] !== undefined))
    },

    /** @type {(method: string, path: string, request: FakeRequest) => Response} */
    answer(method, path, request) {
      const [, kind, rawId, cancel] = /** @type {RegExpExecArray} */ (routePattern.exec(path))
      const id = rawId?.toLowerCase()
      if (id === undefined) {
        if (method === 'POST') return kind === 'sessions' ? create(request) : createLink(request)
        if (method === 'GET') return kind === 'sessions' ? list(request) : listLinks(request)
        return notAllowed(['GET', 'POST', 'HEAD', 'OPTIONS'], method)
      }
      if (cancel !== undefined)
        return method === 'POST' ? showOrCancel(id, true) : notAllowed(['POST', 'OPTIONS'], method)
      if (method === 'GET') return kind === 'sessions' ? showOrCancel(id, false) : showOrChangeLink(id)
      if (kind === 'links' && method === 'PATCH') return showOrChangeLink(id, request)
      return notAllowed(kind === 'links' ? ['GET', 'PATCH', 'HEAD', 'OPTIONS'] : ['GET', 'HEAD', 'OPTIONS'], method)
    },
  }
}
