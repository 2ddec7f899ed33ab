/** The names of what a call sent and had no effect, as they were sent: `%D8%A7` is `ا`. */
export const shownNames = (ignored: string): string =>
  ignored
    .split(', ')
    .map((name) => {
      try {
        return decodeURIComponent(name)
      } catch {
        return name
      }
    })
    .join(', ')
