/** Where the agent keeps its files and in which language it writes, from the environment. Read once, at the start. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export type Language = 'ar' | 'en'

export type Environment = {
  /** The user's home folder in Termux. */
  readonly home: string
  /** The agent's own folder. */
  readonly folder: string
  /** The shell of Termux. Android has none at /bin/sh. */
  readonly shell: string
  /** Where commands are. */
  readonly programs: string
  /** The public key that signs releases of the agent, as the user gave it; empty: none. */
  readonly releaseKey: string
  readonly language: Language
  /** Used if Android does not report its time zone. */
  readonly timeZone: string | undefined
}

export const readEnvironment = (env: Readonly<NodeJS.ProcessEnv> = process.env): Environment => {
  const home = env.HOME || homedir()
  return {
    home,
    folder: env.SANAD_AGENT_HOME || join(home, '.sanad-agent'),
    shell: env.PREFIX ? join(env.PREFIX, 'bin/sh') : '/bin/sh',
    programs: join(env.PREFIX || join(home, '.local'), 'bin'),
    releaseKey: env.SANAD_AGENT_KEY ?? '',
    language: /^ar\b|^ar_/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? 'ar' : 'en',
    timeZone: env.TZ || undefined,
  }
}
