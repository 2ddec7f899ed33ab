/** The process of try-changes.ts, as a function. A change may make a loop endless: then the process is ended and started again. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Outcome, Trial } from './try-changes.ts'

export type TrialResult = { readonly noticed: boolean; readonly by: string }

export class TrialProcess {
  #child: ChildProcess | undefined

  /** Whether the tests fail with the change, or do not end within the time. A process that ended by itself gets a second trial. */
  async try(trial: Trial, most_ms: number): Promise<TrialResult> {
    return (await this.#tryOnce(trial, most_ms)) ?? (await this.#tryOnce(trial, most_ms)) ?? ended
  }

  end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  /** Undefined: the process ended by itself. */
  #tryOnce(trial: Trial, most_ms: number): Promise<TrialResult | undefined> {
    this.#child ??= fork(join(import.meta.dirname, 'try-changes.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const child = this.#child
    return new Promise((done) => {
      const finish = (result: TrialResult | undefined): void => {
        clearTimeout(timer)
        child.off('message', answered).off('exit', exited)
        done(result)
      }
      const answered = ({ failure }: Outcome): void => finish({ noticed: failure !== undefined, by: failure ?? '' })
      const exited = (): void => {
        this.#child = undefined
        finish(undefined)
      }
      const timer = setTimeout(() => {
        this.end()
        finish({ noticed: true, by: 'The tests did not end.' })
      }, most_ms)
      child.on('message', answered).on('exit', exited)
      child.send(trial)
    })
  }
}

const ended: TrialResult = { noticed: true, by: 'The process ended.' }
