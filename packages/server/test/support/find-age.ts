/** Finds the program age, or installs it with apt-get if the tests run as root on Debian, or fails with one sentence. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const place = '/usr/bin/age'

const aptGet = (...args: string[]): boolean =>
  spawnSync('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    stdio: 'ignore',
  }).status === 0

/** The paths of `age` and `age-keygen`. */
export const findAge = (): { readonly age: string; readonly keygen: string } => {
  const install = ['install', '-y', '--no-install-recommends', 'age']
  if (!existsSync(place) && process.getuid?.() === 0)
    void (aptGet(...install) || (aptGet('update') && aptGet(...install)))
  if (!existsSync(place)) throw new Error('These tests need age: install it, on Debian with apt-get install age.')
  return { age: place, keygen: `${place}-keygen` }
}
