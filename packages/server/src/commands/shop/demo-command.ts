/** `sanad demo`: creates a demo shop and prints its secrets, as lines or as JSON. */
import { systemClock } from '../../core/clock.ts'
import { openKeyRing } from '../../key-ring.ts'
import { type AddTo, show } from '../command-line.ts'
import { createDemo } from './demo.ts'

export const addTo: AddTo = (command, line) => {
  command.option('--json', 'print one JSON object').action(async ({ json }: { json?: boolean }) => {
    const origin = await line.serviceUrl()
    const demo = await line.onStore('sanad demo', async (db, config) =>
      createDemo(db, await openKeyRing(db, config, systemClock.now()), origin, systemClock.now()),
    )
    if (json) return line.say(JSON.stringify(demo))
    show(
      line,
      {
        API: demo.base_url,
        'client id': demo.client_id,
        'client secret': demo.client_secret,
        'sign-in': `${demo.dashboard.email}  ${demo.dashboard.password}`,
        'user token': demo.dashboard.user_token,
        device: `${demo.device.id}  secret ${demo.device.secret}`,
        'ingest token': demo.device.ingest_token,
        'second key': `${demo.second_key.client_id}  ${demo.second_key.client_secret}`,
        'another shop': `${demo.other.client_id}  ${demo.other.client_secret}  wallet ${demo.other.wallet}`,
      },
      false,
    )
    for (const [name, id] of Object.entries(demo.wallets)) line.say(`${`wallet ${name}`.padEnd(20)} ${id}`)
  })
}
