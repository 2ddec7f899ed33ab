/**
 * The hint for a problem of the merchant, checkout or developer API, or for a path that does not exist: how to repair the
 * request. The body of the answer stays the dialect's. Computed only when a request has failed.
 */
import { errorOf } from '@sanad/contract/error-sentences'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { day_ms, minute_ms } from '../../core/duration.ts'
import { noPermission, type Problem } from '../answers.ts'
import {
  noCredentialsHint,
  noTokenHint,
  userTokenHint,
  wrongCredentialsHint,
  wrongTokenHint,
} from '../hints/auth-hint.ts'
import { bodyHint, queryHint } from '../hints/field-hint.ts'
import { hintText } from '../hints/hint-text.ts'
import { malformedHint } from '../hints/json-hint.ts'
import { pageHint, unknownIdHint, unknownPathHint } from '../hints/path-hint.ts'
import { knownParameters } from '../hints/query-hint.ts'
import { isUnknownPath } from '../hints/unknown-path.ts'
import type { Limit, Rule } from '../limits/rule.ts'
import { lastValues } from '../query/parameters.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path of token requests. */
    isToken?: boolean
  }
}

export const hintFor = (request: FastifyRequest, problem: Problem): string | undefined => {
  const sentence = sentenceFor(request, problem)
  return sentence === undefined ? undefined : hintText(sentence)
}

const sentenceFor = (request: FastifyRequest, problem: Problem): string | undefined => {
  const url = request.raw.url ?? ''
  if (isUnknownPath(request)) return problem.status === 404 ? unknownPathHint(url) : undefined
  const { explained, isToken = false } = request.routeOptions.config
  if (isToken) return tokenHint(request, problem)
  if (explained === undefined) return undefined
  const { code, detail } = problem.errors[0]!
  switch (problem.status) {
    case 400:
    case 409:
      return problem.type === 'validation_error' || problem.status === 409
        ? invalidHint(request, explained, problem)
        : parseHint(request, detail)
    case 401:
      return code === 'authentication_failed' && problem.reason?.kind === 'token'
        ? wrongTokenHint(tokenIn(request), problem.reason.fault, problem.reason.now)
        : noTokenHint(request.headers, url)
    case 403:
      // Any other sentence says by itself what the key may not do.
      return detail === noPermission ? userTokenHint : undefined
    case 404:
      return detail === errorOf('no_such_page').detail
        ? pageHint(lastValues(url).get('page') ?? '')
        : unknownIdHint(request.routeOptions.url ?? '', (request.params as { readonly id?: string }).id ?? '')
    case 405:
      return methodHint(request, explained)
    case 413:
      return 'A body has at most 1 MiB (1048576 bytes): send fewer items, or the amount alone.'
    case 415:
      return mediaTypeHint(request.sentType)
    case 429:
      return limitHint(problem)
    default:
      return undefined
  }
}

const tokenIn = ({ headers: { authorization = '' } }: FastifyRequest): string =>
  authorization.trim().split(/[ \t]+/)[1] ?? ''

const tokenHint = (request: FastifyRequest, problem: Problem): string | undefined => {
  if (problem.status === 405) return 'This path takes POST, with the credentials in two headers and without a body.'
  if (problem.status === 429) return limitHint(problem)
  if (problem.status !== 401) return undefined
  const hasBody = request.body instanceof Uint8Array && request.body.length > 0
  return problem.errors[0]!.code === 'not_authenticated'
    ? noCredentialsHint(request.headers, request.raw.url ?? '', hasBody)
    : wrongCredentialsHint
}

const bytesOf = (request: FastifyRequest): Uint8Array =>
  request.body instanceof Uint8Array ? request.body : new Uint8Array()

const parseHint = (request: FastifyRequest, detail: string): string | undefined =>
  detail.startsWith('JSON parse error') ? malformedHint(detail, bytesOf(request)) : undefined

type Explained = NonNullable<FastifyContextConfig['explained']>

const invalidHint = (
  { method, parsed }: FastifyRequest,
  { operations }: Explained,
  { errors }: Problem,
): string | undefined => {
  const isRead = method === 'GET' || method === 'HEAD'
  const operation = operations.get(isRead ? 'GET' : method)
  if (operation === undefined) return undefined
  return isRead
    ? queryHint(errors, knownParameters(operation).statuses ?? [])
    : bodyHint(errors, operation.body, parsed)
}

const methodHint = (request: FastifyRequest, { operations, otherMethods = {} }: Explained): string => {
  const names = [...operations.keys()].join(' and ')
  const more = otherMethods[request.method] ?? otherMethods['*']
  return `This path takes ${names}${more === undefined ? '' : `: ${more}`}.`
}

const mediaTypeHint = (sent: string | undefined): string => {
  if (sent === undefined || sent === '')
    return 'The header Content-Type is missing: send Content-Type: application/json.'
  return /form/i.test(sent)
    ? 'Form data is not read: send the fields as JSON, with Content-Type: application/json.'
    : 'Send JSON, with the header Content-Type: application/json.'
}

const windowText = ({ max, window_ms }: Limit): string => {
  const window = window_ms === minute_ms ? 'minute' : window_ms === day_ms ? 'day' : `${window_ms / 1000} seconds`
  return `${max} in any ${window}`
}
const ruleText = ({ burst, sustained }: Rule): string => `${windowText(burst)} and ${windowText(sustained)}`

const limitHint = ({ reason }: Problem): string => {
  if (reason?.kind !== 'limit') return 'Wait for Retry-After seconds.'
  return reason.per === 'address'
    ? `Too many token requests with wrong credentials, of which an address may send ${ruleText(reason.rule)}: wait for Retry-After seconds.`
    : `A key may make ${ruleText(reason.rule)} of such calls: wait for Retry-After seconds.`
}
