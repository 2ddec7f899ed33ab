/** `sanad build`: what a start would otherwise make in the folder of the code, made now, readable for every user. */
import { builtDashboard } from '../built-dashboard.ts'
import { findBinaries } from '../postgres/embedded/embedded-binaries.ts'
import type { AddTo } from './command-line.ts'

export const addTo: AddTo = (command, { say }) => {
  command.action(async () => {
    const folder = await builtDashboard(say)
    // Where the embedded PostgreSQL is not installed, the service is given a DATABASE_URL.
    const embedded = await findBinaries().then(
      () => true,
      () => false,
    )
    say(`The dashboard is built: ${folder}`)
    say(embedded ? 'The embedded PostgreSQL is complete.' : 'There is no embedded PostgreSQL here: set DATABASE_URL.')
  })
}
