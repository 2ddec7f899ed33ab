/**
 * `sanad listen`, `sanad trigger` and `sanad logs`: the commands of the SDK's package, so that a developer without a checkout has the
 * same. Here only the service of this machine is added, as the one that is used when none is given.
 */
import { runCommand } from '@sanad/sdk/commands'
import type { AddTo } from './command-line.ts'

export const addTo: AddTo = (command, line) => {
  command
    .helpOption(false)
    .allowUnknownOption()
    .argument('[arguments...]')
    .action(async () => {
      process.exitCode = await runCommand([command.name(), ...command.args], { defaultUrl: line.reachedAt })
    })
}
