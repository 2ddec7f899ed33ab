/** `sanad account move`: an account goes to another cell, is turned back, or the forwarding of what still comes for it is ended. */
import type { Command } from 'commander'
import { CommandError } from '../../command-error.ts'
import type { CommandLine } from '../command-line.ts'
import type { MoveOptions } from './run-move.ts'

export const addMoveTo = (account: Command, line: CommandLine): void => {
  account
    .command('move')
    .description('move an account to another cell; run it again to go on where it was stopped')
    .requiredOption('--account <id>', 'the id of the account')
    .option('--to <cell>', 'the name of the other cell, from SANAD_CELLS')
    .option('--prepare', 'let the cell take over what it lacks: the key of addresses while it is new, shared providers')
    .option('--back', 'turn a move back that has not been switched: the account goes on here')
    .option('--end', 'end the forwarding of an account that was moved, and erase what is left of it here')
    .action(async (options: MoveOptions) => {
      if ([options.back, options.end, options.prepare].filter(Boolean).length > 1)
        throw new CommandError('Give one of --back, --end and --prepare.')
      const { runMove } = await import('./run-move.ts')
      await line.onStore('sanad account', (db, config) => runMove(db, config, line, options))
    })
}
