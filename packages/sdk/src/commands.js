/**
 * The commands for a developer's machine: `sanad phone`, `listen`, `trigger`, `logs`, `doctor`. They need an API key, but no
 * database, and they run on any machine. The service's own command runs this code too. Needs Node.
 */
import { CommandError } from './commands/command-error.js'
import { doctorCommand } from './commands/doctor-command.js'
import { listenCommand } from './commands/listen-command.js'
import { logsCommand } from './commands/logs-command.js'
import { helpText, readOptions } from './commands/options.js'
import { phoneCommand } from './commands/phone-command.js'
import { triggerCommand } from './commands/trigger-command.js'

/** @import { CommandContext, runCommand as RunCommand } from '../types/commands.d.ts' */
/** @import { Options, Option } from './commands/options.js' */
/**
 * @typedef {{ options: Options, fromArguments: ReadonlySet<string>, arguments: string[], say: (line: string) => void,
 *   defaultUrl: (() => Promise<string> | string) | undefined }} Call
 * @typedef {{ name: string, argument?: string, help: string, options: readonly Option[], run: (call: Call) => Promise<number | void> }}
 *   DeveloperCommand
 */

/** @type {readonly DeveloperCommand[]} */
const commands = [phoneCommand, listenCommand, triggerCommand, logsCommand, doctorCommand]

const overview = () =>
  [
    'Usage: sanad <command> [options]',
    '',
    "For developers who connect a shop to Sanad. The service's own commands (start, backup, ...) are in a checkout of Sanad.",
    '',
    'Commands:',
    ...commands.map(({ name, help }) => `  ${name.padEnd(8)} ${help}`),
    '',
    'sanad <command> --help shows its options.',
  ].join('\n')

/** @type {typeof RunCommand} */
export const runCommand = async (args, context = {}) => {
  const say = context.say ?? ((line) => void process.stdout.write(`${line}\n`))
  try {
    return (await run(args, say, context)) ?? 0
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault
    process.stderr.write(`${fault instanceof CommandError ? fault.message : (fault.stack ?? fault.message)}\n`)
    return 1
  }
}

/** @param {readonly string[]} args @param {(line: string) => void} say @param {CommandContext} context */
const run = async (args, say, { env = process.env, defaultUrl }) => {
  const [name = '--help', ...rest] = args[0] === 'help' ? [args[1] ?? '--help', '--help'] : args
  if (name === '--help' || name === '-h') return say(overview())
  const command = commands.find((entry) => entry.name === name)
  if (command === undefined)
    throw new CommandError(
      `error: unknown command '${name}'. This package has ${commands.map((entry) => entry.name).join(', ')}; all others are in a checkout of Sanad.`,
    )
  if (rest.includes('--help') || rest.includes('-h')) return say(helpText(command))
  return command.run({ ...readOptions(command, rest, env), say, defaultUrl })
}
