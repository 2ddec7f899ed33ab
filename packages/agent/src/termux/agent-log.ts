/** The agent's log: one line per event, in a file that stays small. It holds no message and no secret. */
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const most_bytes = 200_000

export const agentLog = (folder: string, now: () => number, echo?: (line: string) => void) => {
  const path = join(folder, 'agent.log')
  return (line: string): void => {
    echo?.(line)
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > most_bytes) renameSync(path, `${path}.1`)
      appendFileSync(path, `${new Date(now()).toISOString()} ${line}\n`, { mode: 0o600 })
    } catch {
      // A full disk must not stop the agent.
    }
  }
}
