/**
 * The health of the phone for heartbeats: battery, charging, network. Termux takes a moment for each, so they are read
 * every five minutes; what the phone does not report is left out.
 */
import type { Health } from '../../native-client.ts'
import type { AgentStore } from '../store/agent-store.ts'
import { version } from '../version.ts'
import type { PhonePrograms } from './phone-programs.ts'

type Facts = Readonly<Record<string, unknown>> | undefined

export const batteryOf = (facts: Facts): Pick<Health, 'battery' | 'charging'> => {
  const percent = facts?.percentage
  const plugged = facts?.plugged
  return {
    ...(typeof percent === 'number' && percent >= 0 && percent <= 100 ? { battery: Math.round(percent) } : {}),
    ...(typeof plugged === 'string' ? { charging: plugged !== 'UNPLUGGED' } : {}),
  }
}

/** `wifi`, or the kind of the mobile network, such as `lte`. */
export const networkOf = (wifi: Facts, telephony: Facts): string | undefined => {
  if (wifi?.supplicant_state === 'COMPLETED') return 'wifi'
  if (telephony === undefined) return undefined
  const { data_state: state, network_type: kind } = telephony
  if (state !== 'connected') return 'none'
  return typeof kind === 'string' && kind !== 'unknown' ? kind.slice(0, 64) : 'mobile'
}

const every_ms = 300_000

/** What does not work, as the codes that a heartbeat carries. */
export const problemsIn = (store: AgentStore): string[] => {
  const codes = (['sms', 'notifications'] as const).flatMap((name) => {
    const problem = store.state(`problem_${name}`)
    return problem === undefined ? [] : [`${name}_${problem}`]
  })
  if (store.state('problem_queue') !== undefined) codes.push('queue_full')
  if (store.refused() > 0) codes.push('reports_refused')
  if (store.state('missed_notifications') !== undefined) codes.push('notifications_missed')
  return codes.slice(0, 8)
}

export const phoneHealth = (phone: PhonePrograms, now: () => number) => {
  let readAt = Number.NEGATIVE_INFINITY
  let lastHealth: Health = {}
  return async (store: AgentStore): Promise<Health> => {
    if (now() - readAt >= every_ms || readAt > now()) {
      readAt = now()
      const [battery, wifi, android] = await Promise.all([
        phone.facts('termux-battery-status'),
        phone.facts('termux-wifi-connectioninfo'),
        phone.property('ro.build.version.release'),
      ])
      const telephony =
        wifi?.supplicant_state === 'COMPLETED' ? undefined : await phone.facts('termux-telephony-deviceinfo')
      const network = networkOf(wifi, telephony)
      lastHealth = {
        ...batteryOf(battery),
        ...(network === undefined ? {} : { network }),
        ...(android === '' ? {} : { os_version: `Android ${android}`.slice(0, 64) }),
        app_version: version,
      }
    }
    const problems = problemsIn(store)
    return { ...lastHealth, ...(problems.length === 0 ? {} : { problems }) }
  }
}
