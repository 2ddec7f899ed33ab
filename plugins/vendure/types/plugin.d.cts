/** The same for CommonJS: `require()` loads the ES module. */
export type {
  RefreshedPayments,
  SanadPayments,
  SanadPluginClass,
  SanadPluginOptions,
} from './plugin.js' with { 'resolution-mode': 'import' }

export declare const SanadPlugin: typeof import('./plugin.js', { with: { 'resolution-mode': 'import' }}).SanadPlugin
