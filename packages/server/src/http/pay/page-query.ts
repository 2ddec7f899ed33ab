/**
 * What a page shows after a form, in the query of its address: the error, what the buyer typed, or the number that was found in a
 * pasted message. A form is answered with a redirect to such an address, so that *Back* and *Reload* never send it again.
 * The address also names the state of the checkout: after a change of the state the rest of the query is ignored. Whoever can write such an
 * address knows the link, and can send the form itself. Pure.
 */
import { readBuyerMessage } from '../../checkouts/buyer/buyer-message.ts'
import { formatMinor, type Minor, readDecimal } from '../../core/money.ts'
import { type PageWords, pageWords } from './page-words.ts'

export type PageError = Extract<keyof PageWords, `error${string}`>

/** `typed`: the buyer's input, shown again. `confirm`: the reading of a pasted message, which the buyer must confirm. */
export type AfterForm = {
  readonly error?: PageError
  readonly typed?: string
  readonly confirm?: { readonly reference: string; readonly amount: Minor | undefined }
}

/** An address must stay short enough for every proxy: a longer text is cut. */
export const mostTyped = 600

const isError = (name: string): name is PageError => name.startsWith('error') && Object.hasOwn(pageWords.en, name)

/** These two are shown in every state: they are about the service, not about the checkout. */
const isStateless = (error: PageError | undefined): boolean => error === 'errorBusy' || error === 'errorFault'

export const readableInput = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim()

/** The parameters as `&name=value...`; empty: there is nothing to show. */
export const afterFormQuery = ({ error, typed = '', confirm }: AfterForm, state: string): string => {
  if (error === undefined && confirm === undefined) return ''
  const values = {
    error,
    typed: typed.slice(0, mostTyped).toWellFormed() || undefined,
    confirm: confirm?.reference,
    read: confirm?.amount === undefined ? undefined : formatMinor(confirm.amount),
    at: isStateless(error) ? undefined : state,
  }
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`]))
    .join('')
}

const confirmIn = (query: ReadonlyMap<string, string>): AfterForm['confirm'] => {
  const message = readBuyerMessage(readableInput(query.get('confirm') ?? ''), '')
  if (message.kind !== 'reference') return undefined
  const amount = readDecimal(query.get('read') ?? '')
  return { reference: message.reference, amount: amount.kind === 'ok' ? amount.minor : undefined }
}

/** Reads what `afterFormQuery` wrote. A parameter that is unknown or malformed, or written in another state, is ignored. */
export const readAfterForm = (query: ReadonlyMap<string, string>, state: string): AfterForm => {
  const name = query.get('error') ?? ''
  const error = isError(name) ? name : undefined
  if (!isStateless(error) && query.get('at') !== state) return {}
  const confirm = error === undefined ? confirmIn(query) : undefined
  const typed = error === undefined ? '' : readableInput(query.get('typed') ?? '').slice(0, mostTyped)
  return { ...(error && { error }), ...(typed !== '' && { typed }), ...(confirm && { confirm }) }
}
