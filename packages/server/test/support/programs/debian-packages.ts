/**
 * Installs Debian packages that a test needs, if they are not there and it is allowed, or fails with one sentence. No test is skipped
 * for want of a program.
 */
import { spawnSync } from 'node:child_process'

/** `isThere`: tries what the packages are for. `what`: as the sentence names it. */
export const needPackages = (what: string, packages: readonly string[], isThere: () => boolean): void => {
  if (isThere()) return
  // No service is started: only the program is needed. Another program may be installing packages.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=120']
  const install = [...waitForLock, 'install', '-y', '--no-install-recommends', ...packages]
  for (const args of [install, [...waitForLock, 'update'], install]) {
    spawnSync('apt-get', args, { stdio: 'ignore', env })
    if (isThere()) return
  }
  throw new Error(`This test needs ${what}: install it, on Debian with apt-get install ${packages.join(' ')}.`)
}
