// Before the first paint: the language, its direction and the theme that this browser was last used with.
;(() => {
  const kept = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const language = kept('sanad-language') ?? (/^ar\b/.test(navigator.language) ? 'ar' : 'en')
  const theme = kept('sanad-theme') ?? 'auto'
  const dark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  const root = document.documentElement
  root.lang = language
  root.dir = language === 'ar' ? 'rtl' : 'ltr'
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
