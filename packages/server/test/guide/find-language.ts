/**
 * Finds the language of an example on the PATH, or installs Debian's package if that is allowed, or fails with one sentence.
 * No example is skipped.
 */
import { spawnSync } from 'node:child_process'
import { needPackages } from '../support/programs/debian-packages.ts'

const languages = {
  python3: { version: '--version', package: 'python3' },
  go: { version: 'version', package: 'golang-go' },
} as const

/** Returns the name of the command. */
export const findLanguage = (command: keyof typeof languages): string => {
  const { version, package: name } = languages[command]
  needPackages(command, [name], () => spawnSync(command, [version]).status === 0)
  return command
}
