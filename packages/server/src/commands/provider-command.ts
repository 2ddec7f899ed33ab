/** `sanad provider`: the providers of wallets that every account shares. */
import type { ProviderId } from '../ground/ids.ts'
import { readNewProvider, readProviderChanges } from '../http/body/operator-body.ts'
import { addSharedProvider, allSharedProviders, changeSharedProvider } from '../wallets/shared-providers.ts'
import { bodyOfOptions } from './body-of-options.ts'
import { type AddTo, changed, idOf } from './command-line.ts'

export const addTo: AddTo = (provider, line) => {
  provider
    .command('list')
    .description('all of them')
    .action(async () => {
      for (const one of await line.onStore('sanad provider', (db) => allSharedProviders(db)))
        line.say(
          `${one.id}  ${one.status.padEnd(11)}  ${String(one.active_templates).padStart(2)} templates  ${one.name}`,
        )
    })

  provider
    .command('create')
    .description('add one')
    .requiredOption('--name <name>', 'its key: lower-case, stays for good')
    .requiredOption('--display-name <name>', 'what people call it')
    .option('--theme-color <color>', '#RRGGBB', '#555555')
    .option('--logo-url <url>', 'where its picture is', '')
    .action(async (given: { name: string; displayName: string; themeColor: string; logoUrl: string }) => {
      const made = bodyOfOptions(readNewProvider, {
        name: given.name,
        display_name: given.displayName,
        theme_color: given.themeColor,
        logo_url: given.logoUrl,
      })
      line.say(`provider       ${(await changed(line, (db, note) => addSharedProvider(db, note, made))).id}`)
    })

  provider
    .command('status')
    .description('say whether money can be sent with it now')
    .requiredOption('--provider <id>', 'which one')
    .requiredOption('--status <status>', 'ACTIVE, INACTIVE or MAINTENANCE')
    .action(async (given: { provider: string; status: string }) => {
      const changes = bodyOfOptions(readProviderChanges, { provider_status: given.status })
      await changed(line, (db, note) => changeSharedProvider(db, note, idOf<ProviderId>(given.provider), changes))
      line.say('Done.')
    })
}
