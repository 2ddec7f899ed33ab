/**
 * How the dashboard is built: one page, its screens in pieces that load when they are first opened. What the contract
 * says of every call is boiled down to its method and path, so that no schema travels to the browser.
 */

import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const callsName = 'virtual:calls'

const calls = (): Plugin => ({
  name: 'calls',
  resolveId: (id) => (id === callsName ? `\0${callsName}` : undefined),
  load: (id) => {
    if (id !== `\0${callsName}`) return undefined
    const table = Object.fromEntries(dashboardOperations.map(({ id, method, path }) => [id, [method, path]]))
    return `export const calls = ${JSON.stringify(table)}`
  },
})

const wordsFolder = join(import.meta.dirname, 'src/words')

/**
 * Has every file load the words that it names, by their keys or by what a key begins with. So a screen brings its own
 * words, and the first page none but those of the frame.
 */
const ownWords = (): Plugin => {
  const keys: { key: string; file: string }[] = []
  return {
    name: 'own-words',
    enforce: 'pre',
    async buildStart() {
      keys.length = 0
      for (const file of globSync('*.ts', { cwd: wordsFolder, exclude: (name) => name.endsWith('.test.ts') })) {
        const path = join(wordsFolder, file)
        const text = await readFile(path, 'utf8')
        for (const [, key] of text.matchAll(/^\s*'(\w+\.[^']*)':/gm)) keys.push({ key: key!, file: path })
      }
    },
    transform: {
      filter: { id: /\/dashboard\/src\/(?!words\/).*\.tsx?$/ },
      handler(code) {
        const files = new Set<string>()
        for (const [, named, end] of code.matchAll(/['"`](\w+\.[\w.-]*)(['"`]|\$\{)/g)) {
          const begins = end === '${' || named!.endsWith('.')
          for (const { key, file } of keys)
            if (begins ? key.startsWith(named!) : key === named || key === `${named}_other`) files.add(file)
        }
        const imports = [...files].map((file) => `import '${file}'`)
        return imports.length === 0 ? undefined : { code: `${code}\n${imports.join('\n')}`, map: null }
      },
    },
  }
}

/**
 * Each component of the library brings its own style, after those it is made of: a page loads the style of what it shows.
 * Where nothing is built, all of it comes at once.
 */
const ownStyles = (): Plugin => {
  let builds = true
  return {
    name: 'own-styles',
    enforce: 'pre',
    configResolved: ({ command }) => {
      builds = command === 'build'
    },
    transform: {
      filter: { id: [/\/@mantine\/core\/esm\/.*\.module\.mjs$/, /\/dashboard\/src\/main\.tsx$/] },
      handler(code, id) {
        const component = /(\w+)\.module\.mjs$/.exec(id)?.[1]
        if (component === undefined) return builds ? undefined : `import '@mantine/core/styles.css'\n${code}`
        return { code: `import '@mantine/core/styles/${component}.css'\n${code}`, map: null }
      },
    },
  }
}

/**
 * What the first page is made of runs as soon as it has come, each file by itself: a slow phone has done with one while the
 * next is still on its way, and none holds up a touch for as long as all of them would.
 */
const runsAtOnce = (): Plugin => ({
  name: 'runs-at-once',
  transformIndexHtml: {
    order: 'post',
    handler: (page) =>
      page.replaceAll(
        /<link rel="modulepreload" crossorigin href="([^"]+)">/g,
        '<script type="module" async crossorigin src="$1"></script>',
      ),
  },
})

const floats =
  /node_modules\/(@floating-ui|react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref)|@mantine\/core\/esm\/(utils\/Floating|components\/(Popover|Combobox|Select|MultiSelect|TagsInput|ColorInput|ColorPicker|Modal|ModalBase|Drawer|ScrollArea|Portal|Overlay|FocusTrap|Pill|PillsInput)\/)/

/** What only forms of some screens are made of. */
const fields =
  /@mantine\/core\/esm\/components\/(SegmentedControl|FloatingIndicator|Switch|Progress|Textarea)\/|node_modules\/(react-textarea-autosize|use-composed-ref|use-isomorphic-layout-effect|use-latest)\//

const rare = /src\/(words\/(templates|operator|audit|settings|open|webhooks)\.ts|parts\/password-fields|screens\/)/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), calls(), ownWords(), ownStyles(), runsAtOnce()],
  // Served under /assets with names that change with their content: they may be kept for ever.
  build: {
    target: 'es2022',
    cssMinify: true,
    // One file: a dozen small ones would each wait for a turn.
    cssCodeSplit: false,
    sourcemap: false,
    // Which files a screen is made of: the server has them fetched together with the page.
    manifest: 'pieces.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      onwarn: (warning, say) => void (warning.code === 'MODULE_LEVEL_DIRECTIVE' || say(warning)),
      output: {
        // A piece that several screens share would be called by all their names.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${name.split(/[~.]/)[0]}-[hash][extname]`,
        codeSplitting: {
          // What the first page needs comes in three files of like size: over a slow network each one more waits its turn,
          // and a long one waits for itself.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/ },
            { name: 'library', tags: ['$initial'], test: /node_modules/ },
            { name: 'frame', tags: ['$initial'] },
            // What screens share comes in one file; not what floats over a page and comes after it, nor what few need.
            { name: 'fields', minShareCount: 2, test: fields },
            { name: 'parts', minShareCount: 2, test: (id) => !floats.test(id) && !fields.test(id) && !rare.test(id) },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
