/**
 * Examines this installation with its settings: one way for `sanad doctor`, `sanad health`, the warnings at the start, and the operator's
 * page. What is wrong is judged in `doctor/diagnosis.ts`.
 */
import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import type { Instant } from '../core/clock.ts'
import { minute_ms } from '../core/duration.ts'
import { type DatabaseFacts, diagnoseDatabase, diagnoseMachine } from '../doctor/diagnosis.ts'
import type { Finding } from '../doctor/finding.ts'
import { databaseFacts, readServiceState, type ServiceState } from '../doctor/read-database-facts.ts'
import { connectionsOfOneNode, processesOf } from '../open-store.ts'
import type { ClockState } from '../postgres/clock/clock-agreement.ts'
import type { Db } from '../postgres/connection/database.ts'
import { version } from '../version.ts'
import { machineFacts } from './machine-facts.ts'
import { probeReplica } from './probe-replica.ts'
import { probeMail, probePublicUrl } from './probes.ts'

export const examineMachine = async (config: Config): Promise<Finding[]> => diagnoseMachine(await machineFacts(config))

/** `clock`: of this machine; undefined: it is not compared here. */
export const examineDatabase = async (
  config: Config,
  db: Db,
  now: Instant,
  clock: Pick<ClockState, 'agreement' | 'offset_ms'> | undefined,
): Promise<{ readonly state: ServiceState; readonly facts: DatabaseFacts; readonly findings: Finding[] }> => {
  const state = await readServiceState(db, now)
  const facts = databaseFacts(state, {
    connectionsOfOneNode: connectionsOfOneNode(config),
    processesOfMachine: processesOf(config),
    sharesLimits: config.redisUrl !== undefined,
    backupMaxAge_ms: config.backupMaxAge_ms,
    wrongClock_ms: clock === undefined || clock.agreement === 'agrees' ? undefined : clock.offset_ms,
  })
  return { state, facts, findings: [...diagnoseDatabase(facts), ...(await probeReplica(config, db))] }
}

/** Tries the public address and the mail server, if they are set. */
export const probe = async ({ publicUrl, mail }: Config): Promise<Finding[]> =>
  Promise.all([
    ...(publicUrl === undefined ? [] : [probePublicUrl(publicUrl)]),
    ...(mail === undefined ? [] : [probeMail(mail.url)]),
  ])

export type Examined = { readonly host: string; readonly version: string; readonly findings: readonly Finding[] }

/** For the operator's page: all of it, on the running node. Others are asked at most once a minute, however often the page is read. */
export const openExaminer = (
  config: Config,
  db: Db,
  clock: () => ClockState,
): ((now: Instant) => Promise<Examined>) => {
  let [probedAt, probed] = [Number.NEGATIVE_INFINITY, Promise.resolve<Finding[]>([])]
  return async (now) => {
    if (performance.now() - probedAt >= minute_ms) {
      probedAt = performance.now()
      probed = probe(config)
    }
    const [machine, database, tried] = await Promise.all([
      examineMachine(config),
      examineDatabase(config, db, now, clock()),
      probed,
    ])
    return { host: hostname(), version, findings: [...machine, ...database.findings, ...tried] }
  }
}
