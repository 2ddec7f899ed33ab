/**
 * A receiver's answer as people see it, and as it is kept. A page for finding mistakes repeats the request that it was sent,
 * with the merchant's own headers, which often carry a password: their values are taken out wherever they come back. Pure.
 */
import { hidden, ownHeaders } from '../endpoints/endpoint.ts'

type Answered = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly error?: string
}

/** What is shorter is no secret, and would be found in every second word. */
const shortest = 6

/** The value, and without the word before it (`Bearer`); as it stands, in JSON, in an address. The longest first. */
const formsOf = (values: readonly string[]): string[] => {
  const whole = values.flatMap((value) => [value, ...value.split(/\s+/).slice(1)])
  const forms = whole.flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one), encodeURI(one)])
  return [...new Set(forms)].filter((one) => one.length >= shortest).sort((a, b) => b.length - a.length)
}

/** An answer is cut somewhere: also in the middle of one. */
const withoutBegun = (text: string, form: string): string => {
  for (let length = Math.min(form.length - 1, text.length); length >= shortest; length--)
    if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + hidden
  return text
}

const without = (text: string, forms: readonly string[]): string => {
  const left = forms.reduce((shown, form) => shown.replaceAll(form, hidden), text)
  return forms.reduce(withoutBegun, left)
}

export const shownAnswer = <A extends Answered>(sent: Readonly<Record<string, string>>, answer: A): A => {
  const forms = formsOf(ownHeaders(sent))
  if (forms.length === 0) return answer
  const { headers, body, error } = answer
  return {
    ...answer,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, without(value, forms)])),
    body: without(body, forms),
    ...(error === undefined ? {} : { error: without(error, forms) }),
  }
}
