// Before the first paint: the language, its direction and the theme that this browser was last used with. And who is
// signed in is asked while the scripts are still on their way, except on the pages that a link from a mail leads to.
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
  if (!/^\/(forgot|password|invitation)(\/|$)/.test(location.pathname)) {
    globalThis.sanadMe = fetch('/api/v1/dashboard/session/')
    // Whoever takes the answer tells of a failure.
    globalThis.sanadMe.catch(() => {})
  }
})()
