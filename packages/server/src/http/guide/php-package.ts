/**
 * The SDK for PHP and the package for Laravel as zips, which Composer installs from a folder of files (`"type": "artifact"`). The SDK also
 * works without Composer, by its `autoload.php`. The same sources give the same bytes.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ZipEntry, zipOf } from './zip.ts'

const root = resolve(import.meta.dirname, '../../../../..')

const filesOf = (folder: string, part: string): string[] =>
  readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** `folders`: all of their files are taken. */
const packageOf = (from: string, name: string, files: readonly string[], folders: readonly string[]): Buffer => {
  const folder = join(root, from)
  const entryOf = (file: string, path = join(folder, file)): ZipEntry => ({
    name: `${name}/${file}`,
    content: readFileSync(path),
  })
  const names = [...files, ...folders.flatMap((part) => filesOf(folder, part))]
  return zipOf([...names.map((file) => entryOf(file)), entryOf('LICENSE', join(root, 'LICENSE'))])
}

export const phpPackage = (): Buffer =>
  packageOf('sdks/php', 'sanad-php', ['composer.json', 'autoload.php', 'README.md'], ['src'])

export const laravelPackage = (): Buffer =>
  packageOf('sdks/laravel', 'sanad-laravel', ['composer.json', 'README.md'], ['config', 'database', 'routes', 'src'])
