/** The same for CommonJS: `require()` loads the ES module. */
export type { SanadProviderOptions } from './provider.js' with { 'resolution-mode': 'import' }

declare const provider: typeof import('./provider.js', { with: { 'resolution-mode': 'import' }}).default
export default provider
