/**
 * A receiver's answer as it is shown and stored. A debug page may repeat the request with the merchant's custom headers, which
 * often hold a password: their values are removed wherever they come back. Pure.
 */
import { hidden, ownHeaders } from '../endpoints/endpoint.ts'

type Answered = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly error?: string
}

/** A shorter value is no secret, and would match parts of ordinary words. */
const shortest = 6

/** The value, with and without its scheme (`Bearer`); plain, in JSON, in a URL. The longest first. */
const formsOf = (values: readonly string[]): string[] => {
  const whole = values.flatMap((value) => [value, ...value.split(/\s+/).slice(1)])
  const forms = whole.flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one), encodeURI(one)])
  return [...new Set(forms)].filter((one) => one.length >= shortest).sort((a, b) => b.length - a.length)
}

/** An answer may be cut in the middle of a value. */
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
