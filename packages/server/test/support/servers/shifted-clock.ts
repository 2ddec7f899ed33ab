/**
 * Runs a process with another time of day than this machine's, by Debian's libfaketime, which is installed with apt-get if the
 * tests run as root. Only the time of day is shifted, as when somebody sets a clock; the monotonic clock goes on.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

const libraryPaths = '/usr/lib/{*/,}faketime/libfaketime.so.1'

const aptGet = (...args: string[]): boolean =>
  spawnSync('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    stdio: 'ignore',
  }).status === 0

const findLibrary = (): string => {
  const installed = (): string | undefined => globSync(libraryPaths)[0]
  const packages = ['install', '-y', '--no-install-recommends', 'libfaketime']
  if (installed() === undefined && process.getuid?.() === 0)
    void (aptGet(...packages) || (aptGet('update') && aptGet(...packages)))
  const library = installed()
  if (library === undefined)
    throw new Error('These tests need libfaketime: install it, on Debian with apt-get install libfaketime.')
  return library
}

/** A clock that can be set while processes run with it. */
export const shiftedClock = (offset_s: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'sanad-clock-'))
  const file = join(folder, 'offset')
  const set = (seconds: number): void => {
    // Renamed, so that a process never reads half a file.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    renameSync(`${file}.new`, file)
  }
  set(offset_s)
  after(() => rmSync(folder, { recursive: true, force: true }))
  return {
    set,
    /** The environment of a process with this clock. */
    environment: {
      LD_PRELOAD: findLibrary(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}
