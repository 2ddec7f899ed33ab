/** Which files of this repository a file loads when it runs. Pure, except that it reads the sources. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(import.meta.dirname, '../../../..')

/** Statements at the start of a line, and `import('…')` anywhere. Types are not loaded. */
const importPattern =
  /^\s*(?:import|export)\s+(?!type\b)[^'"`;=]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm

/** The names of the modules that a source imports, as it writes them. */
export const importedNames = (source: string): string[] =>
  [...source.matchAll(importPattern)].map((match) => (match[1] ?? match[2] ?? match[3])!)

/** The path of an imported module; a module of Node or of another package keeps its name. */
const pathOf = (name: string, importer: string): string => {
  if (name.startsWith('.')) return normalize(join(dirname(importer), name))
  return name.startsWith('@sanad/') ? relative(root, fileURLToPath(import.meta.resolve(name))) : name
}

const importsByPath = new Map<string, readonly string[]>()

const importsOf = (path: string): readonly string[] => {
  const known = importsByPath.get(path)
  if (known !== undefined) return known
  const file = join(root, path)
  const isSource = /\.(?:tsx?|m?js)$/.test(path) && existsSync(file)
  const imports = isSource ? importedNames(readFileSync(file, 'utf8')).map((name) => pathOf(name, path)) : []
  importsByPath.set(path, imports)
  return imports
}

/** The file, what it imports, what that imports, and so on. `follows`: whether the imports of a reached file count. */
export const reachedFrom = (path: string, follows: (path: string) => boolean = () => true): ReadonlySet<string> => {
  const reached = new Set([path])
  for (const next of reached) if (follows(next)) for (const target of importsOf(next)) reached.add(target)
  return reached
}
