/** Reads the query of a list of alerts into a filter and a page. All errors of a query are reported at once. */
import { alertStates } from '@sanad/contract/kinds'
import type { AlertState } from '../../../alerts/alert.ts'
import { type AlertFilter, type AlertPage, largestPage, queueStates } from '../../../alerts/alert-list.ts'
import type { Instant } from '../../../core/clock.ts'
import type { AccountId } from '../../../core/ids.ts'
import { type Minor, readDecimal } from '../../../core/money.ts'
import { strip } from '../../../core/python-text.ts'
import type { Zone } from '../../../core/zone.ts'
import { fold } from '../../../intents/intent.ts'
import { invalid, type ProblemEntry } from '../../answers.ts'
import { decimalDetail, forbidden } from '../../body/fields.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { readInstant } from '../../query/dates.ts'
import { lastValues } from '../../query/parameters.ts'
import { searchTerms } from '../../query/search-terms.ts'
import { readWholeNumber } from '../../query/whole-number.ts'

export type AlertsQuery = { readonly filter: AlertFilter; readonly page: AlertPage }

type SentQuery = { readonly sent: ReadonlyMap<string, string>; readonly errors: ProblemEntry[] }

const usualPage = 50

/** States that the list of the queue can show. Dismissed alerts are among them, so that a dismissal can be undone. */
const inQueue: readonly AlertState[] = [...queueStates, 'dismissed']

export const readQueueQuery = (url: string, accountId: AccountId, zone: Zone): AlertsQuery =>
  readQuery(url, accountId, zone, inQueue, queueStates)

export const readAlertsQuery = (url: string, accountId: AccountId, zone: Zone): AlertsQuery =>
  readQuery(url, accountId, zone, alertStates, undefined)

/** `usual`: the states that are listed if the query names none. Undefined: all states, and `device` and `template` filter too. */
const readQuery = (
  url: string,
  accountId: AccountId,
  zone: Zone,
  choices: readonly AlertState[],
  usual: readonly AlertState[] | undefined,
): AlertsQuery => {
  const requested: SentQuery = { sent: lastValues(url), errors: [] }
  const isListOfAll = usual === undefined
  const filter = {
    accountId,
    states: readStates(requested, choices) ?? usual,
    walletId: readId(requested, 'wallet'),
    phoneId: isListOfAll ? readId(requested, 'device') : undefined,
    templateId: isListOfAll ? readId(requested, 'template') : undefined,
    from: readTime(requested, 'from', zone),
    until: readTime(requested, 'until', zone),
    amount: readAmount(requested),
    terms: readTerms(requested),
  }
  const page = {
    newestFirst: readNewestFirst(requested),
    after: readId(requested, 'after'),
    size: pageSizeIn(requested.sent),
  }
  if (requested.errors.length > 0) throw invalid(requested.errors)
  return { filter, page }
}

const readStates = ({ sent, errors }: SentQuery, choices: readonly AlertState[]): AlertState[] | undefined => {
  const text = (sent.get('state') ?? '')
    .split(',')
    .map((part) => strip(part))
    .filter((value) => value !== '')
  const states = [...new Set(text)].filter((value) => choices.includes(value as AlertState)) as AlertState[]
  const wrong = text.find((value) => !choices.includes(value as AlertState))
  if (wrong !== undefined) {
    const detail = `Select a valid choice. ${wrong.toWellFormed()} is not one of the available choices.`
    errors.push({ code: 'invalid_choice', detail, attr: 'state' })
  }
  return states.length === 0 ? undefined : states
}

const readId = ({ sent, errors }: SentQuery, name: 'wallet' | 'device' | 'template' | 'after'): string | undefined => {
  const value = strip(sent.get(name) ?? '')
  if (value === '') return undefined
  const id = uuidOfText(value)
  const detail = name === 'after' ? 'This is no "next" of a page.' : 'Enter a valid UUID.'
  if (id === undefined) errors.push({ code: 'invalid', detail, attr: name })
  return id
}

const readTime = ({ sent, errors }: SentQuery, name: 'from' | 'until', zone: Zone): Instant | undefined => {
  const value = sent.get(name) ?? ''
  if (value === '') return undefined
  const at = readInstant(value, zone, 'up')
  if (at === undefined) errors.push({ code: 'invalid', detail: 'Enter a valid date/time.', attr: name })
  return at?.getTime()
}

const readAmount = ({ sent, errors }: SentQuery): Minor | undefined => {
  const value = sent.get('amount') ?? ''
  if (value === '') return undefined
  const reading = readDecimal(value)
  if (reading.kind === 'ok') return reading.minor
  errors.push({ code: reading.code, detail: decimalDetail(reading.code), attr: 'amount' })
  return undefined
}

const readTerms = ({ sent, errors }: SentQuery): string[] => {
  const value = sent.get('search') ?? ''
  errors.push(...forbidden(value, 'search'))
  return searchTerms(value).map(fold)
}

const readNewestFirst = ({ sent, errors }: SentQuery): boolean => {
  const value = strip(sent.get('ordering') ?? '') || '-received_at'
  if (value !== '-received_at' && value !== 'received_at') {
    const detail = `Select a valid choice. ${value.toWellFormed()} is not one of the available choices.`
    errors.push({ code: 'invalid_choice', detail, attr: 'ordering' })
  }
  return value.startsWith('-')
}

export const pageSizeIn = (sent: ReadonlyMap<string, string>): number => {
  const size = readWholeNumber(sent.get('page_size') ?? '')
  return size === undefined || size < 1 ? usualPage : Math.min(size, largestPage)
}
