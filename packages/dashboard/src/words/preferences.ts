/** What this browser remembers: language, theme, digits, row height, cached web fonts, the last wallets, the sound, and whose notifications it shows. */
export const readPreference = (name: string): string | null => {
  try {
    return localStorage.getItem(`sanad-${name}`)
  } catch {
    return null
  }
}

/** Also sent to the server as cookies, so that the server writes the page in the right language, theme and font. */
const sentToServer: readonly string[] = ['language', 'theme', 'letters']

export const savePreference = (name: string, value: string): void => {
  if (sentToServer.includes(name))
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and no promise is needed
    document.cookie = `sanad_${name}=${value}; path=/; max-age=31536000; samesite=lax`
  try {
    localStorage.setItem(`sanad-${name}`, value)
  } catch {
    // A browser that refuses to store anything must still show every page.
  }
}

export const removePreference = (name: string): void => {
  try {
    localStorage.removeItem(`sanad-${name}`)
  } catch {
    // Nothing was stored.
  }
}
