/** `sanad-agent`: reads the command line and runs one command. */
import { parseArgs } from 'node:util'
import * as commands from './commands.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { updateAgent } from './release/update-agent.ts'
import { hasSqlite } from './store/open-sqlite.ts'
import { version } from './version.ts'
import { wordsIn } from './words.ts'

const least_s = 1
const most_s = 600

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const printError = (line: string): void => void process.stderr.write(`${line}\n`)

const parseLine = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        lang: { type: 'string' },
        every: { type: 'string' },
        'no-start': { type: 'boolean' },
        discard: { type: 'boolean' },
        key: { type: 'string' },
        from: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch {
    return undefined
  }
}

const main = async (args: readonly string[]): Promise<number> => {
  const parsed = parseLine(args)
  const fromEnv = readEnvironment()
  const language = parsed?.values.lang === 'ar' || parsed?.values.lang === 'en' ? parsed.values.lang : fromEnv.language
  const environment: Environment = { ...fromEnv, language }
  const words = wordsIn(language)
  const every_s = Number(parsed?.values.every ?? 60)
  const [name, link, ...extra] = parsed?.positionals ?? []
  if (parsed?.values.version) {
    say(version)
    return 0
  }
  if (parsed?.values.help) {
    say(words.usage)
    return 0
  }
  if (parsed === undefined || extra.length > 0 || !(every_s >= least_s && every_s <= most_s)) {
    printError(words.usage)
    return 64
  }
  if (!hasSqlite()) {
    printError(words.needsNode(process.versions.node))
    return 3
  }
  const options = { link, every_s, starts: !parsed.values['no-start'], discards: parsed.values.discard === true }
  const command = { node: process.execPath, script: process.argv[1]! }
  if (name === 'setup') return commands.setup(environment, command, say, options)
  if (link === undefined) {
    if (name === 'run') return commands.run(environment, say, options)
    if (name === 'once') return commands.once(environment, say)
    if (name === 'test') return commands.sendTest(environment, say)
    if (name === 'status') return commands.status(environment, say)
    if (name === 'update') return updateAgent(environment, say, { from: parsed.values.from, key: parsed.values.key })
    if (name === 'unpair') return commands.unpair(environment, say, options)
  }
  printError(words.usage)
  return 64
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (fault) {
  printError(wordsIn(readEnvironment().language).failed((fault as Error).message))
  process.exitCode = 1
}
