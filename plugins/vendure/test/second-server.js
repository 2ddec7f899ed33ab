/** A second Vendure server on the database of the first, as its own process. Each message contains the id of a payment, which it refreshes. */
import { SanadPlugin } from '../src/plugin.js'
import { startServer } from './shop.js'

const { database, options, port } = JSON.parse(process.env.SECOND_SERVER ?? '{}')
const { plugin, payments } = SanadPlugin.open(options)
await startServer([plugin], database, port)
process.on('message', async (id) => {
  const state = await payments()
    .refresh(id)
    .catch((fault) => `failed: ${fault}`)
  process.send?.({ state })
})
process.send?.({ state: 'ready' })
