/**
 * How the dashboard is built: one page, its screens in pieces that load when they are first opened. What the contract
 * says of every call is boiled down to its method and path, so that no schema travels to the browser.
 */

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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), calls()],
  // Served under /assets with names that change with their content: they may be kept for ever.
  build: {
    target: 'es2022',
    cssMinify: true,
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
          groups: [
            // What the first page needs comes in two files: over a slow network each one more waits for its turn.
            { name: 'library', tags: ['$initial'], test: /node_modules/ },
            { name: 'frame', tags: ['$initial'] },
            // What several screens share, in few files, each for those that need it.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
