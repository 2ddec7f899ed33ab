/**
 * The SDK for Python as pip installs it: a wheel, and its source archive. The same sources give the same bytes.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { paddingOf, tarEnd, tarHeader } from '../../postgres/backup/tar.ts'
import { type ZipEntry, zipOf } from './zip.ts'

const root = resolve(import.meta.dirname, '../../../../..')
const folder = join(root, 'sdks/python')
const read = (path: string): Buffer => readFileSync(join(folder, path))

const field = (name: string): string =>
  new RegExp(`^${name} = "([^"]+)"$`, 'm').exec(read('pyproject.toml').toString())![1]!

/** The name that both archives begin with, as pip wants it. */
const stem = (): string => `${field('name').replaceAll('-', '_')}-${field('version')}`

const sources = (): string[] =>
  readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.py$|^py\.typed$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

const metadata = (): string => {
  const [, httpx] = /^dependencies = \["([^"]+)"\]$/m.exec(read('pyproject.toml').toString())!
  return [
    'Metadata-Version: 2.1',
    `Name: ${field('name')}`,
    `Version: ${field('version')}`,
    `Summary: ${field('description')}`,
    'License: Apache-2.0',
    `Requires-Python: ${field('requires-python')}`,
    `Requires-Dist: ${httpx}`,
    'Description-Content-Type: text/markdown',
    '',
    read('README.md').toString(),
  ].join('\n')
}

export const wheelName = (): string => `${stem()}-py3-none-any.whl`

export const pythonWheel = (): Buffer => {
  const info = `${stem()}.dist-info`
  const entries: ZipEntry[] = [
    ...sources().map((path) => ({ name: path.slice('src/'.length), content: read(path) })),
    { name: `${info}/LICENSE`, content: readFileSync(join(root, 'LICENSE')) },
    { name: `${info}/METADATA`, content: Buffer.from(metadata()) },
    {
      name: `${info}/WHEEL`,
      content: Buffer.from('Wheel-Version: 1.0\nGenerator: sanad\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    },
  ]
  const record = entries.map(
    ({ name, content }) =>
      `${name},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}\n`,
  )
  const list = { name: `${info}/RECORD`, content: Buffer.from(`${record.join('')}${info}/RECORD,,\n`) }
  return zipOf([...entries, list])
}

export const sourceName = (): string => `${stem()}.tar.gz`

export const pythonSource = (): Buffer => {
  const entries = [
    ...['pyproject.toml', 'README.md', ...sources()].map((path) => ({ name: path, content: read(path) })),
    { name: 'LICENSE', content: readFileSync(join(root, 'LICENSE')) },
    { name: 'PKG-INFO', content: Buffer.from(metadata()) },
  ]
  const parts = entries.flatMap(({ name, content }) => [
    tarHeader(`${stem()}/${name}`, content.length),
    content,
    Buffer.alloc(paddingOf(content.length)),
  ])
  return gzipSync(Buffer.concat([...parts, tarEnd]), { level: 9 })
}
