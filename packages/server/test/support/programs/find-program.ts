/**
 * Finds a program, or installs Debian's package if that is allowed, or fails with one sentence. No test is skipped for want of a
 * program.
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { needPackages } from './debian-packages.ts'

const folders = (): string[] => [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

/** Returns the path of the program. */
export const findProgram = (name: string, debianPackage: string = name): string => {
  const find = (): string | undefined =>
    folders()
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path))
  needPackages(name, [debianPackage], () => find() !== undefined)
  return find()!
}
