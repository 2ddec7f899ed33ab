/**
 * `sanad listen`, `sanad trigger` and `sanad logs`: runs the commands of the SDK's package, which developers also have
 * without this repository. Here the default address is that of the service on this machine.
 */
import { runCommand } from '@sanad/sdk/commands'
import type { AddTo } from './command-line.ts'

export const addTo: AddTo = (command, line) => {
  command
    .helpOption(false)
    .allowUnknownOption()
    .argument('[arguments...]')
    .action(async () => {
      process.exitCode = await runCommand([command.name(), ...command.args], { defaultUrl: line.serviceUrl })
    })
}
