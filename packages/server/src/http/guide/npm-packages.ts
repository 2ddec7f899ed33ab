/**
 * The SDK and the plugins for shop engines as npm packs them, for `npm install ./sanad-sdk.tgz`: a merchant's developer needs neither a
 * registry nor a copy of the repository. A package contains the files that its package.json lists; the same sources give the same bytes.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { paddingOf, tarEnd, tarHeader } from '../../postgres/backup/tar.ts'

const root = resolve(import.meta.dirname, '../../../../..')

const npmPackage = (path: string): Buffer => {
  const folder = join(root, path)
  const filesUnder = (name: string): string[] =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { files: string[] }
  const names = ['package.json', 'README.md', ...files.flatMap(filesUnder).sort()]
  const parts = names.flatMap((name) => {
    const content = readFileSync(join(folder, name))
    return [tarHeader(`package/${name}`, content.length), content, Buffer.alloc(paddingOf(content.length))]
  })
  return gzipSync(Buffer.concat([...parts, tarEnd]), { level: 9 })
}

export const sdkPackage = (): Buffer => npmPackage('packages/sdk')
export const vendurePackage = (): Buffer => npmPackage('plugins/vendure')
export const medusaPackage = (): Buffer => npmPackage('plugins/medusa')
