/** The process of try-changes.ts, as a function. A change may make a loop endless: then the process is ended and started again. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Outcome, Trial } from './try-changes.ts'

export type TrialResult = { readonly noticed: boolean; readonly by: string }

export class TrialProcess {
  #child: ChildProcess | undefined

  /** Whether the tests fail with the change, or do not end within the time. */
  async try(trial: Trial, most_ms: number): Promise<TrialResult> {
    this.#child ??= fork(join(import.meta.dirname, 'try-changes.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const child = this.#child
    return new Promise((done) => {
      const finish = (noticed: boolean, by: string): void => {
        clearTimeout(timer)
        child.removeAllListeners()
        done({ noticed, by })
      }
      const timer = setTimeout(() => {
        this.end()
        finish(true, 'The tests did not end.')
      }, most_ms)
      child.once('message', ({ failure }: Outcome) => finish(failure !== undefined, failure ?? ''))
      child.once('exit', () => {
        this.#child = undefined
        finish(true, 'The process ended.')
      })
      child.send(trial)
    })
  }

  end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}
