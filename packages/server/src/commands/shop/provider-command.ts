/** `sanad provider`: lists, creates and changes the providers of wallets that all accounts share. */
import { CommandError } from '../../command-error.ts'
import type { ProviderId } from '../../core/ids.ts'
import { readNewProvider, readProviderChanges } from '../../http/body/dashboard/operator-body.ts'
import { allSharedProviders } from '../../views/wallets/providers.ts'
import { addSharedProvider, changeSharedProvider } from '../../wallets/providers/shared-providers.ts'
import { bodyOfOptions } from '../body-of-options.ts'
import { type AddTo, changeOrRefuse, idOf } from '../command-line.ts'

export const addTo: AddTo = (provider, line) => {
  const change = async (id: string, sent: object): Promise<void> => {
    const changes = bodyOfOptions(readProviderChanges, sent)
    await changeOrRefuse(line, (tx, audit) => changeSharedProvider(tx, audit, idOf<ProviderId>(id), changes))
    line.say('Done.')
  }

  provider
    .command('list')
    .description('list all shared providers')
    .action(async () => {
      const providers = await line.onStore('sanad provider', (db) => allSharedProviders(db))
      for (const { id, status, active_templates, name } of providers)
        line.say(`${id}  ${status.padEnd(11)}  ${String(active_templates).padStart(2)} templates  ${name}`)
    })

  provider
    .command('create')
    .description('create a provider')
    .requiredOption('--name <name>', 'its key: lower-case; it can never be changed')
    .requiredOption('--display-name <name>', 'the name that users see')
    .option('--display-name-ar <name>', 'the same in Arabic', '')
    .option('--country <code>', 'two letters, such as YE', '')
    .option('--theme-color <color>', '#RRGGBB', '#555555')
    .option('--logo-url <url>', 'the address of its logo', '')
    .option('--packages <names...>', 'Android packages of its app, whose notifications are its own', [])
    .action(async (options: NewProviderOptions) => {
      const newProvider = bodyOfOptions(readNewProvider, {
        name: options.name,
        display_name: options.displayName,
        display_name_ar: options.displayNameAr,
        country: options.country,
        theme_color: options.themeColor,
        logo_url: options.logoUrl,
        packages: options.packages,
      })
      line.say(
        `provider       ${(await changeOrRefuse(line, (tx, audit) => addSharedProvider(tx, audit, newProvider))).id}`,
      )
    })

  provider
    .command('status')
    .description('set whether buyers can pay with it now')
    .requiredOption('--provider <id>', 'the id of the provider')
    .requiredOption('--status <status>', 'ACTIVE, INACTIVE or MAINTENANCE')
    .action(async (input: { provider: string; status: string }) => {
      await change(input.provider, { provider_status: input.status })
    })

  provider
    .command('change')
    .description('change its names, country, colour, or payment steps; options that are left out change nothing')
    .requiredOption('--provider <id>', 'the id of the provider')
    .option('--display-name <name>', 'the name that users see')
    .option('--display-name-ar <name>', 'the same in Arabic')
    .option('--country <code>', 'two letters, such as YE')
    .option('--theme-color <color>', '#RRGGBB')
    .option('--logo-url <url>', 'the address of its logo')
    .option('--steps-ar <steps...>', 'how to pay, in Arabic: one sentence a step, at most 6')
    .option('--steps-en <steps...>', 'the same in English; both lists are replaced together')
    .option('--general-steps', 'remove its own steps, so that the general steps are shown again')
    .option('--app-link <link>', "opens its app on a buyer's phone, such as wallet://pay?to={account}; empty: none")
    .action(async (options: ProviderChangeOptions) => {
      const { stepsAr = [], stepsEn = [] } = options
      const hasOwnSteps = stepsAr.length > 0 || stepsEn.length > 0
      if (hasOwnSteps && options.generalSteps) throw new CommandError('Either steps of its own, or --general-steps.')
      const sent = {
        display_name: options.displayName,
        display_name_ar: options.displayNameAr,
        country: options.country,
        theme_color: options.themeColor,
        logo_url: options.logoUrl,
        pay_steps: hasOwnSteps || options.generalSteps ? { ar: stepsAr, en: stepsEn } : undefined,
        app_link: options.appLink,
      }
      const fields = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
      if (Object.keys(fields).length === 0) throw new CommandError('Say what to change, such as --display-name-ar.')
      await change(options.provider, fields)
    })

  provider
    .command('packages')
    .description('set the Android packages of its notifications; without --packages: none')
    .requiredOption('--provider <id>', 'the id of the provider')
    .option('--packages <names...>', 'all of them, such as com.example.wallet', [])
    .action(async (options: { provider: string; packages: string[] }) => {
      await change(options.provider, { packages: options.packages })
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
