/**
 * `sanad doctor`: what is wrong with this installation, in sentences with the cure. It exits with 1 if something is wrong. It also runs
 * where the service does not start: what then fails is a finding, and the rest is still looked at.
 */
import { CommandError } from '../../command-error.ts'
import { type Config, ConfigError } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { diagnoseDatabase, diagnoseMachine, type Finding, worst } from '../../doctor/diagnosis.ts'
import { readDatabaseFacts } from '../../doctor/read-database-facts.ts'
import { compareClocks } from '../../node-clock.ts'
import { connectionsOfOneNode } from '../../open-store.ts'
import { machineFacts } from '../../service/machine-facts.ts'
import { version } from '../../version.ts'
import { type AddTo, type CommandLine, healthRole } from '../command-line.ts'
import { probeMail, probePublicUrl } from './doctor-probes.ts'

const settingsFindings = (fault: ConfigError): Finding[] =>
  fault.message.split('\n').map((line) => {
    const [, says, cure] = /^(.*?\.?) (Example: .*)$/.exec(line) ?? []
    return { part: 'settings', level: 'wrong', says: says ?? line, cure: cure ?? 'Correct the setting.' }
  })

const databaseFindings = async ({ onStore }: CommandLine): Promise<Finding[]> => {
  try {
    return await onStore(healthRole, async (db, config) => {
      const clock = await compareClocks(db)
      const isRight = clock.state.agreement === 'agrees'
      const facts = await readDatabaseFacts(db, systemClock.now() - Math.round(clock.state.offset_ms), {
        connectionsOfOneNode: connectionsOfOneNode(config),
        sharesLimits: config.redisUrl !== undefined,
        backupMaxAge_ms: config.backupMaxAge_ms,
        wrongClock: isRight ? undefined : clock.sentence,
      })
      return [
        { part: 'database', level: 'ok', says: 'The database answers and has this version’s tables.' },
        ...diagnoseDatabase(facts),
      ]
    })
  } catch (fault) {
    if (!(fault instanceof CommandError)) throw fault
    const cure = 'Start or mend the database, or correct DATABASE_URL. What the database knows could not be looked at.'
    return [{ part: 'database', level: 'wrong', says: fault.message, cure }]
  }
}

const probes = async ({ publicUrl, mail }: Config): Promise<Finding[]> => [
  ...(publicUrl === undefined ? [] : [await probePublicUrl(publicUrl)]),
  ...(mail === undefined ? [] : [await probeMail(mail.url)]),
]

const examine = async (line: CommandLine, config: Config): Promise<Finding[]> => [
  ...diagnoseMachine(await machineFacts(config)),
  ...(await databaseFindings(line)),
  ...(await probes(config)),
]

const marks = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const

export const addTo: AddTo = (doctor, line) => {
  doctor.option('--json', 'as one JSON object').action(async ({ json }: { json?: true }) => {
    let findings: Finding[]
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
