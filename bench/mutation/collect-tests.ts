/** Takes the place of `node:test` while changes are tried: keeps the tests of a file, so that they run until the first failure. */
type Test = { readonly title: string; readonly run: (context: Context) => unknown }

/** What a test may use of the context that it gets. */
type Context = { readonly diagnostic: (text: string) => void }

export const silent: Context = { diagnostic: () => {} }

let collected: Test[] = []

export const test = (title: string, run: Test['run']): void => void collected.push({ title, run })

/** A group has no hooks of its own: its tests are kept like any others. */
export const describe = (_title: string, group: () => void): void => group()

export const takeTests = (): readonly Test[] => {
  const taken = collected
  collected = []
  return taken
}
