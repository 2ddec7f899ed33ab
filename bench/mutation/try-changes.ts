/**
 * A process that tries one change after another (`Trial` in, `Outcome` out): it loads the sources of the server and the tests anew
 * for each, with the change in one of them, and runs the tests until one fails. Packages are loaded once, which makes a trial ten
 * times as fast as a process of its own. The files themselves stay as they are.
 */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { applyChange, type Change } from './apply-change.ts'
import { silent, takeTests } from './collect-tests.ts'

export type Trial = {
  readonly number: number
  /** The folder whose files are loaded anew, the file that is changed, and the tests. */
  readonly root: string
  readonly file: string
  readonly tests: readonly string[]
  /** Undefined: the tests as they are. */
  readonly change: Change | undefined
}

/** `failure`: the first test that failed, or the test file that could not be loaded, and why. */
export type Outcome = { readonly number: number; readonly failure: string | undefined }

let trial: Trial | undefined
const collector = new URL('./collect-tests.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    if (specifier === 'node:test') return { url: collector, format: 'module-typescript', shortCircuit: true }
    const found = nextResolve(specifier, context)
    const isSource = trial !== undefined && found.url.startsWith(`${pathToFileURL(trial.root).href}/`)
    return isSource ? { ...found, url: `${found.url.split('?')[0]}?trial=${trial!.number}` } : found
  },
  load: (url, context, nextLoad) => {
    const result = nextLoad(url, context)
    const isChanged = trial?.change !== undefined && url.split('?')[0] === pathToFileURL(trial.file).href
    return isChanged ? { ...result, source: applyChange(String(result.source), trial!.change!) } : result
  },
})

const firstFailure = async (tests: readonly string[]): Promise<string | undefined> => {
  for (const file of tests) {
    try {
      await import(pathToFileURL(file).href)
    } catch (fault) {
      takeTests()
      return `${file}: ${fault}`
    }
    for (const { title, run } of takeTests()) {
      try {
        await run(silent)
      } catch (fault) {
        return `${title}: ${fault}`
      }
    }
  }
  return undefined
}

process.on('message', async (asked: Trial) => {
  trial = asked
  const outcome: Outcome = { number: asked.number, failure: await firstFailure(asked.tests) }
  process.send!(outcome)
})
