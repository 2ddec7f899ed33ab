/**
 * Finds the language of an example on the PATH, or installs Debian's package if that is allowed, or fails with one sentence.
 * No example is skipped.
 */
import { spawnSync } from 'node:child_process'

const languages = {
  python3: { version: '--version', package: 'python3' },
  php: { version: '--version', package: 'php-cli' },
  go: { version: 'version', package: 'golang-go' },
} as const

/** Returns the name of the command. */
export const findLanguage = (command: keyof typeof languages): string => {
  const { version, package: name } = languages[command]
  const isInstalled = (): boolean => spawnSync(command, [version]).status === 0
  if (isInstalled()) return command
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  // Another program may be installing packages.
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=120']
  const install = [...waitForLock, 'install', '-y', '--no-install-recommends', name]
  for (const args of [install, [...waitForLock, 'update'], install]) {
    spawnSync('apt-get', args, quiet)
    if (isInstalled()) return command
  }
  throw new Error(`The examples of the guide need ${command}: install it, on Debian with apt-get install ${name}.`)
}
