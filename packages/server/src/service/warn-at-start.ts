/** At the start, the log says what the doctor would say of this node: nobody runs a command to find out what they do not suspect. */
import type { Config } from '../config.ts'
import type { Instant } from '../core/clock.ts'
import { diagnoseDatabase, diagnoseMachine } from '../doctor/diagnosis.ts'
import { readDatabaseFacts } from '../doctor/read-database-facts.ts'
import type { Log } from '../log.ts'
import { connectionsOfOneNode } from '../open-store.ts'
import type { Db } from '../postgres/connection/database.ts'
import { machineFacts } from './machine-facts.ts'

/** Phones, endpoints and messages have their own notices, the clock and twins their own lines. */
const ofTheNode = ['connections', 'redis']

export const warnAtStart = async (config: Config, db: Db, now: Instant, log: Log): Promise<void> => {
  try {
    const facts = await readDatabaseFacts(db, now, {
      connectionsOfOneNode: connectionsOfOneNode(config),
      sharesLimits: config.redisUrl !== undefined,
      backupMaxAge_ms: config.backupMaxAge_ms,
      wrongClock: undefined,
    })
    const findings = [
      ...diagnoseMachine(await machineFacts(config)),
      ...diagnoseDatabase(facts).filter(({ part }) => ofTheNode.includes(part)),
    ]
    for (const { part, level, says, cure } of findings) if (level !== 'ok') log.warn({ part, level }, `${says} ${cure}`)
  } catch (fault) {
    log.warn({ err: fault }, 'could not look for what is wrong with this node: `sanad doctor` does')
  }
}
