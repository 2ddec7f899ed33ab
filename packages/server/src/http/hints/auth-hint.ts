/**
 * What is probably wrong with the credentials of a request. Credentials that were refused have one hint, whether or not a key
 * has the client id. Never contains what was sent. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Instant } from '../../core/clock.ts'
import { day_s } from '../../core/duration.ts'
import type { TokenFault } from '../answers.ts'

const tokenPath = 'POST /api/v1/merchant/token'
const keyHeaders = 'the headers SERVICE-CLIENT-ID and SERVICE-CLIENT-SECRET'

/** Headers that other APIs use for a key. */
const otherNames =
  /^(x-)?(service[-_])?(merchant[-_])?(sanad[-_])?(client|api|app|access)[-_]?(id|secret|key|client[-_]id|client[-_]secret)$/

const hasOtherNames = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some(
    (name) => name !== 'service-client-id' && name !== 'service-client-secret' && otherNames.test(name),
  )

const sentValue = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : ''
}

const inQuery = /[?&](client_?id|client_?secret|api_?key|secret)=/i
const quoted = /^["'`<].*|.*["'`>]$/

/** The hint for a token request without the two headers. `hasBody`: something was sent as a body. */
export const noCredentialsHint = (headers: IncomingHttpHeaders, url: string, hasBody: boolean): string => {
  const id = sentValue(headers, 'service-client-id')
  const secret = sentValue(headers, 'service-client-secret')
  if (id !== '') return 'The header SERVICE-CLIENT-SECRET is missing or empty.'
  if (secret !== '') return 'The header SERVICE-CLIENT-ID is missing or empty.'
  if (inQuery.test(url))
    return `The credentials are read from ${keyHeaders}, not from the query, where they end up in logs: rotate this key.`
  if (hasOtherNames(headers))
    return 'The headers are named SERVICE-CLIENT-ID and SERVICE-CLIENT-SECRET, with hyphens: other names are not read.'
  const authorization = sentValue(headers, 'authorization')
  if (/^basic\b/i.test(authorization))
    return `The credentials are read from ${keyHeaders}, not from Authorization: Basic.`
  if (authorization !== '') return `The credentials are read from ${keyHeaders}, not from Authorization.`
  if (hasBody) return `The credentials are read from ${keyHeaders}, not from the body.`
  return `Send the client id and the secret of an API key in ${keyHeaders}; this call reads no body.`
}

/** The one hint for credentials that were refused, whatever is wrong: it tells nobody which client ids exist or existed. */
export const wrongCredentialsHint =
  'The client id (32 hexadecimal characters) or the secret (43 characters, without quotes) is wrong, swapped, cut, rotated or revoked: compare with API keys in the dashboard, or rotate the key there.'

const requestToken = `request a token with ${tokenPath}`

/** The hint for a request whose Authorization has no token in the right form. */
export const noTokenHint = (headers: IncomingHttpHeaders, url: string): string => {
  const authorization = sentValue(headers, 'authorization')
  if (authorization === '') {
    if (/[?&](access_?token|token|authorization|bearer|auth)=/i.test(url))
      return 'The token is read from the header Authorization: Bearer, not from the query.'
    if (sentValue(headers, 'service-client-id') !== '' || hasOtherNames(headers))
      return `Exchange the key for a token first: ${tokenPath}, then send Authorization: Bearer and its access_token.`
    return `Send the header Authorization: Bearer and the access_token of ${tokenPath}.`
  }
  const [scheme = '', ...rest] = authorization.split(/[ \t]+/)
  if (/^basic$/i.test(scheme))
    return `Basic is not used here: ${requestToken}, then send Authorization: Bearer and its access_token.`
  if (rest.length === 0 && /^eyJ[\w-]+\./.test(scheme))
    return 'The word Bearer and a space are missing before the token.'
  if (/^bearer$/i.test(scheme)) {
    if (rest.length === 0) return `There is no token after the word Bearer: ${requestToken}.`
    if (/^bearer:?$/i.test(rest[0]!)) return 'The word Bearer is sent twice.'
    if (/^\[object$/i.test(rest[0]!)) return notAText
    return 'There is a space inside the token: send the word Bearer, one space, and the token in one piece.'
  }
  return 'The scheme of Authorization must be the word Bearer, without a colon, then a space and the token.'
}

const notAText = 'The token is the text of an empty variable or of an object: send the access_token itself.'

/** The hint for a token that was refused. `token`: as it was sent. */
export const wrongTokenHint = (token: string, fault: TokenFault, now: Instant): string => {
  if (fault.why === 'ended')
    return `The key of this token was rotated or revoked, or its account is suspended: ${requestToken} and a valid key.`
  if (fault.why === 'expired') {
    const time = new Date(fault.expiredAt).toISOString().replace(/\.\d+Z$/, 'Z')
    const ago = agoText(now - fault.expiredAt)
    return `The token expired ${ago} ago (${time} by the clock of this service): ${requestToken}, and renew it before expires_in seconds have passed.`
  }
  if (/^(undefined|null|none|nil|\[object)/i.test(token) || token === '') return notAText
  if (quoted.test(token)) return 'Send the token without quotes or brackets around it.'
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token))
    return `This is no access token, which has three parts with points between them: a client id or secret is exchanged for one with ${tokenPath}.`
  return `This token was not issued by this service, or was cut or changed: ${requestToken} at the same address.`
}

const agoText = (past_ms: number): string => {
  const seconds = Math.max(0, Math.floor(past_ms / 1000))
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.floor(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.floor(seconds / 3600), 'hour']
          : [Math.floor(seconds / day_s), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export const userTokenHint = `This is the token of a dashboard user: ${requestToken} and the credentials of an API key.`
