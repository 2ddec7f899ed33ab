/** What a person chose and this browser keeps: language, theme, digits, the height of rows, and whose letters it has. */
export const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(`sanad-${name}`)
  } catch {
    return null
  }
}

/** The server writes the page in them: it begins in the right language, on the right paper and in the letters at hand. */
const toldToServer: readonly string[] = ['language', 'theme', 'letters']

export const keep = (name: string, value: string): void => {
  if (toldToServer.includes(name))
    // biome-ignore lint/suspicious/noDocumentCookie: the other way of writing one is not in every browser, and no promise is needed
    document.cookie = `sanad_${name}=${value}; path=/; max-age=31536000; samesite=lax`
  try {
    localStorage.setItem(`sanad-${name}`, value)
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
