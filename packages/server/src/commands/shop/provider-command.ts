/** `sanad provider`: the providers of wallets that every account shares. */
import { CommandError } from '../../command-error.ts'
import type { ProviderId } from '../../core/ids.ts'
import { readNewProvider, readProviderChanges } from '../../http/body/dashboard/operator-body.ts'
import { allSharedProviders } from '../../views/wallets/providers.ts'
import { addSharedProvider, changeSharedProvider } from '../../wallets/providers/shared-providers.ts'
import { bodyOfOptions } from '../body-of-options.ts'
import { type AddTo, changed, idOf } from '../command-line.ts'

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
    .option('--display-name-ar <name>', 'the same in Arabic', '')
    .option('--country <code>', 'two letters, such as YE', '')
    .option('--theme-color <color>', '#RRGGBB', '#555555')
    .option('--logo-url <url>', 'where its picture is', '')
    .option('--packages <names...>', 'Android packages of its app, whose notifications are its own', [])
    .action(async (options: NewProviderOptions) => {
      const made = bodyOfOptions(readNewProvider, {
        name: options.name,
        display_name: options.displayName,
        display_name_ar: options.displayNameAr,
        country: options.country,
        theme_color: options.themeColor,
        logo_url: options.logoUrl,
        packages: options.packages,
      })
      line.say(`provider       ${(await changed(line, (tx, note) => addSharedProvider(tx, note, made))).id}`)
    })

  provider
    .command('status')
    .description('say whether money can be sent with it now')
    .requiredOption('--provider <id>', 'which one')
    .requiredOption('--status <status>', 'ACTIVE, INACTIVE or MAINTENANCE')
    .action(async (input: { provider: string; status: string }) => {
      const changes = bodyOfOptions(readProviderChanges, { provider_status: input.status })
      await changed(line, (tx, note) => changeSharedProvider(tx, note, idOf<ProviderId>(input.provider), changes))
      line.say('Done.')
    })

  provider
    .command('change')
    .description('change its names, its country, its colour, or how a buyer pays with it; what is left out stays')
    .requiredOption('--provider <id>', 'which one')
    .option('--display-name <name>', 'what people call it')
    .option('--display-name-ar <name>', 'the same in Arabic')
    .option('--country <code>', 'two letters, such as YE')
    .option('--theme-color <color>', '#RRGGBB')
    .option('--logo-url <url>', 'where its picture is')
    .option('--steps-ar <steps...>', 'how to pay, in Arabic: one sentence a step, at most 6')
    .option('--steps-en <steps...>', 'the same in English; both lists are replaced together')
    .option('--general-steps', 'drop its own steps: it has the general ones again')
    .option('--app-link <link>', "opens its app on a buyer's phone, such as wallet://pay?to={account}; empty: none")
    .action(async (options: ProviderChangeOptions) => {
      const { stepsAr = [], stepsEn = [] } = options
      const own = stepsAr.length > 0 || stepsEn.length > 0
      if (own && options.generalSteps) throw new CommandError('Either steps of its own, or --general-steps.')
      const sent = {
        display_name: options.displayName,
        display_name_ar: options.displayNameAr,
        country: options.country,
        theme_color: options.themeColor,
        logo_url: options.logoUrl,
        pay_steps: own || options.generalSteps ? { ar: stepsAr, en: stepsEn } : undefined,
        app_link: options.appLink,
      }
      const fields = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
      if (Object.keys(fields).length === 0) throw new CommandError('Say what to change, such as --display-name-ar.')
      const changes = bodyOfOptions(readProviderChanges, fields)
      await changed(line, (tx, note) => changeSharedProvider(tx, note, idOf<ProviderId>(options.provider), changes))
      line.say('Done.')
    })

  provider
    .command('packages')
    .description('say from which Android packages its notifications come; without --packages: from none that is known')
    .requiredOption('--provider <id>', 'which one')
    .option('--packages <names...>', 'all of them, such as com.example.wallet', [])
    .action(async (options: { provider: string; packages: string[] }) => {
      const changes = bodyOfOptions(readProviderChanges, { packages: options.packages })
      await changed(line, (tx, note) => changeSharedProvider(tx, note, idOf<ProviderId>(options.provider), changes))
      line.say('Done.')
    })
}

type NewProviderOptions = {
  name: string
  displayName: string
  displayNameAr: string
  country: string
  themeColor: string
  logoUrl: string
  packages: string[]
}

type ProviderChangeOptions = {
  provider: string
  displayName?: string
  displayNameAr?: string
  country?: string
  themeColor?: string
  logoUrl?: string
  stepsAr?: string[]
  stepsEn?: string[]
  generalSteps?: boolean
  appLink?: string
}
