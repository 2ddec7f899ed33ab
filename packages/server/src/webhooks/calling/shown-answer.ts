/**
 * A receiver's answer as it is shown and stored. A receiver's debug page may repeat the merchant's custom headers, which often
 * contain a password, or the query of the address: their values are removed from the answer. Pure.
 */
import { customHeaderValues, hidden } from './custom-headers.ts'

type Answer = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly error?: string
}

/** A shorter value is not treated as a secret: it would match parts of ordinary words. */
const leastLength = 6

/** The forms in which a value may appear: with and without its scheme (`Bearer`); plain, in JSON, in a URL. Longest first. */
const formsOf = (values: readonly string[]): string[] => {
  const whole = values.flatMap((value) => [value, ...value.split(/\s+/).slice(1)])
  const forms = whole.flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one), encodeURI(one)])
  return [...new Set(forms)].filter((one) => one.length >= leastLength).sort((a, b) => b.length - a.length)
}

/** Hides the beginning of a form at the end of the text: an answer may be cut in the middle of a value. */
const hideCutForm = (text: string, form: string): string => {
  for (let length = Math.min(form.length - 1, text.length); length >= leastLength; length--)
    if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + hidden
  return text
}

const hideForms = (text: string, forms: readonly string[]): string => {
  const withoutForms = forms.reduce((shown, form) => shown.replaceAll(form, hidden), text)
  return forms.reduce(hideCutForm, withoutForms)
}

export const shownAnswer = <A extends Answer>(
  sent: Readonly<Record<string, string>>,
  answer: A,
  queryValues: readonly string[],
): A => {
  const forms = formsOf([...customHeaderValues(sent), ...queryValues])
  if (forms.length === 0) return answer
  const { headers, body, error } = answer
  return {
    ...answer,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hideForms(value, forms)])),
    body: hideForms(body, forms),
    ...(error === undefined ? {} : { error: hideForms(error, forms) }),
  }
}
