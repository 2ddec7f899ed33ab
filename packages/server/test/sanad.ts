/**
 * `sanad <command>` for stories, on the database of a house: in this process, with the store that the command itself would
 * open, or as the process that an operator starts. To start one costs more than what most commands do; each kind of
 * command is started as a process in some story all the same.
 */
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import type { AddTo } from '../src/commands/command-line.ts'
import { readConfig } from '../src/config.ts'
import { openLog } from '../src/log.ts'
import { withStore } from '../src/open-store.ts'
import { reachedAt } from '../src/origin.ts'
import { Refused } from '../src/refused.ts'
import { bareEnvironment } from './bare-environment.ts'
import type { House } from './story.ts'

export type Said = { readonly code: number; readonly out: string; readonly err: string }
export type Sanad = (...args: string[]) => Promise<Said>

const main = join(import.meta.dirname, '../src/main.ts')

export const commandsOf = (
  house: Pick<House, 'databaseUrl' | 'origin' | 'masterKey'>,
  env: Readonly<Record<string, string>> = {},
): { readonly sanad: Sanad; readonly process: Sanad } => {
  const settings = {
    DATABASE_URL: house.databaseUrl,
    PUBLIC_URL: house.origin,
    SANAD_MASTER_KEY: Buffer.from(house.masterKey).toString('base64'),
    ...env,
  }

  const sanad: Sanad = async (...args) => {
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
    const [file] = globSync(`**/${args[0]}-command.ts`, { cwd: join(import.meta.dirname, '../src/commands') })
    const { addTo }: { addTo: AddTo } = await import(`../src/commands/${file}`)
    addTo(program.command(args[0]!), {
      say: (line) => {
        out += `${line}\n`
      },
      reachedAt: () => reachedAt(config),
      onStore: (role, work) => withStore(config, openLog('warn'), role, (db) => work(db, config)),
    })
    try {
      await program.parseAsync(args, { from: 'user' })
      return { code: 0, out, err }
    } catch (fault) {
      // What commander refuses it has said already.
      if (fault instanceof CommanderError) return { code: fault.exitCode, out, err }
      if (fault instanceof Refused) return { code: 1, out, err: `${err}${fault.message}\n` }
      throw fault
    }
  }

  const asProcess: Sanad = (...args) =>
    new Promise((done) => {
      execFile(process.execPath, [main, ...args], { env: { ...bareEnvironment, ...settings } }, (fault, out, err) =>
        done({ code: fault === null ? 0 : Number(fault.code ?? 1), out, err }),
      )
    })

  return { sanad, process: asProcess }
}
