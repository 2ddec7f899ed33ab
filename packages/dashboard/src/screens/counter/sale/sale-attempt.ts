/**
 * The idempotency key of a sale whose answer has not come yet. It is kept while the same sale is sent again, also after the page
 * was left or loaded again: a sale whose answer was lost is not made twice.
 */
const place = 'sanad-sale-attempt'

type Attempt = { readonly text: string; readonly key: string }

let inMemory: Attempt | undefined

const stored = (): Attempt | undefined => {
  try {
    const text = sessionStorage.getItem(place)
    return text === null ? inMemory : (JSON.parse(text) as Attempt)
  } catch {
    return inMemory
  }
}

/** `text`: the body of the request. The same body has the same key until its answer has come. */
export const attemptKey = (text: string): string => {
  const earlier = stored()
  if (earlier?.text === text) return earlier.key
  inMemory = { text, key: crypto.randomUUID() }
  try {
    sessionStorage.setItem(place, JSON.stringify(inMemory))
  } catch {
    // Without storage the key lives as long as the page.
  }
  return inMemory.key
}

/** After an answer, whatever it is: the next sale is another one. */
export const forgetAttempt = (): void => {
  inMemory = undefined
  try {
    sessionStorage.removeItem(place)
  } catch {
    // Nothing is stored.
  }
}
