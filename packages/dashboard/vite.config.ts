/**
 * How the dashboard is built: one page, and one chunk per screen that is loaded when the screen is first opened. The browser
 * gets the method and the path of every call in the contract, without the schemas.
 */

import { dirname, join } from 'node:path'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const callsName = 'virtual:calls'

const contractCalls = (): Plugin => ({
  name: 'contract-calls',
  resolveId: (id) => (id === callsName ? `\0${callsName}` : undefined),
  load: (id) => {
    if (id !== `\0${callsName}`) return undefined
    const table = Object.fromEntries(dashboardOperations.map(({ id, method, path }) => [id, [method, path]]))
    return `export const calls = ${JSON.stringify(table)}`
  },
})

/**
 * Loads the first chunks as async module scripts instead of preloading them. Each one runs as soon as it has arrived: a
 * slow phone executes one while the next is still downloading, and there is no single long task that blocks input.
 */
const asyncScripts = (): Plugin => ({
  name: 'async-scripts',
  transformIndexHtml: {
    order: 'post',
    handler: (page) =>
      page.replaceAll(
        /<link rel="modulepreload" crossorigin href="([^"]+)">/g,
        '<script type="module" async crossorigin src="$1"></script>',
      ),
  },
})

/** Components that float over a page: they are loaded later (src/parts/form/overlays.ts). */
const overlays =
  /node_modules\/(@floating-ui|react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref)|@mantine\/core\/esm\/(utils\/Floating|components\/(Popover|Combobox|TagsInput|ColorInput|ColorPicker|Modal|ModalBase|Drawer|ScrollArea|Portal|Overlay|FocusTrap|Pill|PillsInput)\/)/

/** Form fields that only some screens have. */
const fields =
  /@mantine\/core\/esm\/components\/(SegmentedControl|FloatingIndicator|Switch|Progress|Textarea)\/|node_modules\/(react-textarea-autosize|use-composed-ref|use-isomorphic-layout-effect|use-latest)\//

/** What only the counter's answers and its sales show. */
const answerCards =
  /src\/screens\/counter\/(?!roll-line|undo-bar|hand-over|counter-data|counter\.module|keypad|sound|sale)/

/** Modules that only few screens share. The lines of the roll are on the counter and on Today, the first screen of every role. */
const rare =
  /src\/(words\/screens\/(templates|operator|audit|settings|webhooks)\.ts|parts\/form\/password-fields|screens\/(?!counter\/(roll-line|undo-bar|hand-over|counter-data)|counter\/counter\.module|unmatched\/outcome))/

const isShared = (id: string): boolean => !overlays.test(id) && !fields.test(id) && !rare.test(id)

/** A library's index passes on names of all its modules: who imports one name does not use the other modules. */
const isIndex = (id: string): boolean =>
  /@mantine\/(core|hooks)\/esm\/index\.mjs$|@tabler\/icons-react\/dist\/esm\/tabler-icons-react\.mjs$/.test(id)

const libraries = ['@mantine/core', '@mantine/hooks', '@tabler/icons-react']

/** The names that a module imports from one of these libraries. */
const namesFromLibraries = (code: string): string[] =>
  [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)]
    .filter(([, , from]) => libraries.includes(from!))
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.trim().split(/\s+as\s+/)[0]!)

type ModuleOf = (id: string) => { readonly importedIds: readonly string[]; readonly code: string | null } | null

/** The modules that a file imports, directly or not; of the libraries' indexes, only what is used by name. */
const modulesOf = (files: readonly string[]): ((id: string, moduleOf: ModuleOf) => boolean) => {
  const found = new Set<string>()
  const passedOn = new Map<string, Map<string, string>>()
  /** Which module of a library has each name that its index passes on. */
  const namesIn = (index: string, moduleOf: ModuleOf): Map<string, string> => {
    const known = passedOn.get(index)
    if (known !== undefined) return known
    const names = new Map<string, string>()
    for (const [, list, from] of (moduleOf(index)?.code ?? '').matchAll(/\{([^}]*)\}\s*from\s*["'](\.[^"']+)["']/g))
      for (const name of list!.split(','))
        names.set(
          name
            .trim()
            .split(/\s+as\s+/)
            .at(-1)!,
          join(dirname(index), from!),
        )
    passedOn.set(index, names)
    return names
  }
  const add = (id: string, moduleOf: ModuleOf): void => {
    if (found.has(id)) return
    found.add(id)
    const { importedIds = [], code } = moduleOf(id) ?? {}
    const used = namesFromLibraries(code ?? '')
    for (const imported of importedIds)
      if (!isIndex(imported)) add(imported, moduleOf)
      else
        for (const name of used) {
          const file = namesIn(imported, moduleOf).get(name)
          if (file !== undefined) add(file, moduleOf)
        }
  }
  return (id, moduleOf) => {
    if (found.size === 0) for (const file of files) add(join(import.meta.dirname, 'src/screens', file), moduleOf)
    return found.has(id)
  }
}

/**
 * The cashier's phone opens the counter first, often over a slow network: modules that only other screens share are not in its
 * files. What its answers need is fetched after the first touch.
 */
const isOfCounter = modulesOf(['counter/counter.tsx'])
const isOfAnswers = modulesOf(['counter/results.tsx', 'counter/money-card.tsx'])

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), contractCalls(), asyncScripts()],
  // Served under /assets with names that contain a content hash: browsers may cache them for ever.
  build: {
    target: 'es2022',
    cssMinify: true,
    // One file: over a slow network a dozen small requests take longer.
    cssCodeSplit: false,
    sourcemap: false,
    // Lists the files of each screen: the server adds preload hints for them to the page.
    manifest: 'pieces.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      onwarn: (warning, warn) => void (warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning)),
      output: {
        // The default name of a shared chunk lists all screens that share it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${name.split(/[~.]/)[0]}-[hash][extname]`,
        codeSplitting: {
          // The first page needs three files of similar size: over a slow network one more request costs a round trip, and
          // one large file would run as a single long task.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/ },
            { name: 'library', tags: ['$initial'], test: /node_modules/ },
            { name: 'frame', tags: ['$initial'] },
            // Modules that several screens share are one file, except overlays and modules that only few screens need.
            {
              name: (id, graph) => (isOfCounter(id, (of) => graph.getModuleInfo(of)) ? 'parts' : null),
              debugName: 'parts',
              minShareCount: 2,
              test: isShared,
            },
            { name: 'fields', minShareCount: 2, test: fields },
            {
              name: (id, graph) => (isOfAnswers(id, (of) => graph.getModuleInfo(of)) ? 'answers' : null),
              debugName: 'answers',
              minShareCount: 2,
              test: (id) => !overlays.test(id) && !answerCards.test(id),
            },
            { name: 'other-parts', minShareCount: 2, test: isShared },
          ],
        },
      },
    },
  },
})
