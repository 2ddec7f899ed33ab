/**
 * Runs `sanad <command>` on the database of a test service. `sanad` runs it inside the test process, with the database
 * connection that the command opens itself. `process` starts a real process, as an operator does. Starting a process takes
 * longer than most commands, so a test starts one only where the process itself matters, and uses `sanad` otherwise.
 */
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { CommandError } from '../../src/command-error.ts'
import type { AddTo } from '../../src/commands/command-line.ts'
import { readConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { withStore } from '../../src/open-store.ts'
import { reachableUrl } from '../../src/origin.ts'
import { bareEnvironment } from './bare-environment.ts'
import type { TestService } from './story.ts'

export type CommandResult = { readonly code: number; readonly out: string; readonly err: string }
export type RunCommand = (...args: string[]) => Promise<CommandResult>

const main = join(import.meta.dirname, '../../src/main.ts')
const commands = join(import.meta.dirname, '../../src/commands')

export const commandsOf = (
  service: Pick<TestService, 'databaseUrl' | 'origin' | 'masterKey'>,
  env: Readonly<Record<string, string>> = {},
): { readonly sanad: RunCommand; readonly process: RunCommand } => {
  const settings = {
    DATABASE_URL: service.databaseUrl,
    PUBLIC_URL: service.origin,
    SANAD_MASTER_KEY: Buffer.from(service.masterKey).toString('base64'),
    ...env,
  }

  const sanad: RunCommand = async (...args) => {
    let [out, err] = ['', '']
    const config = readConfig(settings)
    const program = new Command('sanad').exitOverride().configureOutput({
      writeOut: (text) => {
        out += text
      },
      writeErr: (text) => {
        err += text
      },
    })
    const [file] = globSync(`**/${args[0]}-command.ts`, { cwd: commands })
    const { addTo }: { addTo: AddTo } = await import(join(commands, file!))
    addTo(program.command(args[0]!), {
      say: (line) => {
        out += `${line}\n`
      },
      config: () => config,
      serviceUrl: () => reachableUrl(config),
      onStore: (role, work) => withStore(config, openLog('warn'), role, (db) => work(db, config)),
    })
    try {
      await program.parseAsync(args, { from: 'user' })
      return { code: 0, out, err }
    } catch (fault) {
      // Commander has printed its own refusals already.
      if (fault instanceof CommanderError) return { code: fault.exitCode, out, err }
      if (fault instanceof CommandError) return { code: 1, out, err: `${err}${fault.message}\n` }
      throw fault
    }
  }

  const asProcess: RunCommand = (...args) =>
    new Promise((done) => {
      execFile(process.execPath, [main, ...args], { env: { ...bareEnvironment, ...settings } }, (fault, out, err) =>
        done({ code: fault === null ? 0 : Number(fault.code ?? 1), out, err }),
      )
    })

  return { sanad, process: asProcess }
}
