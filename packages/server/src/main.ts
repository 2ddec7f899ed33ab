/**
 * The only entry point of the command line: the list of commands and their files. Only the requested command is
 * loaded, so that the others cost nothing. No file imports this one.
 */
import { Command } from 'commander'
import { CommandError } from './command-error.ts'
import type { AddTo } from './commands/command-line.ts'
import { version } from './version.ts'

type Load = () => Promise<{ readonly addTo: AddTo }>

const commands: readonly (readonly [name: string, description: string, load: Load])[] = [
  ['start', 'run the service (what npm start does)', () => import('./commands/service/start-command.ts')],
  [
    'build',
    'prepare everything that a start needs, for a user who may not write here',
    () => import('./commands/service/build-command.ts'),
  ],
  ['master-key', 'the key that seals all secrets', () => import('./commands/data/master-key-command.ts')],
  ['migrate', 'bring the database to this version', () => import('./commands/data/migrate-command.ts')],
  ['backup', 'write all data, as it is at one moment, to a file', () => import('./commands/data/backup-command.ts')],
  ['restore', 'bring a backup back into an empty database', () => import('./commands/data/restore-command.ts')],
  [
    'upgrade-database',
    'bring the files of the embedded PostgreSQL to the version that comes with Sanad',
    () => import('./commands/data/upgrade-database-command.ts'),
  ],
  [
    'demo',
    'make a demo account with everything in it, and print its secrets',
    () => import('./commands/shop/demo-command.ts'),
  ],
  ['account', 'merchant accounts', () => import('./commands/shop/account-command.ts')],
  [
    'buyer',
    'what an account keeps of a buyer, found and erased by phone number',
    () => import('./commands/shop/buyer-command.ts'),
  ],
  ['key', 'API keys', () => import('./commands/shop/key-command.ts')],
  [
    'listen',
    'receive webhooks on this machine, check their signatures and print them',
    () => import('./commands/developer-commands.ts'),
  ],
  ['trigger', 'send a made-up event to your endpoints', () => import('./commands/developer-commands.ts')],
  ['logs', 'your own API calls, as they were answered', () => import('./commands/developer-commands.ts')],
  [
    'phone',
    'a simulated phone: pairs, reports that it lives, and sends payment alerts as wallets word them',
    () => import('./commands/phone/phone-command.ts'),
  ],
  ['health', 'how the whole service stands', () => import('./commands/service/health-command.ts')],
  [
    'doctor',
    'what is wrong with this installation, and what to do about it',
    () => import('./commands/service/doctor-command.ts'),
  ],
  ['provider', 'providers that everybody shares', () => import('./commands/shop/provider-command.ts')],
  ['template', 'templates that everybody shares', () => import('./commands/shop/template-command.ts')],
  ['wallet', 'wallets that were entered twice', () => import('./commands/shop/wallet-command.ts')],
  ['user', 'people', () => import('./commands/shop/user-command.ts')],
  ['member', 'who belongs to an account', () => import('./commands/shop/member-command.ts')],
  ['operator', 'who hosts this service, in the dashboard', () => import('./commands/shop/operator-command.ts')],
]

const run = async (args: readonly string[]): Promise<void> => {
  const program = new Command('sanad')
    .description('Sanad proves that money arrived: payments into mobile wallets, verified by themselves.')
    .version(version)
    .showHelpAfterError('(sanad --help lists the commands)')
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  const requested = first === 'help' ? second : first
  for (const [name, description, load] of commands) {
    const command = program.command(name).description(description)
    if (name !== requested) continue
    const [{ addTo }, { commandLine }] = await Promise.all([load(), import('./commands/command-line.ts')])
    addTo(command, commandLine)
  }
  await program.parseAsync(args, { from: 'user' })
}

// The reader may close the pipe (`sanad start | head`): only the output after that is lost.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EPIPE' && fault.code !== 'EIO') throw fault
  })

run(process.argv.slice(2)).catch((fault: Error) => {
  process.stderr.write(`${fault instanceof CommandError ? fault.message : (fault.stack ?? fault.message)}\n`)
  process.exitCode = 1
  // A failed start may leave a timer or a socket open: the process does not wait for it.
  setTimeout(() => process.exit(1), 500).unref()
})
