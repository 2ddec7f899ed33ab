/** `sanad migrate`: brings the database to this version. */
import { readConfig } from '../../config.ts'
import { migrateStore, openStore } from '../../open-store.ts'
import type { AddTo } from '../command-line.ts'

export const addTo: AddTo = (command, { say }) => {
  command.action(async () => {
    const store = await openStore(readConfig(), 'sanad migrate')
    try {
      const { ran, all } = await migrateStore(store.url, say)
      say(ran === 0 ? `Nothing to do: all ${all} migrations have run.` : `Done: ${ran} of ${all} migrations ran now.`)
    } finally {
      await store.close()
    }
  })
}
