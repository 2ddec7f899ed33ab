/** The status in sentences: what works and what does not. Read from the agent's own files, not from phone or service. */
import { existsSync } from 'node:fs'
import { rulesOf } from './agent-config.ts'
import { loopLock } from './agent-loop.ts'
import type { Environment } from './environment.ts'
import type { FaultKind } from './phone/run-program.ts'
import { type AgentStore, isDamaged, mostSms, openStore } from './store/agent-store.ts'
import { readIdentity, storePath } from './store/identity-file.ts'
import { tryLock } from './store/process-lock.ts'
import { wordsIn } from './words.ts'

export type Status = {
  readonly lines: readonly string[]
  /** 0: everything works. 1: something does not. 2: not paired. */
  readonly code: 0 | 1 | 2
}

/** After this long without a reading, or without an answer, something is wrong. */
const late_ms = 5 * 60_000
/** How long the status mentions that the store was rebuilt. */
const rebuiltShown_ms = 7 * 86_400_000

export const readStatus = (environment: Environment, now: number): Status => {
  const words = wordsIn(environment.language)
  let identity: ReturnType<typeof readIdentity>
  try {
    identity = readIdentity(environment.folder)
  } catch (fault) {
    return { lines: [words.identityUnreadable((fault as Error).message)], code: 1 }
  }
  if (identity === undefined) return { lines: [words.notPaired], code: 2 }
  const path = storePath(environment.folder, identity)
  if (!existsSync(path)) return { lines: [words.paired(identity.origin), words.neverSwept, words.runsNot], code: 1 }
  const lock = tryLock(loopLock(environment.folder))
  lock?.release()
  let store: AgentStore
  try {
    store = openStore(path, { now, repairs: false })
  } catch (fault) {
    if (!isDamaged(fault)) throw fault
    return { lines: [words.paired(identity.origin), words.damaged], code: 1 }
  }
  try {
    const { facts, problems } = describe(store, words, now)
    const runs = lock === undefined
    const wrong = [...(runs ? [] : [words.runsNot]), ...problems]
    return {
      lines: [
        words.paired(identity.origin),
        ...(runs ? [words.runs] : []),
        ...facts,
        ...(wrong.length > 0 ? wrong : [words.healthy]),
      ],
      code: wrong.length > 0 ? 1 : 0,
    }
  } finally {
    store.close()
  }
}

const describe = (
  store: AgentStore,
  words: ReturnType<typeof wordsIn>,
  now: number,
): { readonly facts: string[]; readonly problems: string[] } => {
  const ago = (at: number): string => words.ago(now - at)
  const facts: string[] = []
  const problems: string[] = []
  const isLate = (at: number | undefined): boolean => at === undefined || Math.abs(now - at) > late_ms
  const sweptAt = store.number('swept_at')
  const contactAt = store.number('contact_at')
  const read = sweptAt === undefined ? words.neverSwept : words.sweptAt(ago(sweptAt))
  ;(isLate(sweptAt) ? problems : facts).push(read)
  const contact = contactAt === undefined ? words.neverContact : words.contactAt(ago(contactAt))
  ;(isLate(contactAt) ? problems : facts).push(contact)
  const depth = store.depth()
  facts.push(depth === 0 ? words.allSent : words.unsent(depth))
  const { senders } = rulesOf(JSON.parse(store.state('config') ?? 'null'))
  if (senders.size > 0) facts.push(words.senders([...senders].join(', ')))
  else problems.push(words.noSenders)

  const sms = store.state('problem_sms')
  if (sms !== undefined) problems.push(words.smsFails[sms as FaultKind] ?? words.smsFails.silent)
  const notifications = store.state('problem_notifications')
  if (notifications !== undefined)
    problems.push(words.notificationsFail[notifications as FaultKind] ?? words.notificationsFail.silent)
  const server = store.state('problem_server')
  if (server === 'revoked') problems.push(words.revoked(ago(store.number('revoked_at') ?? now)))
  else if (server === 'unreachable') problems.push(words.unreachable)
  else if (server !== undefined) problems.push(words.answered(server.replace('answered_', '')))
  if (store.state('switched_on') === '0') problems.push(words.switchedOff)
  if (store.state('problem_queue') !== undefined) problems.push(words.queueFull(mostSms))
  if (store.refused() > 0) problems.push(words.refused(store.refused()))
  const missed = store.number('missed_notifications')
  if (missed !== undefined) problems.push(words.missed(missed))
  const rebuiltAt = store.number('rebuilt_at')
  if (rebuiltAt !== undefined && now - rebuiltAt < rebuiltShown_ms) facts.push(words.rebuilt(ago(rebuiltAt)))
  return { facts, problems }
}
