/** Finds Prometheus and promtool on the PATH, or installs Debian's package if that is allowed, or fails with one sentence. */
import { spawnSync } from 'node:child_process'

const isInstalled = (): boolean =>
  ['promtool', 'prometheus'].every((program) => spawnSync(program, ['--version']).status === 0)

export const findPrometheus = (): { readonly promtool: string; readonly prometheus: string } => {
  const quiet = {
    stdio: 'ignore',
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  // Another program may be installing packages.
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=120']
  const install = [...waitForLock, 'install', '-y', '--no-install-recommends', 'prometheus']
  for (const args of [undefined, install, [...waitForLock, 'update'], install]) {
    if (args !== undefined) spawnSync('apt-get', args, quiet)
    if (isInstalled()) return { promtool: 'promtool', prometheus: 'prometheus' }
  }
  throw new Error('The rules are tested with Prometheus: install it, on Debian with apt-get install prometheus.')
}
