/** In the package, in place of http/minify/minify-script.ts: the scripts of pages were made small when the package was built. */
import { readFileSync } from 'node:fs'

export type { Syntax } from '../../packages/server/src/http/minify/minify-script.ts'

export const minifiedScript = (file: URL): string =>
  readFileSync(new URL(file.href.replace(/\.ts$/, '.min.js')), 'utf8')
