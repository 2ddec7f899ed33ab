/** At the start, the log says what the doctor would say of this node: nobody runs a command to find out what they do not suspect. */
import { countUnprovedOperators } from '../accounts/tenants/operator-sql.ts'
import type { Config } from '../config.ts'
import type { Instant } from '../core/clock.ts'
import type { Log } from '../log.ts'
import type { Db } from '../postgres/connection/database.ts'
import { countTwins } from '../wallets/identity/find-twins.ts'
import { examineDatabase, examineMachine } from './examine.ts'

/** Phones, endpoints and messages have their own notices, the clock and twins their own lines. */
const ofTheNode = ['connections', 'redis']

const warnOfNode = async (config: Config, db: Db, now: Instant, log: Log): Promise<void> => {
  try {
    const findings = [
      ...(await examineMachine(config)),
      ...(await examineDatabase(config, db, now, undefined)).findings.filter(({ part }) => ofTheNode.includes(part)),
    ]
    for (const { part, level, says, cure } of findings) if (level !== 'ok') log.warn({ part, level }, `${says} ${cure}`)
  } catch (fault) {
    log.warn({ err: fault }, 'could not look for what is wrong with this node: `sanad doctor` does')
  }
}

/** A real wallet with several identities can verify two intents by one payment, until the operator merges its entries. */
const warnOfTwins = async (db: Db, log: Log): Promise<void> => {
  try {
    const twins = await countTwins(db)
    if (twins > 0) log.warn({ twins }, 'real wallets have several identities: `sanad wallet twins` lists them')
  } catch (fault) {
    log.warn({ err: fault }, 'could not look for twin wallets')
  }
}

/** Before addresses were proved, a user who joined by a link that others saw could become an operator. They stay operators. */
const warnOfUnprovedOperators = async (db: Db, log: Log): Promise<void> => {
  try {
    const [unproved] = await countUnprovedOperators(db)
    if (unproved!.operators > 0)
      log.warn(unproved!, 'operators have not proved their address: `sanad operator list` names them')
  } catch (fault) {
    log.warn({ err: fault }, 'could not look for operators whose address is not proved')
  }
}

/** Never fails: a fault is a line of the log. */
export const warnAtStart = async (config: Config, db: Db, now: Instant, log: Log): Promise<void> => {
  const works = config.role !== 'serve'
  await Promise.all([
    warnOfNode(config, db, now, log),
    ...(works ? [warnOfTwins(db, log), warnOfUnprovedOperators(db, log)] : []),
  ])
}
