/**
 * `sanad doctor`: what is wrong with this installation, in sentences with the cure. It exits with 1 if something is wrong. It also runs
 * where the service does not start: what then fails is a finding, and the rest is still looked at.
 */
import { runCommand } from '@sanad/sdk/commands'
import { CommandError } from '../../command-error.ts'
import { type Config, ConfigError } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { type Said, worst } from '../../doctor/finding.ts'
import { compareClocks } from '../../node-clock.ts'
import { examineDatabase, examineMachine, probe } from '../../service/examine.ts'
import { version } from '../../version.ts'
import { type AddTo, type CommandLine, healthRole } from '../command-line.ts'

const settingsFindings = (fault: ConfigError): Said[] =>
  fault.message.split('\n').map((line) => {
    const [, says, cure] = /^(.*?\.?) (Example: .*)$/.exec(line) ?? []
    return { part: 'settings', level: 'wrong', says: says ?? line, cure: cure ?? 'Correct the setting.' }
  })

const databaseFindings = async ({ onStore }: CommandLine): Promise<Said[]> => {
  try {
    return await onStore(healthRole, async (db, config) => {
      const { state: clock } = await compareClocks(db)
      const now = systemClock.now() - Math.round(clock.offset_ms)
      const { findings } = await examineDatabase(config, db, now, clock)
      return [
        { part: 'database', level: 'ok', says: 'The database answers and has this version’s tables.' },
        ...findings,
      ]
    })
  } catch (fault) {
    if (!(fault instanceof CommandError)) throw fault
    const cure = 'Start or mend the database, or correct DATABASE_URL. What the database knows could not be looked at.'
    return [{ part: 'database', level: 'wrong', says: fault.message, cure }]
  }
}

const examine = async (line: CommandLine, config: Config): Promise<Said[]> => [
  ...(await examineMachine(config)),
  ...(await databaseFindings(line)),
  ...(await probe(config)),
]

const marks = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const

type DoctorOptions = { readonly json?: true; readonly clientId?: string } & Readonly<Record<string, string | true>>

/** With an API key it is the command of the SDK's package, which developers also have without this repository. */
const developerOptions = [
  ['--client-id <id>', "for a merchant's developer: look at this API key, the clock and the webhooks instead"],
  ['--client-secret <secret>', 'its secret; left out: SANAD_CLIENT_SECRET'],
  ['--url <url>', 'with --client-id: the service'],
  ['--webhook <url>', 'with --client-id: try a receiver from this machine'],
  ['--secret <secret>', "with --webhook: the endpoint's signing secret"],
  ['--send', 'with --client-id: the service sends a made-up event to each endpoint'],
] as const

const examineAsDeveloper = async (options: DoctorOptions, line: CommandLine): Promise<void> => {
  const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const args = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [flagOf(name)] : [flagOf(name), value],
  )
  process.exitCode = await runCommand(['doctor', ...args], { defaultUrl: line.serviceUrl, say: line.say })
}

export const addTo: AddTo = (doctor, line) => {
  for (const [flags, help] of developerOptions) doctor.option(flags, help)
  doctor.option('--json', 'as one JSON object').action(async (options: DoctorOptions) => {
    if (options.clientId !== undefined) return examineAsDeveloper(options, line)
    const { json } = options
    let findings: Said[]
    try {
      findings = await examine(line, line.config())
    } catch (fault) {
      if (!(fault instanceof ConfigError)) throw fault
      findings = settingsFindings(fault)
    }
    const level = worst(findings)
    if (json) line.say(JSON.stringify({ version, level, findings }))
    else
      for (const finding of findings) {
        line.say(`${marks[finding.level]} ${finding.says}`)
        if (finding.cure !== undefined) line.say(`        → ${finding.cure}`)
      }
    const count = findings.filter((finding) => finding.level === 'wrong').length
    if (level === 'wrong') throw new CommandError(`${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`)
  })
}
