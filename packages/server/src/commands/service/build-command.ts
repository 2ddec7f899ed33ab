/** `sanad build`: builds the dashboard now, readable for every user; otherwise the first start of the service builds it. */
import { builtDashboard } from '../../built-dashboard.ts'
import { findBinaries } from '../../postgres/embedded/embedded-binaries.ts'
import type { AddTo } from '../command-line.ts'

export const addTo: AddTo = (command, { say }) => {
  command.action(async () => {
    const folder = await builtDashboard(say)
    // Without the embedded PostgreSQL, the service needs a DATABASE_URL.
    const embedded = await findBinaries().then(
      () => true,
      () => false,
    )
    say(`The dashboard is built: ${folder}`)
    say(embedded ? 'The embedded PostgreSQL is complete.' : 'There is no embedded PostgreSQL here: set DATABASE_URL.')
  })
}
