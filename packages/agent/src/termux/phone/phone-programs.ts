/** Reads the phone's messages, notifications and facts, each by one program of Termux, and parses the output. */
import { isZone } from './local-time.ts'
import { type Notification, readNotifications } from './notification.ts'
import type { ListPage } from './read-inbox.ts'
import { type RunProgram, readJson } from './run-program.ts'
import { readPage } from './sms-row.ts'

export type PhonePrograms = {
  readonly inbox: ListPage
  notifications(): Promise<readonly Notification[]>
  /** An object as Termux prints it; undefined: the program failed. */
  facts(
    program: 'termux-battery-status' | 'termux-wifi-connectioninfo' | 'termux-telephony-deviceinfo',
  ): Promise<Readonly<Record<string, unknown>> | undefined>
  /** A property of Android; empty: unknown. */
  property(name: string): Promise<string>
  /** The zone in which the phone prints times. */
  timeZone(): Promise<string>
}

export const phonePrograms = (run: RunProgram, timeZone: string | undefined): PhonePrograms => {
  const property = async (name: string): Promise<string> =>
    run('getprop', [name], 5_000).then(
      (output) => output.trim(),
      () => '',
    )
  return {
    async inbox(limit, offset) {
      const args = ['-t', 'inbox', '-l', String(limit), '-o', String(offset)]
      return readPage(readJson('termux-sms-list', await run('termux-sms-list', args, 60_000)))
    },
    async notifications() {
      const program = 'termux-notification-list'
      return readNotifications(readJson(program, await run(program, [])))
    },
    async facts(program) {
      try {
        const value = readJson(program, await run(program, [], 10_000))
        return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
      } catch {
        return undefined
      }
    },
    property,
    // Node reports a wrong time zone on many phones: Android keeps the right one in a property.
    async timeZone() {
      const names = [await property('persist.sys.timezone'), timeZone ?? '']
      return names.find((name) => name !== '' && isZone(name)) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    },
  }
}
