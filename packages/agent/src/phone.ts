/**
 * A simulated phone: reports the messages of a scenario in order, by the native protocol or as a forwarding app. An
 * alert is done only when the service's answer contains it. The caller gets every answer and formats it.
 */
import { type AdapterName, type AppAccess, forwardRequest, smsgatePing } from './adapter-clients.ts'
import type { AlertStatus, Health, NativeAlert, NativeClient } from './native-client.ts'
import { type Patience, PhoneFault, type PostRequest, patient, post, refusalIn } from './post.ts'
import type { Send } from './scenario.ts'

/** `taken`: the only status that a forwarding app gets. */
export type Status = AlertStatus | 'taken'

export type Answered = { readonly send: Send; readonly status: Status }

export type Reporter = {
  /** Messages per request. */
  readonly perCall: number
  /** The answers in order, one for each message. */
  report(sends: readonly Send[]): Promise<readonly Status[]>
  /** False: this app has no heartbeat. */
  heartbeat(): Promise<boolean>
}

/** What a simulated phone reports of itself: all is well. */
export const simulatedHealth: Health = {
  battery: 87,
  charging: false,
  network: 'wifi',
  signal: 3,
  app_version: 'simulator',
  os_version: 'simulated',
  queue_depth: 0,
}

const mostAttempts = 3

export const nativeReporter = (client: NativeClient, perCall: number): Reporter => ({
  perCall,
  async report(sends) {
    const answers: (Status | undefined)[] = sends.map(() => undefined)
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const unanswered = answers.flatMap((answer, i) => (answer === undefined ? [i] : []))
      if (unanswered.length === 0) break
      const { results } = await client.alerts(unanswered.map((i) => nativeAlert(sends[i]!)))
      for (const [n, i] of unanswered.entries()) {
        const result = results[n]
        if (result?.client_id === sends[i]!.clientId) answers[i] = result.status
      }
    }
    if (answers.includes(undefined)) throw new PhoneFault('The service did not name every alert in its answer.')
    return answers as Status[]
  },
  async heartbeat() {
    await client.heartbeat(simulatedHealth)
    return true
  },
})

const nativeAlert = (send: Send): NativeAlert => ({
  client_id: send.clientId,
  kind: 'sms',
  sender: send.sender,
  text: send.text,
  ...(send.simSlot === '' ? {} : { sim_slot: send.simSlot }),
  sent_at: send.sentAt,
  received_at: send.receivedAt,
})

export const adapterReporter = (options: {
  readonly adapter: AdapterName
  readonly access: AppAccess
  readonly now: () => number
  readonly newId: () => string
  readonly patience?: Patience
}): Reporter => {
  const { adapter, access, now, newId, patience = patient } = options
  const deliver = async (make: () => PostRequest): Promise<void> => {
    const answer = await post(make, patience)
    if (answer.status !== 200) throw refusalIn(answer)
  }
  return {
    perCall: 1,
    async report(sends) {
      for (const send of sends) await deliver(() => forwardRequest(adapter, access, send, now()))
      return sends.map(() => 'taken' as const)
    },
    async heartbeat() {
      if (adapter !== 'smsgate') return false
      const id = newId()
      await deliver(() => smsgatePing(access, id, simulatedHealth.battery ?? 100, now()))
      return true
    },
  }
}

export const runPhone = async (
  reporter: Reporter,
  sends: readonly Send[],
  onAnswer: (answered: Answered, done: number) => void,
): Promise<Answered[]> => {
  const answered: Answered[] = []
  for (let first = 0; first < sends.length; first += reporter.perCall) {
    const batch = sends.slice(first, first + reporter.perCall)
    const statuses = await reporter.report(batch)
    for (const [i, send] of batch.entries()) {
      const result = { send, status: statuses[i]! }
      answered.push(result)
      onAnswer(result, answered.length)
    }
  }
  return answered
}
